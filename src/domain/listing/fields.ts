/*
 * The plain fields of a listing, by the name of their column, which is their key in catalogue files. Schemas of lines, and columns of
 * import and export, are derived from this table.
 */

export interface ListingField {
  /** Texts by language, where `html` is sanitised; one text, which may be null; a flag. */
  kind: 'texts' | 'html' | 'text' | 'flag';
  /** The largest number of characters of one text. */
  max?: number;
}

export const LISTING_FIELDS = {
  name: { kind: 'texts' },
  summary: { kind: 'texts' },
  description: { kind: 'html' },
  developer_comments: { kind: 'html' },
  homepage: { kind: 'texts' },
  support_email: { kind: 'texts' },
  support_url: { kind: 'texts' },
  contributions_url: { kind: 'text', max: 2_000 },
  is_experimental: { kind: 'flag' },
  is_source_public: { kind: 'flag' },
  public_stats: { kind: 'flag' },
  requires_payment: { kind: 'flag' },
  requires_sensitive_data_access: { kind: 'flag' },
  eula: { kind: 'html' },
  privacy_policy: { kind: 'html' },
  target_locale: { kind: 'text', max: 64 },
  locale_disambiguation: { kind: 'text', max: 255 },
  is_disabled_by_developer: { kind: 'flag' },
} as const satisfies Readonly<Record<string, ListingField>>;

type Fields = typeof LISTING_FIELDS;
export type ListingColumn = keyof Fields;
/** The kind of each field. */
export type ListingKind<Column extends ListingColumn> = Fields[Column]['kind'];

/** The fields with their columns, in the order of exports. */
export const listingFields = Object.entries<ListingField>(LISTING_FIELDS);
