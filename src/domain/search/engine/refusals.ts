/*
 * Searches that the search server has refused. Each is a mistake of ours that no reader notices, as PostgreSQL answers; so
 * operators have to be told.
 */
import { log } from '../../../infra/log.ts';
import type { SearchServerRefusal } from '../../../infra/search-server/errors.ts';

/** What clients repeat does not fill the log. */
const BETWEEN_LINES_MS = 60_000;
const REMEMBERED_MS = 600_000;

let last = Number.NEGATIVE_INFINITY;
let logged = Number.NEGATIVE_INFINITY;
let unlogged = 0;

/** Keeps in mind that a search was refused, and tells the log why. */
export function noteRefusal({ message }: SearchServerRefusal): void {
  last = performance.now();
  unlogged += 1;
  if (last - logged < BETWEEN_LINES_MS) return;
  log.error({ problem: message, searches: unlogged }, 'The search server refuses searches; PostgreSQL answers them.');
  logged = last;
  unlogged = 0;
}

/** Whether that has happened within ten minutes. */
export function hasRefusals(): boolean {
  return performance.now() - last < REMEMBERED_MS;
}
