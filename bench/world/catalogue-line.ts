/*
 * Types of catalogue file lines.
 */

/** A line of a catalogue file before serialization. */
export interface CatalogueLine {
  kind: string;
  [key: string]: unknown;
}

/** Text by language. */
export type Texts = Record<string, string>;

const SECOND = /\.\d{3}Z$/;
export const DAY_MS = 86_400_000;

/** A time in the format of the API. */
export const moment = (date: Date): string => date.toISOString().replace(SECOND, 'Z');

export const daysBefore = (date: Date, days: number): Date => new Date(date.getTime() - Math.round(days * DAY_MS));
