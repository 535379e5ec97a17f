import { builder } from '../../graphql/builder.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { Batcher } from '../../infra/batcher.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { IS_PUBLIC_VERSION } from './find-version.ts';
import { Version } from './version.ts';

/**
 * The permissions and kinds of collected data of the newest signed version before each of these in its channel. Imports have the permissions of
 * every package, but rarely the data that it collects, which no package had to declare: it is known only of uploads, and where a line names it.
 */
const readPrevious = prepared<{ id: number; permissions: string[]; data: string[]; isDataKnown: boolean }>(
  lookupPool,
  'permissions-of-previous-versions',
  `SELECT w.id, ARRAY(
      SELECT unnest(f.permissions || f.host_permissions) FROM file f WHERE f.version_id = previous.id
    ) AS permissions, ARRAY(
      SELECT unnest(f.data_collection_permissions) FROM file f WHERE f.version_id = previous.id
    ) AS data, (
      EXISTS (SELECT FROM upload u WHERE u.version_id = previous.id) OR
      EXISTS (SELECT FROM file f WHERE f.version_id = previous.id AND f.data_collection_permissions <> '{}')
    ) AS "isDataKnown"
    FROM version w CROSS JOIN LATERAL (
      SELECT v.id FROM version v
      WHERE v.addon_id = w.addon_id AND v.channel = w.channel AND (v.created, v.id) < (w.created, w.id)
        AND ${IS_PUBLIC_VERSION}
      ORDER BY v.created DESC, v.id DESC LIMIT 1
    ) previous WHERE w.id = ANY($1)`,
);

interface Previous {
  permissions: ReadonlySet<string>;
  /** Null if unknown. */
  data: ReadonlySet<string> | null;
}

const previousOf = new Batcher<number, Previous | null>(async (ids) => {
  const rows = await readPrevious(ids);
  const found = new Map(
    rows.map(({ id, permissions, data, isDataKnown }) => [
      id,
      { permissions: new Set(permissions), data: isDataKnown ? new Set(data) : null },
    ]),
  );
  return ids.map((id) => found.get(id) ?? null);
});

/** By version id; null for a version without a previous one. */
const previousPermissions = perRequest<number, Previous | null>((ids) => previousOf.loadMany(ids));

builder.objectField(Version, 'newPermissions', (t) =>
  t.stringList({
    nullable: true,
    description:
      'Permissions and host permissions that the previous signed version of the channel did not have; null for the first version.',
    resolve: async ({ id, files }, _args, context) => {
      const previous = await previousPermissions(context).load(id);
      if (previous === null) return null;
      const all = files.flatMap(({ permissions, hostPermissions }) => [...permissions, ...hostPermissions]);
      return [...new Set(all)].filter((permission) => !previous.permissions.has(permission));
    },
  }),
);

/** What a manifest has that collects nothing. */
const NO_DATA = 'none';

builder.objectField(Version, 'newDataCollectionPermissions', (t) =>
  t.stringList({
    nullable: true,
    description:
      'Kinds of data that it collects and that the previous signed version of the channel did not; null for the first version, and if the previous one was imported without this data.',
    resolve: async ({ id, files }, _args, context) => {
      const known = (await previousPermissions(context).load(id))?.data ?? null;
      if (known === null) return null;
      const all = new Set(files.flatMap(({ dataCollectionPermissions }) => dataCollectionPermissions));
      return [...all].filter((kind) => kind !== NO_DATA && !known.has(kind));
    },
  }),
);
