import { CommandError } from './command.ts';

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads the value of `--expires`: a length of time such as `90d`, `12h` or `5m`, or a date (`2030-01-31`, UTC).
 * @throws {CommandError} for anything else.
 */
export function readExpiry(text: string | undefined, now = Date.now()): Date | null {
  if (text === undefined) return null;
  const [, amount, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const time = amount === undefined ? dateOf(text) : now + Number(amount) * (UNIT_MS[unit] ?? 0);
  if (Number.isNaN(time))
    throw new CommandError(`--expires: '${text}' is neither a length of time like 90d nor a date`);
  return new Date(time);
}

function dateOf(text: string): number {
  const time = /^\d{4}-\d\d-\d\d(T[0-9:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  // JavaScript reads February 31 as a day of March.
  return Number.isNaN(time) || new Date(time).toISOString().startsWith(text.slice(0, 10)) ? time : Number.NaN;
}
