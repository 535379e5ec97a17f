/* What the tables of fields of listings and versions have in common: src/domain/listing/fields.ts, src/domain/versions/fields.ts. */

export interface DeclaredField {
  /** Texts by language, where `html` is sanitised; one text, which may be null; a flag. */
  kind: 'texts' | 'html' | 'text' | 'flag';
  /** The name in GraphQL and forms. Default: the column in camel case. */
  name?: string;
  /** The largest number of characters of an edited text. */
  max?: number;
  /** False for a text that is empty instead of null. */
  isNullable?: false;
  /** Description of the input field. Fields without one are not edited. */
  input?: string;
  /** False where the GraphQL type has another value, so that clients cannot expect this one. */
  isExpected?: false;
  /** Whether requests of v5 have it. Its key is the name in snake case. */
  isInV5?: true;
}

/** Fields by the names of their columns. */
export type FieldTable = Readonly<Record<string, DeclaredField>>;
export type FieldKind = DeclaredField['kind'];

type CamelCase<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;

/** The name of the field of a column. */
export type NameOf<Table extends FieldTable, Column extends keyof Table> = Table[Column] extends {
  name: infer Name extends string;
}
  ? Name
  : CamelCase<Column & string>;

/** The kinds of the fields that are edited, by name. */
export type EditedKinds<Table extends FieldTable, Kinds extends FieldKind = FieldKind> = {
  [Column in keyof Table as Table[Column] extends { kind: Kinds; input: string }
    ? NameOf<Table, Column>
    : never]: Table[Column]['kind'];
};

/** A field with the names that follow from its column. */
export type NamedField<Field extends DeclaredField = DeclaredField> = Field & {
  column: string;
  /** The property of rows and documents: the column in camel case. */
  property: string;
  name: string;
  /** Whether it has texts by language. */
  isTranslated: boolean;
};

const camelCase = (column: string): string => column.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());

/** The name in snake case. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The fields of a table in its order. */
export const namedFields = <Field extends DeclaredField>(
  table: Readonly<Record<string, Field>>,
): readonly NamedField<Field>[] =>
  Object.entries(table).map(([column, field]) => ({
    name: camelCase(column),
    ...field,
    column,
    property: camelCase(column),
    isTranslated: field.kind === 'texts' || field.kind === 'html',
  }));
