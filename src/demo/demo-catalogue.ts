/*
 * The catalogue of the demo: add-ons of every type in six languages, with packages and pictures, as a file that `addons import` reads.
 * `bench/demo-catalogue.ts` writes it. An import moves its dates, so that it ends today at any time.
 */
import { join } from 'node:path';

/** The file. */
export const DEMO_CATALOGUE = join(import.meta.dirname, '../../prisma/demo/catalogue.tar.zst');

/** The latest date in the file. */
export const WRITTEN_UNTIL = new Date('2026-01-01T00:00:00Z');

/** Folder in the archive with pictures of the add-ons and accounts that the demo makes itself. */
export const OWN_PICTURES = 'pictures/own';

/** Slug of the add-on whose only version is to become one that waits for its validation. */
export const VALIDATING_SLUG = 'validating-sorter';

const DAY_MS = 86_400_000;
const DATE = /"(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\dZ)?"/g;

/** The same line of the catalogue with all its dates moved by the whole days from {@link WRITTEN_UNTIL} to `today`. */
export function movedToDay(line: string, today: Date): string {
  const days = Math.floor(today.getTime() / DAY_MS) - WRITTEN_UNTIL.getTime() / DAY_MS;
  return line.replace(DATE, (_text, date: string, time = '') => {
    const moved = new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
    return `"${moved}${time}"`;
  });
}
