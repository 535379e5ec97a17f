/*
 * The plain fields of a version, by the name of their column, which is their key in catalogue files. Derived from this table: inputs,
 * expected values, changes, keys of requests under v5, import and export.
 */
import { type DeclaredField, namedFields } from '../listing/declared-fields.ts';

interface VersionField extends DeclaredField {
  /** Whether catalogue files have it. */
  isInCatalogue?: true;
}

export const VERSION_FIELDS = {
  release_notes: {
    kind: 'html',
    input: 'What has changed; may contain HTML.',
    isInV5: true,
    isInCatalogue: true,
  },
  is_strict_compatibility_enabled: {
    kind: 'flag',
    input:
      'Whether applications must enforce the newest versions in compatibility. Always when the manifest demands it.',
    isInCatalogue: true,
  },
  approval_notes: {
    kind: 'text',
    max: 3_000,
    isNullable: false,
    input: 'What reviewers should know, plain text of at most 3,000 characters. Only authors and reviewers see it.',
    isInV5: true,
  },
} as const satisfies Readonly<Record<string, VersionField>>;

export type VersionTable = typeof VERSION_FIELDS;

/** The columns that catalogue files have. */
export type CatalogueColumn = {
  [Column in keyof VersionTable]: VersionTable[Column] extends { isInCatalogue: true } ? Column : never;
}[keyof VersionTable];

export const versionFields = namedFields<VersionField>(VERSION_FIELDS);

/** The fields that catalogue files have. */
export const catalogueFields = versionFields.filter(({ isInCatalogue }) => isInCatalogue);
