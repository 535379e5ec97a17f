import { config } from '../config.ts';
import { ReadOnlyError } from '../errors.ts';
import { db } from './db.ts';
import texts from './read-only-texts.json' with { type: 'json' };

/** The row of `service_state` that switches all processes; its value is JSON `true` or `false`. */
const ROW = 'read_only';

/** For how long an answer of the database is believed: a switch reaches every process within a second. */
const BELIEVED_MS = 500;

let known = { value: false, at: Number.NEGATIVE_INFINITY };
let reading: Promise<boolean> | undefined;

/**
 * Whether the service is in read-only (maintenance) mode: by its settings, or because an operator switched the row in
 * the database. While the database does not answer, the last known state holds.
 */
export async function isReadOnly(): Promise<boolean> {
  if (config.READ_ONLY) return true;
  if (performance.now() - known.at < BELIEVED_MS) return known.value;
  reading ??= readState().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function readState(): Promise<boolean> {
  try {
    const row = await db.serviceState.findUnique({ where: { name: ROW }, select: { value: true } });
    known = { value: row?.value === true, at: performance.now() };
  } catch {
    known = { value: known.value, at: performance.now() };
  }
  return known.value;
}

/**
 * Lets a write through, or refuses it (contract, 503 and read-only mode).
 * @throws {ReadOnlyError} with a message in the language `locale`, or in English where there is no translation.
 */
export async function requireWritable(locale: string): Promise<void> {
  if (await isReadOnly()) throw new ReadOnlyError(readOnlyMessage(locale));
}

function readOnlyMessage(locale: string): string {
  const translated: Record<string, string> = texts;
  return translated[locale] ?? translated[locale.split('-')[0] ?? ''] ?? texts.en;
}
