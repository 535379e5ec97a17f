import { builder } from '../../graphql/builder.ts';
import { acrossRequests, cachedPerRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { IS_PUBLIC_VERSION } from './find-version.ts';
import { Version } from './version.ts';

/** The permissions of the newest signed version before each of these in its channel. */
const readPrevious = prepared<{ id: number; permissions: string[] }>(
  lookupPool,
  'permissions-of-previous-versions',
  `SELECT w.id, ARRAY(
      SELECT unnest(f.permissions || f.host_permissions) FROM file f WHERE f.version_id = previous.id
    ) AS permissions
    FROM version w CROSS JOIN LATERAL (
      SELECT v.id FROM version v
      WHERE v.addon_id = w.addon_id AND v.channel = w.channel AND (v.created, v.id) < (w.created, w.id)
        AND ${IS_PUBLIC_VERSION}
      ORDER BY v.created DESC, v.id DESC LIMIT 1
    ) previous WHERE w.id = ANY($1)`,
);

const previousOf = acrossRequests<number, ReadonlySet<string>>(
  async (ids) => new Map((await readPrevious(ids)).map(({ id, permissions }) => [id, new Set(permissions)])),
);

/** By version id; null for a version without a previous one. */
const previousPermissions = cachedPerRequest<number, ReadonlySet<string> | null>(
  async (id) => (await previousOf.load(id)) ?? null,
);

builder.objectField(Version, 'newPermissions', (t) =>
  t.stringList({
    nullable: true,
    description:
      'Permissions and host permissions that the previous signed version of the channel did not have; null for the first version.',
    resolve: async ({ id, files }, _args, context) => {
      const previous = await previousPermissions(context).load(id);
      if (previous === null) return null;
      const all = files.flatMap(({ permissions, hostPermissions }) => [...permissions, ...hostPermissions]);
      return [...new Set(all)].filter((permission) => !previous.has(permission));
    },
  }),
);
