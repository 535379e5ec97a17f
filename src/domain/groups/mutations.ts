import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, NotPermittedError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { checkRecentSignIn, recentSignInNote } from '../../graphql/recent-sign-in.ts';
import { addMember, type Membership, removeMember, setGroup } from './change-groups.ts';
import { Group } from './group.ts';

mutation('setGroup', {
  description:
    'Creates a group, or changes its name and rules. Requires Admin:Groups. Only holders of *:* grant or take rules with wildcards and rules that they do not hold.',
  input: 'A group.',
  inputFields: (t) => ({
    id: t.id({ description: 'Global id of the group; absent for a new one.' }),
    name: t.string({ description: 'Unique name, at most 100 characters. Required for a new group.' }),
    rules: t.stringList({ description: 'All rules of the group, of the form app:action; * is a wildcard.' }),
  }),
  resolve: async ({ id, name, rules }, context) => {
    const groupId = await setGroup(context.viewer, {
      id: id == null ? null : idOf('Group', id),
      name: name ?? null,
      rules: rules ?? null,
    });
    return { groupId };
  },
  payloadFields: (t) => ({
    group: t.field({ type: Group, description: 'The group after the change.', resolve: ({ groupId }) => groupId }),
  }),
});

const GroupMemberInput = builder.inputType('GroupMemberInput', {
  description: 'An account and a group.',
  fields: (t) => ({
    group: t.id({ required: true, description: 'Global id of the group.' }),
    account: t.id({ required: true, description: 'Global id of the account.' }),
  }),
});

/** Declares a mutation of one member. */
function memberMutation(
  name: 'addGroupMember' | 'removeGroupMember',
  description: string,
  change: (viewer: Viewer, membership: Membership) => Promise<void>,
): void {
  const typeName = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  builder.mutationField(name, (t) =>
    t.field({
      type: builder.objectRef<{ groupId: number }>(`${typeName}Payload`).implement({
        description: `Result of ${name}.`,
        fields: (payload) => ({
          group: payload.field({
            type: Group,
            description: 'The group after the change.',
            resolve: ({ groupId }) => groupId,
          }),
        }),
      }),
      description: description + recentSignInNote(name),
      args: { input: t.arg({ type: GroupMemberInput, required: true, description: 'The account and the group.' }) },
      errors: {
        types: [InvalidInputError, NotFoundError, NotPermittedError],
        union: { name: `${typeName}Result`, description: 'The payload, or why the mutation was refused.' },
      },
      resolve: async (_root, { input }, context) => {
        checkRecentSignIn(name, input, context);
        const membership = {
          group: idOf('Group', input.group, 'group'),
          account: idOf('Account', input.account, 'account'),
        };
        await change(context.viewer, membership);
        return { groupId: membership.group };
      },
    }),
  );
}

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
