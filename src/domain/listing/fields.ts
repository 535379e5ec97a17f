/*
 * The plain fields of a listing, by the name of their column, which is their key in catalogue files. Derived from this table: the fields
 * of the GraphQL type and of inputs, expected values, checks, the form of the developer hub, keys of API v5, import and export, the
 * columns of documents, and the fragments that REST and the form select. Docs: "Add a field" in docs/contributing.md.
 */

import { type DeclaredField, type EditedKinds, type NamedField, type NameOf, namedFields } from './declared-fields.ts';

/** How the texts of a field are checked when they are edited. Lengths are checked too. */
export type ListingCheck = 'name' | 'words' | 'url' | 'email' | 'language';

interface ListingField extends DeclaredField {
  /** The largest number of characters of an imported text, if it differs. */
  importMax?: number;
  check?: ListingCheck;
  /** Whether a text in the default language must exist. */
  isRequired?: true;
  /** Whether only dictionaries and language packs have it. */
  isOfLanguageTools?: true;
  /** The right that changes need. Default: to the listing. */
  part?: 'releases' | 'ownership';
  /** Description of the field of `Addon`. Fields without one have their own resolver, or none. */
  output?: string;
  /** False for long texts, which are no part of documents. */
  isInDocument?: false;
  /** The control of the form of the developer hub; the height of a text area. Labels are `hub.field.<name>`, hints have `-hint`. */
  form?: 'text' | 'email' | 'url' | 'checkbox' | { rows: number };
  hasHint?: true;
}

const LISTING_FIELDS = {
  name: {
    kind: 'texts',
    max: 50,
    check: 'name',
    isRequired: true,
    isInV5: true,
    form: 'text',
    input: 'At most 50 characters.',
    output: 'The displayed name; null without one.',
  },
  summary: {
    kind: 'texts',
    max: 250,
    check: 'words',
    isRequired: true,
    isInV5: true,
    form: { rows: 3 },
    input: 'Plain text of at most 250 characters.',
    output: 'Plain text of at most 250 characters; null without one.',
  },
  description: {
    kind: 'html',
    isInV5: true,
    form: { rows: 10 },
    input: 'May contain HTML.',
    output: 'The long description, with HTML; null without one.',
  },
  developer_comments: {
    kind: 'html',
    isInV5: true,
    form: { rows: 4 },
    input: 'May contain HTML.',
    output: 'Comments of the developers, with HTML; null without one.',
  },
  homepage: {
    kind: 'texts',
    max: 255,
    check: 'url',
    isInV5: true,
    form: 'url',
    input: 'Web address of at most 255 characters.',
    output: 'Address of its website; null without one.',
  },
  support_email: {
    kind: 'texts',
    check: 'email',
    isInV5: true,
    form: 'email',
    input: 'E-mail address.',
    output: 'E-mail address for support; null without one.',
  },
  support_url: {
    kind: 'texts',
    max: 255,
    check: 'url',
    isInV5: true,
    form: 'url',
    input: 'Web address of at most 255 characters.',
    output: 'Address of its support site; null without one.',
  },
  contributions_url: {
    kind: 'text',
    max: 255,
    importMax: 2_000,
    check: 'url',
    isInV5: true,
    form: 'url',
    input: 'Web address of at most 255 characters; null removes it.',
  },
  is_experimental: {
    kind: 'flag',
    isInV5: true,
    form: 'checkbox',
    input: 'Whether it is marked as experimental.',
    output: 'Whether it is marked as experimental.',
  },
  is_source_public: {
    kind: 'flag',
    part: 'releases',
    form: 'checkbox',
    input: 'Whether its source code may be viewed.',
    output: 'Whether its source code may be viewed.',
  },
  public_stats: {
    kind: 'flag',
    name: 'hasPublicStatistics',
    form: 'checkbox',
    input: 'Whether its statistics are public.',
    output: 'Whether its statistics are public.',
  },
  requires_payment: {
    kind: 'flag',
    isInV5: true,
    form: 'checkbox',
    input: 'Whether it needs payment, paid services or additional hardware.',
    output: 'Whether it needs payment, paid services or additional hardware.',
  },
  requires_sensitive_data_access: {
    kind: 'flag',
    output: 'Whether the permissions of its current version give access to sensitive data.',
  },
  eula: {
    kind: 'html',
    part: 'ownership',
    isInDocument: false,
    input: 'May contain HTML. Only owners may change it.',
  },
  privacy_policy: {
    kind: 'html',
    part: 'ownership',
    isInDocument: false,
    input: 'May contain HTML. Only owners may change it.',
  },
  target_locale: {
    ...{
      kind: 'text',
      max: 255,
      importMax: 64,
      check: 'language',
      isOfLanguageTools: true,
      form: 'text',
      hasHint: true,
    },
    input: 'For dictionaries and language packs: the language code that they provide. Null removes it.',
    output: 'Language code of a dictionary or language pack; null for other types.',
  },
  locale_disambiguation: {
    kind: 'text',
    max: 255,
    isOfLanguageTools: true,
    form: 'text',
    hasHint: true,
    input: 'For dictionaries and language packs: distinguishes those of one language. Null removes it.',
    output: 'Distinguishes dictionaries of one language; null without a text.',
  },
  is_disabled_by_developer: {
    kind: 'flag',
    name: 'isDisabled',
    part: 'releases',
    isInV5: true,
    isExpected: false,
    input: 'Whether its developers disable it.',
  },
} as const satisfies Readonly<Record<string, ListingField>>;

export type ListingTable = typeof LISTING_FIELDS;
export type ListingColumn = keyof ListingTable;
/** The kind of each field. */
export type ListingKind<Column extends ListingColumn> = ListingTable[Column]['kind'];

/** The name of a field that is edited, in GraphQL and forms. */
type EditedName<Kinds extends ListingField['kind'] = ListingField['kind']> = keyof EditedKinds<ListingTable, Kinds>;
/** The name of an edited field with texts by language. */
export type TranslatedField = EditedName<'texts' | 'html'>;

/** The name of a field in the form of the developer hub. */
export type FormName = {
  [Column in ListingColumn]: ListingTable[Column] extends { form: unknown } ? NameOf<ListingTable, Column> : never;
}[ListingColumn];

export type NamedListingField = NamedField<ListingField>;

/** The fields in the order of exports. */
export const listingFields = namedFields<ListingField>(LISTING_FIELDS);

/** Fields with these names. */
type Named<Name extends string> = readonly (NamedListingField & { name: Name })[];

/** The fields that are edited. */
export const editedFields = listingFields.filter(({ input }) => input !== undefined) as Named<EditedName>;
export const translatedFields = editedFields.filter(({ isTranslated }) => isTranslated) as Named<TranslatedField>;
/** The edited fields with one value. */
export const plainFields = editedFields.filter(({ isTranslated }) => !isTranslated) as Named<
  EditedName<'text' | 'flag'>
>;

/** The fields in the form of the developer hub. */
export const formFields = listingFields.filter(({ form }) => form !== undefined) as Named<FormName>;
