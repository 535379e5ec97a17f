/* Fields of forms: how each reads what was typed. */
import { fieldMessagesOf, InvalidInputError, refusedField } from '../errors.ts';
import { type Message, message } from '../texts/messages.ts';

/** The typed values by the name of the field. */
export type TypedValues = ReadonlyMap<string, readonly string[]>;

/** Reads a field. @throws {InvalidInputError} keyed by the name of the field. */
export interface FieldReader<Value> {
  read(typed: TypedValues, name: string): Value;
}

export type FieldReaders = Readonly<Record<string, FieldReader<unknown>>>;
export type FieldValues<Declared extends FieldReaders> = {
  [Name in keyof Declared]: Declared[Name] extends FieldReader<infer Value> ? Value : never;
};

const last = (typed: TypedValues, name: string): string => typed.get(name)?.at(-1) ?? '';

/** Line ends as browsers send them become line feeds. @throws {InvalidInputError} for a NUL, which cannot be stored. */
function cleanText(typed: TypedValues, name: string): string {
  return requireNoNul(last(typed, name).replaceAll('\r\n', '\n'), name);
}

function requireNoNul(text: string, name: string): string {
  if (text.includes('\0')) throw refusedField(name, message('field.nul_characters'));
  return text;
}

/** A text, without spaces around it. Limits are those of the mutation. */
export const textField: FieldReader<string> = { read: (typed, name) => cleanText(typed, name).trim() };

/** A text; null when empty. */
export const optionalText: FieldReader<string | null> = {
  read: (typed, name) => cleanText(typed, name).trim() || null,
};

/** A checkbox, which has a value that is not empty. */
export const checkbox: FieldReader<boolean> = { read: (typed, name) => last(typed, name) !== '' };

/** All values of a repeated field, such as checkboxes of one name. */
export const listField: FieldReader<string[]> = {
  read: (typed, name) => (typed.get(name) ?? []).filter((value) => requireNoNul(value, name) !== ''),
};

/** One of `values`. @throws {InvalidInputError} for others. */
export const choice = <Value extends string>(...values: readonly Value[]): FieldReader<Value> => ({
  read: (typed, name) => {
    const value = values.find((each) => each === last(typed, name));
    if (value === undefined)
      throw refusedField(name, message('form.not_an_option', { values: values.filter(Boolean).join(', ') }));
    return value;
  },
});

/** A whole number; null when empty. @throws {InvalidInputError} for other texts. */
export const integerField: FieldReader<number | null> = {
  read: (typed, name) => {
    const text = last(typed, name).trim();
    if (text === '') return null;
    if (!/^-?\d{1,9}$/.test(text)) throw refusedField(name, message('field.not_whole_number'));
    return Number(text);
  },
};

/** Reads all declared fields. @throws {InvalidInputError} with the messages of all invalid ones. */
export function readFields<Declared extends FieldReaders>(
  declared: Declared,
  typed: TypedValues,
): FieldValues<Declared> {
  const values: Record<string, unknown> = {};
  const problems: Record<string, readonly Message[]> = {};
  for (const [name, field] of Object.entries(declared)) {
    try {
      values[name] = field.read(typed, name);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      Object.assign(problems, fieldMessagesOf(error));
    }
  }
  if (Object.keys(problems).length > 0) throw new InvalidInputError(message('form.invalid_fields'), problems);
  return values as FieldValues<Declared>;
}
