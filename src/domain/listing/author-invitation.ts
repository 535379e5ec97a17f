import { requireSignedIn } from '../../auth/permissions.ts';
import type { AuthorInvitation as InvitationRow } from '../../generated/prisma/client.ts';
import { builder, type ObjectFields } from '../../graphql/builder.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { AccountRefInput } from '../accounts/account-ref.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { Addon, changedAddon } from '../addons/addon.ts';
import { RoleEnum } from '../addons/author.ts';
import { isAuthorOfLive } from '../addons/find-addon.ts';
import { addonNameIn } from '../addons/record-addon-act.ts';
import type { AuthorRole } from './author-list.ts';
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

interface NamedAddon {
  guid: string;
  name: unknown;
  defaultLocale: string;
}

const invitingAddons = perRequest<number, NamedAddon>(async (ids) => {
  const select = { id: true, guid: true, name: true, defaultLocale: true };
  const found = await db.addon.findMany({ where: { id: { in: [...ids] } }, select });
  const byId = new Map(found.map((addon) => [addon.id, addon]));
  return ids.map((id) => byId.get(id) ?? new Error(`add-on ${id} does not exist`));
});

/** An invitation that the account has neither accepted nor declined. Visible to the account and to the authors of the add-on. */
export const AuthorInvitation = builder.objectRef<InvitationRow>('AuthorInvitation').implement({
  description:
    'An invitation to become an author of an add-on. The account has no rights, and nothing public names it, until it accepts.',
  fields: (t) => ({
    id: t.id({
      description: 'Global id, for inputs. `node` does not look it up.',
      resolve: ({ id }) => globalId('AuthorInvitation', id),
    }),
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    addonName: t.string({
      description: 'The name of the add-on in the language of the request, or else its guid.',
      resolve: async ({ addonId }, _args, context) =>
        addonNameIn(await invitingAddons(context).load(addonId), context.locale),
    }),
    guid: t.string({
      description: 'The guid of the add-on.',
      resolve: async ({ addonId }, _args, context) => (await invitingAddons(context).load(addonId)).guid,
    }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on; null when the viewer may not see it.',
      resolve: ({ addonId }, _args, context) => Addon.loadOrNull(context, addonId),
    }),
    account: t.field({
      type: AccountSummary,
      description: 'The invited account.',
      resolve: ({ accountId }, _args, context) => accountSummary(context, accountId),
    }),
    invitedBy: t.field({
      type: AccountSummary,
      description: 'The owner of the add-on who sent it last.',
      resolve: ({ invitedBy }, _args, context) => accountSummary(context, invitedBy),
    }),
    role: t.field({
      type: RoleEnum,
      description: 'What the author may do after acceptance.',
      resolve: ({ role }) => role as AuthorRole,
    }),
    isListed: t.exposeBoolean('listed', { description: 'Whether the add-on page shows the author after acceptance.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When the account was first invited.' }),
    expires: t.expose('expires', {
      type: 'DateTime',
      description: 'When the invitation ends: 14 days after it was sent.',
    }),
    isExpired: t.boolean({
      description: 'Whether it has ended. Owners can send it again.',
      resolve: ({ expires }) => expires <= new Date(),
    }),
  }),
});

const ofAddons = perRequest<number, InvitationRow[]>(async (ids) => {
  const rows = await db.authorInvitation.findMany({ where: { addonId: { in: [...ids] } }, orderBy: { id: 'asc' } });
  return ids.map((id) => rows.filter(({ addonId }) => addonId === id));
});

builder.objectField(Addon, 'authorInvitations', (t) =>
  t.field({
    type: [AuthorInvitation],
    nullable: true,
    description: 'Invitations of authors that are not answered, the oldest first. Null unless the viewer is an author.',
    extensions: { items: 20 },
    resolve: async ({ id }, _args, context) =>
      (await isAuthorOfLive(context, id)) ? ofAddons(context).load(id) : null,
  }),
);

builder.queryField('authorInvitations', (t) =>
  t.field({
    type: [AuthorInvitation],
    description: 'Invitations of the viewer to become an author, the oldest first. For signed-in viewers.',
    extensions: { items: 20 },
    resolve: async (_root, _args, { viewer }) => {
      const { accountId } = requireSignedIn(viewer);
      const open = { accountId, expires: { gt: new Date() }, addon: { deletedAt: null } };
      return db.authorInvitation.findMany({ where: open, orderBy: { id: 'asc' }, take: 200 });
    },
  }),
);
