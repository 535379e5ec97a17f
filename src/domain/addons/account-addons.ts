import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { builder } from '../../graphql/builder.ts';
import { keysetClause, keysetConnection, pageLoader } from '../../graphql/connections.ts';
import { isFound, perRequest } from '../../graphql/per-request.ts';
import { db, Prisma } from '../../infra/db.ts';
import { Account } from '../accounts/account.ts';
import { ApiKey } from '../accounts/api-key.ts';
import { Addon, AddonConnection } from './addon.ts';

/** SQL condition for add-ons `a` of account `w.account_id`: all for the account itself, public ones for other viewers. */
const shownTo = (viewer: Viewer) => Prisma.sql`
  FROM addon_author w JOIN addon a ON a.id = w.addon_id
  WHERE w.account_id = wanted.account_id AND a.deleted_at IS NULL AND (
    w.account_id = ${viewer.kind === 'account' ? viewer.accountId : null}::int OR (w.listed AND ${Prisma.raw(IS_PUBLIC_ADDON)}))`;

const addonIds = pageLoader(
  (accountIds, page, { viewer }) => db.$queryRaw<{ parentId: number; id: number }[]>`
    SELECT wanted.account_id AS "parentId", found.id FROM unnest(${accountIds}::int[]) AS wanted(account_id)
    CROSS JOIN LATERAL (SELECT a.id ${shownTo(viewer)} ${keysetClause('a.id', 'DESC', page)}) found`,
);

const addonCounts = perRequest<number, number>(async (accountIds, { viewer }) => {
  const rows = await db.$queryRaw<{ count: number }[]>`
    SELECT (SELECT count(*)::int ${shownTo(viewer)}) AS count
    FROM unnest(${accountIds}::int[]) WITH ORDINALITY AS wanted(account_id, place) ORDER BY place`;
  return rows.map(({ count }) => count);
});

builder.prismaObjectField(Account, 'addons', (t) =>
  t.connection(
    {
      type: Addon,
      description:
        'Add-ons of the account, newest first. The account itself finds all of its add-ons, unlisted and disabled ones included; other viewers find the public ones that show it as an author.',
      resolve: async ({ id }, cursors, context) => {
        const { edges, pageInfo } = await keysetConnection(`Account.addons/${id}`, cursors, (page) =>
          addonIds(context, id, page),
        );
        const addons = await Addon.getDataloader(context).loadMany(edges.map(({ node }) => node.id));
        return {
          // An add-on can become invisible between the two statements.
          edges: edges.flatMap(({ cursor }, index) => {
            const addon = addons[index];
            return addon !== undefined && isFound(addon) ? [{ cursor, node: addon }] : [];
          }),
          pageInfo,
          totalCount: () => addonCounts(context).load(id),
        };
      },
    },
    AddonConnection,
  ),
);

builder.prismaObjectField(ApiKey, 'addon', (t) =>
  t.field({
    type: Addon,
    nullable: true,
    description: 'The add-on of which the key only uploads versions; null for other keys.',
    select: { addonId: true },
    resolve: ({ addonId }, _args, context) => Addon.loadOrNull(context, addonId),
  }),
);
