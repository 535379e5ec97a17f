/*
 * Searches that the search server refused. Each is an error of this program. Clients do not notice, as PostgreSQL serves the search, so
 * health and log must report it.
 */
import { log } from '../../../infra/log.ts';
import type { SearchServerRefusal } from '../../../infra/search-server/errors.ts';

/** Interval between log lines, so that repeated searches do not fill the log. */
const BETWEEN_LINES_MS = 60_000;
const REMEMBERED_MS = 600_000;

let last = Number.NEGATIVE_INFINITY;
let logged = Number.NEGATIVE_INFINITY;
let unlogged = 0;

/** Records that the search server refused a search, and logs the reason. */
export function noteRefusal({ message }: SearchServerRefusal): void {
  last = performance.now();
  unlogged += 1;
  if (last - logged < BETWEEN_LINES_MS) return;
  log.error({ problem: message, searches: unlogged }, 'The search server refuses searches; PostgreSQL serves them.');
  logged = last;
  unlogged = 0;
}

/** Whether a search was refused within the last ten minutes. */
export function hasRefusals(): boolean {
  return performance.now() - last < REMEMBERED_MS;
}
