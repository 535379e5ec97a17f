/* The guard of edits against lost updates: with the new values, a client sends those that it read, which the new ones replace. */
import { Faults } from './faults.ts';

/** Values as a client read them, by input field; null for none. Absent fields are not compared. */
export type ReplacedValues = Readonly<Record<string, unknown>>;

const CHANGED_SINCE_READ = 'This value was changed since you read it.';

/** The values of a field when a client read it, in the locked row now, and after the change. */
export interface ReplacedFields {
  replaced: ReplacedValues;
  present: ReplacedValues;
  wanted: ReplacedValues;
}

/**
 * Adds a fault for each field whose present value is neither the one that the client read nor the one that it wants. Lists are compared
 * as sets; an empty text or list is none.
 */
export function checkReplaced({ replaced, present, wanted }: ReplacedFields, faults: Faults): void {
  for (const [field, value] of Object.entries(replaced)) {
    if (value === undefined) continue;
    const [now, after] = [comparable(present[field]), wanted[field]];
    const isThere = now === comparable(value) || (after !== undefined && now === comparable(after));
    if (!isThere) faults.addChanged(field, CHANGED_SINCE_READ);
  }
}

/** @throws {InvalidInputError} with all fields that `checkReplaced` finds. */
export function requireReplaced(fields: ReplacedFields): void {
  const faults = new Faults();
  checkReplaced(fields, faults);
  faults.throwIfAny();
}

function comparable(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.length === 0 ? null : value.map(comparable).sort());
  if (typeof value !== 'string') return JSON.stringify(value ?? null);
  return JSON.stringify(value.replaceAll('\r\n', '\n').trim() || null);
}
