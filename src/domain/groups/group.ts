import { canEditAnyAccount } from '../../auth/account-permissions.ts';
import { canManageGroup, canSeeGroups } from '../../auth/operator-permissions.ts';
import { requirePermission } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { refusedField } from '../../errors.ts';
import { builder, type ObjectFields } from '../../graphql/builder.ts';
import { keysetClause, keysetConnection, pageLoader } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { mutation } from '../../graphql/mutation.ts';
import { perRequest, rowsInOrder } from '../../graphql/per-request.ts';
import { db, Prisma } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { Account, AccountPrivate } from '../accounts/account.ts';
import { AccountConnection } from '../accounts/list-accounts.ts';
import { addMember, type Membership, removeMember, storeGroup } from './change-groups.ts';

const GRANTS =
  'Requires Admin:Groups. Only holders of *:* grant or take rules with wildcards and rules that they do not hold.';
const NAME = 'Unique name, at most 100 characters.';
const RULES = 'All rules of the group, of the form app:action; * is a wildcard.';

const changedGroup = (t: ObjectFields<{ groupId: number }>) => ({
  group: t.field({ type: Group, description: 'The group after the change.', resolve: ({ groupId }) => groupId }),
});

mutation('createGroup', {
  description: `Creates a group. ${GRANTS}`,
  input: 'A new group.',
  inputFields: (t) => ({
    name: t.string({ required: true, description: NAME }),
    rules: t.stringList({ description: `${RULES} Default: none.` }),
  }),
  resolve: async ({ name, rules }, { viewer }) => ({
    groupId: await storeGroup(viewer, { id: null, name, rules: rules ?? null }),
  }),
  payloadFields: changedGroup,
});

mutation('updateGroup', {
  description: `Changes the name and the rules of a group. ${GRANTS}`,
  input: 'Changes to a group. Absent fields stay unchanged.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the group.' }),
    name: t.string({ description: NAME }),
    rules: t.stringList({ description: RULES }),
  }),
  resolve: async ({ id, name, rules }, { viewer }) => ({
    groupId: await storeGroup(viewer, { id: idOf('Group', id), name: name ?? null, rules: rules ?? null }),
  }),
  payloadFields: changedGroup,
});

/** Declares a mutation of one member. */
const memberMutation = (
  name: 'addGroupMember' | 'removeGroupMember',
  description: string,
  change: (viewer: Viewer, membership: Membership) => Promise<void>,
): void =>
  mutation(name, {
    description,
    input: 'An account and a group.',
    inputFields: (t) => ({
      group: t.id({ required: true, description: 'Global id of the group.' }),
      account: t.id({ description: 'Global id of the account.' }),
      username: t.string({ description: 'Username of the account in any case, in place of its id.' }),
    }),
    resolve: async ({ group, account, username }, { viewer }) => {
      const groupId = idOf('Group', group, 'group');
      if (account == null && username == null) throw refusedField('account', message('field.required'));
      const by = account == null ? { username: username ?? '' } : { id: idOf('Account', account, 'account') };
      await change(viewer, { group: groupId, account: by });
      return { groupId };
    },
    payloadFields: changedGroup,
  });

memberMutation(
  'addGroupMember',
  'Adds an account to a group. Requires Admin:Groups; only holders of *:* add members to groups with rules that they could not grant.',
  addMember,
);
memberMutation(
  'removeGroupMember',
  'Removes an account from a group. Requires Admin:Groups; only holders of *:* remove members of groups with rules that they could not grant.',
  removeMember,
);

interface GroupRow {
  id: number;
  name: string;
  rules: string[];
}

const COLUMNS = { id: true, name: true, rules: true } as const;

async function loadGroups(ids: readonly number[], { viewer }: Context): Promise<(GroupRow | Error)[]> {
  const rows = canSeeGroups(viewer)
    ? await db.group.findMany({ where: { id: { in: [...ids] } }, select: COLUMNS })
    : [];
  return rowsInOrder(ids, rows);
}

export const Group = loadableNode<GroupRow>('Group', loadGroups);

const membersOf = pageLoader(async (groupIds, page) => {
  const lists = groupIds.map(
    (groupId) => Prisma.sql`(SELECT m.group_id AS "parentId", m.account_id AS id FROM group_member m
      WHERE m.group_id = ${groupId} ${keysetClause('m.account_id', 'ASC', page)})`,
  );
  return db.$queryRaw<{ parentId: number; id: number }[]>`${Prisma.join(lists, ' UNION ALL ')}`;
});

const memberCounts = perRequest<number, number>(async (groupIds) => {
  const rows = await db.groupMember.groupBy({
    by: 'groupId',
    where: { groupId: { in: [...groupIds] } },
    _count: { accountId: true },
  });
  const counts = new Map(rows.map(({ groupId, _count }) => [groupId, _count.accountId]));
  return groupIds.map((id) => counts.get(id) ?? 0);
});

Group.implement({
  description:
    'A set of permission rules, which its members have. Visible to holders of Admin:Groups and of Users:Edit.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    name: t.exposeString('name', { description: 'Unique name.' }),
    rules: t.exposeStringList('rules', { description: 'Permission rules of the form app:action; * is a wildcard.' }),
    isGrantable: t.boolean({
      description:
        'Whether the viewer may change the group and its members: needs Admin:Groups and rules that the viewer could grant.',
      resolve: ({ rules }, _args, { viewer }) => canManageGroup(viewer, rules),
    }),
    members: t.connection(
      {
        type: Account,
        description: 'Accounts of the group, by id.',
        resolve: async ({ id }, cursors, context) => ({
          ...(await keysetConnection(`Group.members/${id}`, cursors, (page) => membersOf(context, id, page))),
          totalCount: () => memberCounts(context).load(id),
        }),
      },
      AccountConnection,
    ),
  }),
});

builder.queryField('groups', (t) =>
  t.field({
    type: [Group],
    description: 'All groups, by name. Requires Admin:Groups.',
    extensions: { items: 50 },
    resolve: async (_root, _args, { viewer }) => {
      requirePermission(viewer, 'Admin:Groups');
      return db.group.findMany({ select: COLUMNS, orderBy: { name: 'asc' } });
    },
  }),
);

builder.prismaObjectFields(AccountPrivate, (t) => ({
  groups: t.field({
    type: [Group],
    nullable: true,
    description: 'Groups of the account, by name. Null for viewers without Users:Edit.',
    select: { groups: { select: { group: { select: COLUMNS } }, orderBy: { group: { name: 'asc' } } } },
    resolve: ({ groups }, _args, { viewer }) => (canEditAnyAccount(viewer) ? groups.map(({ group }) => group) : null),
  }),
}));
