/*
 * The shapes of what this folder writes: lines of a catalogue file.
 */

/** One line of a catalogue file before it is written down. */
export interface CatalogueLine {
  kind: string;
  [key: string]: unknown;
}

/** Text by language. */
export type Texts = Record<string, string>;

const SECOND = /\.\d{3}Z$/;
export const DAY_MS = 86_400_000;

/** A moment the way the API writes it. */
export const moment = (date: Date): string => date.toISOString().replace(SECOND, 'Z');

export const daysBefore = (date: Date, days: number): Date => new Date(date.getTime() - Math.round(days * DAY_MS));
