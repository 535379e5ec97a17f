/*
 * Writes what follows from the table of listing fields and is in other languages than TypeScript: `npm run generate:schema`. A test fails
 * while a file is stale.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formFields, listingFields, type NamedListingField } from '../domain/listing/fields.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The fragments that REST and the form of the developer hub select. */
export const FRAGMENTS_FILE = join(ROOT, 'schema/operations/listing.graphql');

/** The view of documents, with a part that is written. */
export const DOCUMENT_FILE = join(ROOT, 'prisma/definitions/addon-document.sql');

const fragment = (comment: string, name: string, fields: readonly NamedListingField[], selection: string): string => {
  const lines = fields.map((field) =>
    field.isTranslated ? `  ${field.name} {\n    ${selection}\n  }` : `  ${field.name}`,
  );
  return `# ${comment}\nfragment ${name} on Addon {\n${lines.join('\n')}\n}\n`;
};

/** The text of schema/operations/listing.graphql. */
export function listingFragments(): string {
  const ofApi = listingFields.filter(({ isInV5 }) => isInV5);
  return [
    '# Written by `npm run generate:schema` from src/domain/listing/fields.ts.\n',
    fragment('The fields of a listing that API v5 has.', 'ListingFields', ofApi, '...TextFields'),
    fragment('The fields of the form of a listing.', 'HubListingFields', formFields, '...EditedText'),
  ].join('\n');
}

const [START, END] = [
  '  -- Written by `npm run generate:schema` from src/domain/listing/fields.ts:\n',
  '  -- End of the written part.\n',
];

/** The definition of the view with the current columns of listings. */
export function withListingColumns(definition: string): string {
  const [before, written = ''] = definition.split(START);
  const [, after] = written.split(END);
  if (after === undefined) throw new Error(`${DOCUMENT_FILE} lacks the line that starts or ends the written part.`);
  const columns = listingFields
    .filter(({ isInDocument }) => isInDocument !== false)
    .map(({ column, property, isTranslated }) =>
      isTranslated ? `  nullif(a.${column}, '{}') AS "${property}",\n` : `  a.${column} AS "${property}",\n`,
    );
  return [before, START, ...columns, END, after].join('');
}

if (import.meta.main) {
  await writeFile(FRAGMENTS_FILE, listingFragments());
  await writeFile(DOCUMENT_FILE, withListingColumns(await readFile(DOCUMENT_FILE, 'utf8')));
}
