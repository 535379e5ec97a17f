/* Input fields of the tables of fields, the changes in them, and the values that a client expects. */
import type { InputFields } from '../../graphql/builder.ts';
import { TranslationInput } from '../addons/localized.ts';
import type { TranslationChange } from '../addons/localized-text.ts';
import type { EditedKinds, FieldKind, FieldTable, NamedField } from './declared-fields.ts';

/** The input field of each kind. */
const INPUT_FIELDS = {
  texts: (t: InputFields, description: string) => t.field({ type: [TranslationInput], description }),
  html: (t: InputFields, description: string) => t.field({ type: [TranslationInput], description }),
  text: (t: InputFields, description: string) => t.string({ description }),
  flag: (t: InputFields, description: string) => t.boolean({ description }),
};
type DeclaredInputs<Table extends FieldTable> = {
  [Name in keyof EditedKinds<Table>]: ReturnType<(typeof INPUT_FIELDS)[EditedKinds<Table>[Name] & FieldKind]>;
};

/** Input fields of edited fields. */
export const declaredInputs = <Table extends FieldTable>(t: InputFields, fields: readonly NamedField[]) =>
  Object.fromEntries(
    fields.map(({ name, kind, input = '' }) => [name, INPUT_FIELDS[kind](t, input)]),
  ) as DeclaredInputs<Table>;

interface Values {
  texts: readonly TranslationChange[];
  html: readonly TranslationChange[];
  text: string | null;
  flag: boolean;
}

/** Changes of edited fields, by name. Null removes a text. */
export type DeclaredChanges<Table extends FieldTable> = {
  [Name in keyof EditedKinds<Table>]?: Values[EditedKinds<Table>[Name] & FieldKind];
};

/** The changes of an input with `declaredInputs`. Null changes only a text that can be null. */
export function declaredChanges<Table extends FieldTable>(fields: readonly NamedField[], input: object) {
  const given = input as Readonly<Record<string, unknown>>;
  const isChanged = ({ name, kind, isNullable }: NamedField) =>
    kind === 'text' && isNullable !== false ? given[name] !== undefined : given[name] != null;
  return Object.fromEntries(fields.filter(isChanged).map(({ name }) => [name, given[name]])) as DeclaredChanges<Table>;
}

/** The fields whose values clients can expect. Texts by language have digests instead. */
const isCompared = ({ isTranslated, isExpected }: NamedField): boolean => !isTranslated && isExpected !== false;

/** Input fields of expected values of an object of a type. */
export const expectedInputs = (t: InputFields, type: string, fields: readonly NamedField[]) =>
  Object.fromEntries(
    fields.filter(isCompared).map(({ name, kind }) => {
      const description = `${type}.${name}.`;
      return [name, kind === 'flag' ? t.boolean({ description }) : t.string({ description })];
    }),
  );

/** The present values of those fields in a row. */
export const presentValues = (row: object, fields: readonly NamedField[]) =>
  Object.fromEntries(
    fields.filter(isCompared).map(({ name, property }) => [name, (row as Record<string, unknown>)[property]]),
  );
