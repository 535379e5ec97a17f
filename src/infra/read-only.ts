import { config } from '../config.ts';
import { ReadOnlyError } from '../errors.ts';
import { db } from './db.ts';
import texts from './read-only-texts.json' with { type: 'json' };

/** The row of `service_state` that switches all processes; its value is JSON `true` or `false`. */
const ROW = 'read_only';

/** How long a read of the row is cached; a switch must reach every process within a second. */
const CACHE_MS = 500;

let cached = { value: false, at: Number.NEGATIVE_INFINITY };
let reading: Promise<boolean> | undefined;

/**
 * Whether the service is in read-only (maintenance) mode, by its settings or by the row in the database. During an outage of
 * the database, the last state holds.
 */
export async function isReadOnly(): Promise<boolean> {
  if (config.READ_ONLY) return true;
  if (performance.now() - cached.at < CACHE_MS) return cached.value;
  reading ??= readState().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function readState(): Promise<boolean> {
  try {
    const row = await db.serviceState.findUnique({ where: { name: ROW }, select: { value: true } });
    cached = { value: row?.value === true, at: performance.now() };
  } catch {
    cached = { value: cached.value, at: performance.now() };
  }
  return cached.value;
}

/** @throws {ReadOnlyError} in read-only mode (contract), in the language `locale` or in English. */
export async function requireWritable(locale: string): Promise<void> {
  if (await isReadOnly()) throw new ReadOnlyError(readOnlyMessage(locale));
}

function readOnlyMessage(locale: string): string {
  const translated: Record<string, string> = texts;
  return translated[locale] ?? translated[locale.split('-')[0] ?? ''] ?? texts.en;
}
