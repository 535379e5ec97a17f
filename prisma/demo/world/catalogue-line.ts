/*
 * The shapes of what this folder writes: lines of a catalogue file.
 */

/** One line of a catalogue file before it is written down. */
export interface CatalogueLine {
  kind: string;
  [key: string]: unknown;
}

export const ADDON_TYPES = [
  'extension',
  'theme',
  'dictionary',
  'search',
  'language',
  'persona',
  'statictheme',
] as const;
export type AddonType = (typeof ADDON_TYPES)[number];

export type Application = 'desktop_browser' | 'mobile_browser' | 'suite_app' | 'mail_client';

/** Text by language. */
export type Texts = Record<string, string>;

const SECOND = /\.\d{3}Z$/;
export const DAY_MS = 86_400_000;

/** A moment the way the API writes it. */
export const moment = (date: Date): string => date.toISOString().replace(SECOND, 'Z');

export const daysBefore = (date: Date, days: number): Date => new Date(date.getTime() - Math.round(days * DAY_MS));
