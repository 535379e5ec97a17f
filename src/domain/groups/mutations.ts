import type { Viewer } from '../../auth/viewer.ts';
import { refusedField } from '../../errors.ts';
import type { ObjectFields } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { message } from '../../texts/messages.ts';
import { addMember, type Membership, removeMember, storeGroup } from './change-groups.ts';
import { Group } from './group.ts';

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
