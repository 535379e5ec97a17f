import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  DOCUMENT_FILE,
  FRAGMENTS_FILE,
  listingFragments,
  withListingColumns,
} from '../../../src/commands/print-listing.ts';
import { listingFields } from '../../../src/domain/listing/fields.ts';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';

const app = setUpApp();

describe('the table of listing fields', () => {
  it('has a column for each field', async () => {
    const rows = await app.sql<{ column_name: string }>(
      "select column_name from information_schema.columns where table_name = 'addon'",
    );
    const names = rows.map(({ column_name: name }) => name);
    expect(listingFields.map(({ column }) => column).filter((column) => !names.includes(column))).toEqual([]);
  });

  it('names the properties of documents', async () => {
    const { id } = await addon({});
    const [row] = await app.sql<{ body: object }>('select body from current_addon_document where addon_id = $1', [id]);
    const inDocument = listingFields.filter(({ isInDocument }) => isInDocument !== false);
    expect(Object.keys(row?.body ?? {})).toEqual(expect.arrayContaining(inDocument.map(({ property }) => property)));
  });

  it('has given the fragments and the view that are derived from it (npm run generate:schema)', async () => {
    const definition = await readFile(DOCUMENT_FILE, 'utf8');
    expect(await readFile(FRAGMENTS_FILE, 'utf8')).toBe(listingFragments());
    expect(definition).toBe(withListingColumns(definition));
  });
});
