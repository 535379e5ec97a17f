import { requirePermission } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import {
  type CountedConnection,
  countedFields,
  type KeysetPage,
  keysetClause,
  keysetConnection,
} from '../../graphql/connections.ts';
import { databaseId, idOf } from '../../graphql/global-id.ts';
import { db, Prisma } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { Account } from './account.ts';

export const AccountConnection = builder.connectionObject<typeof Account, CountedConnection>(
  {
    type: Account,
    name: 'AccountConnection',
    description: 'One page of accounts.',
    fields: (t) => countedFields(t),
  },
  { name: 'AccountEdge', description: 'An account and its cursor.' },
);

const AccountFilter = builder.inputType('AccountFilter', {
  description: 'Conditions for accounts; an account must match all of them.',
  fields: (t) => ({
    search: t.string({
      description: 'An id, or the beginning of a username, a display name or an e-mail address, in any case.',
    }),
    isDisabled: t.boolean({ description: 'Only disabled accounts, or only others.' }),
    group: t.id({ description: 'Only members of the group with this global id.' }),
  }),
});

type Filter = typeof AccountFilter.$inferInput;

/** Escapes the wildcards of LIKE. */
const beginning = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;

function isFound(search: string): Prisma.Sql {
  const text = comparableText(search).trim().toLowerCase();
  const pattern = beginning(text);
  // Each has an index.
  return Prisma.sql`(lower(a.username::text) LIKE ${pattern} OR lower(a.email::text) LIKE ${pattern}
    OR lower(a.display_name) LIKE ${pattern} OR a.id = ${databaseId(text)}::int)`;
}

function matching({ search, isDisabled, group }: Filter): Prisma.Sql {
  const conditions = [
    // Those that the service itself uses have no positive id.
    Prisma.sql`a.id > 0 AND a.deleted_at IS NULL`,
    ...(search == null || search.trim() === '' ? [] : [isFound(search)]),
    ...(isDisabled == null ? [] : [Prisma.sql`(a.disabled_at IS NOT NULL) = ${isDisabled}::bool`]),
    ...(group == null
      ? []
      : [
          Prisma.sql`a.id IN (SELECT m.account_id FROM group_member m WHERE m.group_id = ${idOf('Group', group, 'group')})`,
        ]),
  ];
  return Prisma.sql`FROM account a WHERE ${Prisma.join(conditions, ' AND ')}`;
}

const readPage = (filter: Filter, page: KeysetPage) => db.$queryRaw<{ id: number }[]>`
  SELECT a.id ${matching(filter)} ${keysetClause('a.id', 'DESC', page)}`;

async function count(filter: Filter): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count ${matching(filter)}`;
  return row?.count ?? 0;
}

builder.queryField('accounts', (t) =>
  t.connection(
    {
      type: Account,
      description: 'Accounts that are not deleted, newest first. Requires Users:Edit.',
      args: { filter: t.arg({ type: AccountFilter, description: 'Which accounts; all by default.' }) },
      resolve: async (_root, { filter, ...cursors }, { viewer }) => {
        requirePermission(viewer, 'Users:Edit');
        return {
          ...(await keysetConnection('accounts', cursors, (page) => readPage(filter ?? {}, page))),
          totalCount: () => count(filter ?? {}),
        };
      },
    },
    AccountConnection,
  ),
);
