import type { ObjectFields } from '../../graphql/builder.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { db } from '../../infra/db.ts';
import { AccountRefInput } from '../accounts/account-ref.ts';
import { RoleEnum } from '../addons/author.ts';
import { changedAddon } from '../addons/changed-addon.ts';
import { AuthorInvitation } from './author-invitation.ts';
import { changedAuthor, reloadAuthor } from './author-mutations.ts';
import {
  acceptInvitation,
  declineInvitation,
  inviteAuthor,
  resendInvitation,
  withdrawInvitation,
} from './invite-author.ts';

const sentInvitation = (t: ObjectFields<{ invitationId: number }>) => ({
  invitation: t.field({
    type: AuthorInvitation,
    description: 'The invitation.',
    resolve: ({ invitationId }) => db.authorInvitation.findUniqueOrThrow({ where: { id: invitationId } }),
  }),
});

const invitationIn = (id: string) => idOf('AuthorInvitation', id);

mutation('inviteAddonAuthor', {
  description:
    'Invites an account to become an author of an add-on, by mail. It becomes one when it accepts within 14 days. For owners of the add-on.',
  input: 'The account to invite.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    account: t.field({ type: AccountRefInput, required: true, description: 'The account to invite.' }),
    role: t.field({ type: RoleEnum, description: 'What the author may do. Default: DEVELOPER.' }),
    isListed: t.boolean({ description: 'Whether the add-on page shows the author. Default: true.' }),
  }),
  resolve: async ({ id, account, role, isListed }, { viewer }) => {
    const addonId = idOf('Addon', id);
    const invitationId = await inviteAuthor(viewer, addonId, {
      account,
      role: role ?? 'developer',
      listed: isListed ?? true,
    });
    return { addonId, invitationId };
  },
  payloadFields: (t) => ({ ...changedAddon(t), ...sentInvitation(t) }),
});

mutation('resendAuthorInvitation', {
  description: 'Sends an invitation once more, which then lasts 14 days from now. For owners of the add-on.',
  input: 'The invitation to send again.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the invitation.' }) }),
  resolve: async ({ id }, { viewer }) => {
    const invitationId = invitationIn(id);
    await resendInvitation(viewer, invitationId);
    return { invitationId };
  },
  payloadFields: sentInvitation,
});

mutation('withdrawAuthorInvitation', {
  description: 'Withdraws an invitation. For owners of the add-on.',
  input: 'The invitation to withdraw.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the invitation.' }) }),
  resolve: async ({ id }, { viewer }) => {
    const invitationId = invitationIn(id);
    return { addonId: await withdrawInvitation(viewer, invitationId), invitationId };
  },
  payloadFields: (t) => ({
    ...changedAddon(t),
    withdrawnId: t.id({
      description: 'Global id of the withdrawn invitation.',
      resolve: ({ invitationId }) => globalId('AuthorInvitation', invitationId),
    }),
  }),
});

mutation('acceptAuthorInvitation', {
  description: 'Accepts an invitation of the viewer, who becomes the last author of the add-on.',
  input: 'The invitation to accept.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the invitation.' }) }),
  resolve: async ({ id }, context) => {
    const { addonId, accountId } = await acceptInvitation(context.viewer, invitationIn(id));
    return reloadAuthor(context, addonId, accountId);
  },
  payloadFields: changedAuthor,
});

mutation('declineAuthorInvitation', {
  description: 'Declines an invitation of the viewer.',
  input: 'The invitation to decline.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the invitation.' }) }),
  resolve: async ({ id }, { viewer }) => {
    const invitationId = invitationIn(id);
    await declineInvitation(viewer, invitationId);
    return { invitationId };
  },
  payloadFields: (t) => ({
    declinedId: t.id({
      description: 'Global id of the declined invitation.',
      resolve: ({ invitationId }) => globalId('AuthorInvitation', invitationId),
    }),
  }),
});
