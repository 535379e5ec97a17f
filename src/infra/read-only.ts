import { config } from '../config.ts';
import { ReadOnlyError } from '../errors.ts';
import { API_TEXTS } from '../texts/api.ts';
import { translate } from '../texts/translate.ts';
import { pool } from './db.ts';
import { addSubscriber, type Subscriber } from './notifications.ts';

/** The row of `service_state` that operators switch; its value is JSON `true` or `false`. */
export const READ_ONLY_ROW = 'read_only';

/** The rows of `service_state` for hosts whose disk is nearly full have names with this prefix. */
export const LOW_DISK_PREFIX = 'low_disk:';

/** A row of a host is outdated after this time without a report, because its processes have ended. */
const REPORT_SECONDS = 30;

/**
 * A read of the rows is cached until they change, which a trigger announces, and no longer than this: rows become outdated without a
 * change, and an announcement arrives late when its connection hangs.
 */
const CACHE_MS = 4_000;

const STATE = `SELECT coalesce(bool_or(value = 'true'::jsonb), false) AS value FROM service_state WHERE name = '${READ_ONLY_ROW}'
  OR (name LIKE '${LOW_DISK_PREFIX.replaceAll('_', '\\_')}%' AND modified > now() - interval '${REPORT_SECONDS} seconds')`;

const CAUSES = `SELECT coalesce(bool_or(name = '${READ_ONLY_ROW}'), false) AS switched,
    coalesce(bool_or(name <> '${READ_ONLY_ROW}' AND modified > now() - interval '${REPORT_SECONDS} seconds'), false) AS "lowDisk"
  FROM service_state WHERE value = 'true'::jsonb
    AND (name = '${READ_ONLY_ROW}' OR name LIKE '${LOW_DISK_PREFIX.replaceAll('_', '\\_')}%')`;

let cached = { value: false, at: Number.NEGATIVE_INFINITY };
let reading: Promise<boolean> | undefined;
let isDiskLow = false;

/**
 * Whether the service is in read-only (maintenance) mode: by its settings, by the operator's switch, or because a disk is
 * nearly full. During an outage of the database, the last state holds.
 */
export async function isReadOnly(): Promise<boolean> {
  if (config.READ_ONLY || isDiskLow) return true;
  if (performance.now() - cached.at < CACHE_MS) return cached.value;
  reading ??= readState();
  return reading;
}

/** What keeps the service in read-only mode. */
export async function readOnlyCauses(): Promise<('switched' | 'settings' | 'low_disk')[]> {
  const { rows } = await pool.query<{ switched: boolean; lowDisk: boolean }>(CAUSES);
  return [
    ...(rows[0]?.switched ? (['switched'] as const) : []),
    ...(config.READ_ONLY ? (['settings'] as const) : []),
    ...(isDiskLow || rows[0]?.lowDisk ? (['low_disk'] as const) : []),
  ];
}

/** The state at its last read. Every request of the API reads it again if it may have changed. */
export const wasReadOnly = (): boolean => config.READ_ONLY || isDiskLow || cached.value;

/** The triggers of `prisma/definitions/read-only-notifications.sql` announce each change of the rows. */
const announced: Subscriber = { notify: forgetReadOnlyState, restart: forgetReadOnlyState };

function readState(): Promise<boolean> {
  addSubscriber('service_state', announced);
  const read = queryState().then((value) => {
    // After a switch in this process, the result may be outdated.
    if (reading === read) {
      cached = { value, at: performance.now() };
      reading = undefined;
    }
    return value;
  });
  return read;
}

const queryState = (): Promise<boolean> =>
  pool.query<{ value: boolean }>(STATE).then(
    ({ rows }) => rows[0]?.value === true,
    () => cached.value,
  );

/** Makes this process read the state again; called after a change of the rows. */
export function forgetReadOnlyState(): void {
  cached = { value: cached.value, at: Number.NEGATIVE_INFINITY };
  reading = undefined;
}

/** Sets whether the disk of this process is nearly full. */
export function noteLowDisk(isLow: boolean): void {
  isDiskLow = isLow;
}

/** @throws {ReadOnlyError} in read-only mode, in the language `locale` or in English. */
export async function requireWritable(locale: string): Promise<void> {
  if (await isReadOnly()) throw new ReadOnlyError(translate(API_TEXTS, locale, 'read-only'));
}
