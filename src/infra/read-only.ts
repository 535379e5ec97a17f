import { config } from '../config.ts';
import { ReadOnlyError } from '../errors.ts';
import { API_TEXTS } from '../texts/api.ts';
import { chooseLanguage, type Language } from '../texts/languages.ts';
import { translate } from '../texts/translate.ts';
import { pool } from './db.ts';
import { addSubscriber, type Subscriber } from './notifications.ts';

/** The row of `service_state` that operators switch; its value is JSON `true` or `false`. */
export const READ_ONLY_ROW = 'read_only';

/** The row of `service_state` with what refusals say instead of the text of the service: an object of texts by language. */
export const READ_ONLY_TEXT_ROW = 'read_only_text';

/** The row of `service_state` with the notice on all pages: an object of texts by language. */
export const SITE_NOTICE_ROW = 'site_notice';

/** Texts of operators by language. */
export type OperatorTexts = Readonly<Partial<Record<Language, string>>>;

/** The rows of `service_state` for hosts whose disk is nearly full have names with this prefix. */
export const LOW_DISK_PREFIX = 'low_disk:';

/** A row of a host is outdated after this time without a report, because its processes have ended. */
const REPORT_SECONDS = 30;

/**
 * A read of the rows is cached until they change, which a trigger announces, and no longer than this: rows become outdated without a
 * change, and an announcement arrives late when its connection hangs.
 */
const CACHE_MS = 4_000;

const STATE = `SELECT coalesce(bool_or(value = 'true'::jsonb), false) AS value, (
    SELECT value FROM service_state WHERE name = '${READ_ONLY_TEXT_ROW}') AS texts, (
    SELECT value FROM service_state WHERE name = '${SITE_NOTICE_ROW}') AS notice
  FROM service_state WHERE name = '${READ_ONLY_ROW}'
  OR (name LIKE '${LOW_DISK_PREFIX.replaceAll('_', '\\_')}%' AND modified > now() - interval '${REPORT_SECONDS} seconds')`;

const CAUSES = `SELECT coalesce(bool_or(name = '${READ_ONLY_ROW}'), false) AS switched,
    coalesce(bool_or(name <> '${READ_ONLY_ROW}' AND modified > now() - interval '${REPORT_SECONDS} seconds'), false) AS "lowDisk"
  FROM service_state WHERE value = 'true'::jsonb
    AND (name = '${READ_ONLY_ROW}' OR name LIKE '${LOW_DISK_PREFIX.replaceAll('_', '\\_')}%')`;

interface State {
  value: boolean;
  texts: OperatorTexts | null;
  notice: OperatorTexts | null;
}

const NEVER = Number.NEGATIVE_INFINITY;
let cached: State & { at: number } = { value: false, texts: null, notice: null, at: NEVER };
let reading: Promise<State> | undefined;
let isDiskLow = false;

/**
 * Whether the service is in read-only (maintenance) mode: by its settings, by the operator's switch, or because a disk is
 * nearly full. During an outage of the database, the last state holds.
 */
export async function isReadOnly(): Promise<boolean> {
  return config.READ_ONLY || isDiskLow || (await currentState()).value;
}

/** What operators have written for the time of read-only mode; null for nothing. */
export const readOnlyTexts = async (): Promise<OperatorTexts | null> => (await currentState()).texts;

/** The notice of operators on all pages; null for none. During an outage of the database, the last one stays. */
export const siteNotice = async (): Promise<OperatorTexts | null> => (await currentState()).notice;

/** The notice at its last read. */
export const lastSiteNotice = (): OperatorTexts | null => cached.notice;

async function currentState(): Promise<State> {
  if (performance.now() - cached.at < CACHE_MS) return cached;
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

/** What operators have written for the time of read-only mode, at its last read; null outside the mode. */
export const lastReadOnlyTexts = (): OperatorTexts | null => (wasReadOnly() ? (cached.texts ?? {}) : null);

/** The state at its last read. Every request of the API reads it again if it may have changed. */
export const wasReadOnly = (): boolean => config.READ_ONLY || isDiskLow || cached.value;

/** The triggers of `prisma/definitions/read-only-notifications.sql` announce each change of the rows. */
const announced: Subscriber = { notify: forgetReadOnlyState, restart: forgetReadOnlyState };

function readState(): Promise<State> {
  addSubscriber('service_state', announced);
  const read = queryState().then((state) => {
    // After an announcement in between, the result may be outdated: it holds until the next read.
    if (reading === undefined && cached.at === NEVER) cached = { ...state, at: NEVER };
    if (reading === read) {
      cached = { ...state, at: performance.now() };
      reading = undefined;
    }
    return state;
  });
  return read;
}

const queryState = (): Promise<State> =>
  pool.query<State>(STATE).then(
    ({ rows }) => rows[0] ?? cached,
    () => cached,
  );

/** Makes this process read the state again; called after a change of the rows. */
export function forgetReadOnlyState(): void {
  cached = { ...cached, at: NEVER };
  reading = undefined;
}

/** Sets whether the disk of this process is nearly full. */
export function noteLowDisk(isLow: boolean): void {
  isDiskLow = isLow;
}

/** @throws {ReadOnlyError} in read-only mode, with the text of operators or of the service in the language `locale` or in English. */
export async function requireWritable(locale: string): Promise<void> {
  if (!(await isReadOnly())) return;
  const texts = await readOnlyTexts();
  throw new ReadOnlyError(texts?.[chooseLanguage([locale])] ?? translate(API_TEXTS, locale, 'read-only'));
}
