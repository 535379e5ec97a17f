import { builder } from '../../graphql/builder.ts';
import { pageArguments, positionConnection, reachableFields } from '../../graphql/connections.ts';
import { globalId } from '../../graphql/global-id.ts';
import { pool, prepared } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';

/** An add-on here that does what an extension of another browser does. */
interface MappingRow {
  id: number;
  browser: string;
  extensionId: string;
  addonGuid: string;
}

const readPage = prepared<{ count: number; rows: MappingRow[] }>(
  pool,
  'browser-mappings',
  `WITH matching AS (
     SELECT * FROM browser_mapping WHERE ($1::text IS NULL OR browser = $1) AND ($2::text IS NULL OR extension_id = $2)
   )
   SELECT (SELECT count(*)::int FROM matching) AS count, coalesce((
     SELECT json_agg(json_build_object('id', id, 'browser', browser, 'extensionId', extension_id, 'addonGuid', addon_guid)
       ORDER BY browser, extension_id)
     FROM (SELECT * FROM matching ORDER BY browser, extension_id LIMIT $3 OFFSET $4) page
   ), '[]') AS rows`,
);

/** Its fields read a row. */
export const BrowserMapping = builder.objectRef<MappingRow>('BrowserMapping').implement({
  description: 'An add-on here that does what an extension of another browser does.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the entry in client caches. `node` does not look it up.',
      resolve: ({ id }) => globalId('BrowserMapping', id),
    }),
    browser: t.exposeString('browser', { description: 'The other browser, such as chrome.' }),
    extensionId: t.exposeString('extensionId', { description: 'The id of the extension there.' }),
    addonGuid: t.exposeString('addonGuid', { description: 'The guid of the add-on, which need not exist here.' }),
  }),
});

const comparable = (text: string | null | undefined): string | null => (text == null ? null : comparableText(text));

/** The add-on for an extension of another browser; null without one. */
export async function findBrowserMapping(browser: string, extensionId: string): Promise<MappingRow | null> {
  const [found] = await readPage(browser, extensionId, 1, 0);
  return found?.rows[0] ?? null;
}

builder.queryField('browserMappings', (t) =>
  t.connection(
    {
      type: BrowserMapping,
      description:
        'Add-ons here that do what extensions of other browsers do, by browser and the ids of the extensions.',
      args: {
        browser: t.arg.string({ description: 'Only extensions of this browser, such as chrome.' }),
        extensionId: t.arg.string({ description: 'Only the extension with this id.' }),
        ...pageArguments,
      },
      resolve: (_root, { browser, extensionId, ...paging }) =>
        positionConnection(`browserMappings/${browser?.slice(0, 32) ?? ''}`, paging, async ({ limit, offset }) => {
          const [found] = await readPage(comparable(browser), comparable(extensionId), limit, offset);
          return { rows: found?.rows ?? [], reachable: found?.count ?? 0 };
        }),
    },
    { name: 'BrowserMappingConnection', fields: (t) => reachableFields(t) },
    { name: 'BrowserMappingEdge' },
  ),
);
