import { isAuthor, requireSignedIn } from '../../auth/permissions.ts';
import type { AuthorInvitation as InvitationRow } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { globalId } from '../../graphql/global-id.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { Addon } from '../addons/addon.ts';
import { RoleEnum } from '../addons/author.ts';
import { addonRights } from '../addons/find-addon.ts';
import { addonNameIn } from '../addons/record-addon-act.ts';
import type { AuthorRole } from './author-list.ts';

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

/** An invitation that the account has not answered. Visible to the account and to the authors of the add-on. */
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
    resolve: async ({ id }, _args, context) => {
      if (context.viewer.kind === 'anonymous') return null;
      const { authors, deletedAt } = await addonRights(context).load(id);
      return deletedAt === null && isAuthor(context.viewer, authors) ? ofAddons(context).load(id) : null;
    },
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
