/*
 * Forms that others may have changed in the meantime: each field is sent with the value that its editor saw, in a hidden field
 * `expected.<name>`. Unchanged fields are not passed to the mutation, and it refuses changes of values that are no longer present.
 */
import { textDigest } from '../texts/text-digest.ts';
import { type FieldReader, type TypedValues, textField } from './fields.ts';
import type { RefusedForm } from './ui.ts';

/** The value of a field, and the one that the form was made with. */
export interface FieldChange<Value> {
  value: Value;
  expected: Value;
}

/** The name of the hidden field with the expected value of a field. */
export const expectedName = (name: string): string => `expected.${name}`;

/** A field with its expected value; null when both are the same. Lists are compared as sets. */
export const changed = <Value>(field: FieldReader<Value>): FieldReader<FieldChange<Value> | null> => ({
  read: (typed, name) => {
    const change = { value: field.read(typed, name), expected: field.read(typed, expectedName(name)) };
    return comparable(change.value) === comparable(change.expected) ? null : change;
  },
});

const comparable = (value: unknown): string =>
  Array.isArray(value) ? JSON.stringify(value.map((each) => JSON.stringify(each)).sort()) : JSON.stringify(value);

type Changes = Readonly<Record<string, FieldChange<unknown> | null>>;
type Values<Read extends Changes> = { [Name in keyof Read]?: NonNullable<Read[Name]>['value'] };

/** The input of a mutation: the changed fields, and in `expected` their values before. */
export function changedInput<Read extends Changes>(changes: Read): Values<Read> & { expected: Values<Read> } {
  const found = Object.entries(changes).flatMap(([name, change]) => (change === null ? [] : [{ name, ...change }]));
  return {
    ...Object.fromEntries(found.map(({ name, value }) => [name, value])),
    expected: Object.fromEntries(found.map(({ name, expected }) => [name, expected])),
  } as Values<Read> & { expected: Values<Read> };
}

interface ChangedText {
  locale: string;
  /** Null deletes the text. */
  value: string | null;
  /** Digest of the text that its editor saw. */
  expectedDigest: string;
}

/** The changed ones of the texts `<name>.<locale>`, with the digests in `expected.<name>.<locale>`. */
export const changedTexts: FieldReader<ChangedText[]> = {
  read: (typed, name) =>
    [...typed.keys()]
      .filter((key) => key.startsWith(`${name}.`))
      .flatMap((key) => {
        const text = textField.read(typed, key);
        const expectedDigest = typed.get(expectedName(key))?.at(-1) ?? '';
        return textDigest(text) === expectedDigest
          ? []
          : [{ locale: key.slice(name.length + 1), value: text || null, expectedDigest }];
      }),
};

/** A text in all its languages, as pages read it. */
type Digests = { all: readonly { locale: string; digest: string }[] } | null | undefined;

/** The expected texts in these languages: digests by the name of the field and language. `fields` are the stored texts by field. */
export const expectedTexts = (fields: Readonly<Record<string, Digests>>, languages: readonly string[]): Expected =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, texts]) =>
      languages.map((language) => [
        `${name}.${language}`,
        texts?.all.find(({ locale }) => locale === language)?.digest ?? '',
      ]),
    ),
  );

/** Expected values by the names of fields: those that are stored now. */
export type Expected = Readonly<Record<string, string | boolean | null | readonly string[]>>;

/** Whether others have changed the value of a field of a refused form. A change of `a` is one of `a.b`. */
export const isChangedByOthers = (refused: RefusedForm | null, name: string): boolean =>
  refused?.changed.some((path) => name === path || name.startsWith(`${path}.`)) ?? false;

/**
 * The hidden fields of a form, as pairs. A refused form keeps what it had, so that a field that its editor left alone overwrites no
 * change of others; only for values that were shown to the editor, as others have changed them, it gets the present ones.
 */
export function expectedFields(refused: RefusedForm | null, expected: Expected): [name: string, value: string][] {
  return Object.entries(expected).flatMap(([field, stored]) => {
    const name = expectedName(field);
    const kept: TypedValues = isChangedByOthers(refused, field) ? new Map() : (refused?.values ?? new Map());
    return (kept.get(name) ?? valuesOf(stored)).map((value): [string, string] => [name, value]);
  });
}

/** As a form contains a value. At least one field is there, also without a value. */
function valuesOf(stored: Expected[string]): readonly string[] {
  if (typeof stored === 'boolean') return [stored ? 'true' : ''];
  return typeof stored === 'object' && stored !== null && stored.length > 0 ? stored : [String(stored ?? '')];
}
