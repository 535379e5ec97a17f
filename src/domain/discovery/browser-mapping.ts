import { builder } from '../../graphql/builder.ts';
import { pageArguments, positionConnection } from '../../graphql/connections.ts';
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
  `SELECT (SELECT count(*)::int FROM browser_mapping WHERE browser = $1) AS count, coalesce((
     SELECT json_agg(json_build_object('id', id, 'browser', browser, 'extensionId', extension_id, 'addonGuid', addon_guid) ORDER BY extension_id)
     FROM (SELECT * FROM browser_mapping WHERE browser = $1 ORDER BY extension_id LIMIT $2 OFFSET $3) page
   ), '[]') AS rows`,
);

const BrowserMapping = builder.objectRef<MappingRow>('BrowserMapping').implement({
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

builder.queryField('browserMappings', (t) =>
  t.connection(
    {
      type: BrowserMapping,
      description: 'Add-ons here that do what extensions of another browser do, by the ids of these.',
      args: {
        browser: t.arg.string({ required: true, description: 'The other browser, such as chrome.' }),
        ...pageArguments,
      },
      resolve: (_root, { browser, ...paging }) =>
        positionConnection(`browserMappings/${browser.slice(0, 32)}`, paging, async ({ limit, offset }) => {
          const [found] = await readPage(comparableText(browser), limit, offset);
          return { rows: found?.rows ?? [], reachable: found?.count ?? 0 };
        }),
    },
    {
      name: 'BrowserMappingConnection',
      fields: (connection) => ({ totalCount: connection.int({ resolve: ({ loaded }) => loaded.reachable }) }),
    },
    { name: 'BrowserMappingEdge' },
  ),
);
