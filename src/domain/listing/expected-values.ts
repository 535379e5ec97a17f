/* The guard of edits against lost updates: with the new values, a client sends those that it read and expects to be there still. */
import { message } from '../../texts/messages.ts';
import { FieldErrors } from './field-errors.ts';

/** Values as a client read them, by input field; null for none. Absent fields are not compared. */
export type ExpectedValues = Readonly<Record<string, unknown>>;

const CHANGED_SINCE_READ = message('field.value_changed');

/** The values of a field when a client read it, in the locked row now, and after the change. */
interface ExpectedFields {
  expected: ExpectedValues;
  present: ExpectedValues;
  wanted: ExpectedValues;
}

/**
 * Adds a fault for each field whose present value is neither the one that the client read nor the one that it wants. Lists are compared
 * as sets; an empty text or list is none.
 */
export function checkExpected({ expected, present, wanted }: ExpectedFields, faults: FieldErrors): void {
  for (const [field, value] of Object.entries(expected)) {
    if (value === undefined) continue;
    const [now, after] = [comparable(present[field]), wanted[field]];
    const isThere = now === comparable(value) || (after !== undefined && now === comparable(after));
    if (!isThere) faults.addChanged(field, CHANGED_SINCE_READ);
  }
}

/** @throws {InvalidInputError} with all fields that `checkExpected` finds. */
export function requireExpected(fields: ExpectedFields): void {
  const faults = new FieldErrors();
  checkExpected(fields, faults);
  faults.throwIfAny();
}

function comparable(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.length === 0 ? null : value.map(comparable).sort());
  if (typeof value !== 'string') return JSON.stringify(value ?? null);
  return JSON.stringify(value.replaceAll('\r\n', '\n').trim() || null);
}
