import { canSeePrivateAccount } from '../../auth/permissions.ts';
import { PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { builder } from '../../graphql/builder.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { accountName } from './account-name.ts';
import { accountPicture } from './addresses.ts';
import { canSeeAccount } from './public-account.ts';

const THEMES = new Set(['theme', 'persona', 'statictheme']);

/** The authorships that make an account public. */
const publicWork = {
  authorships: { where: { listed: true, addon: PUBLIC_ADDON }, select: { addon: { select: { type: true } } } },
} as const;

export const Account = builder.prismaObject('Account', {
  description: 'Somebody who develops, reviews or administers add-ons.',
  findUnique: ({ id }) => ({ id }),
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id that REST uses.' }),
    username: t.exposeString('username'),
    name: t.string({
      description: 'The name chosen, or the username.',
      select: { displayName: true, username: true, hasChosenUsername: true },
      resolve: (account) => accountName(account),
    }),
    hasAnonymousUsername: t.boolean({
      select: { hasChosenUsername: true },
      resolve: ({ hasChosenUsername }) => !hasChosenUsername,
    }),
    hasAnonymousDisplayName: t.boolean({
      description: 'Neither a name nor a username was chosen.',
      select: { hasChosenUsername: true, displayName: true },
      resolve: ({ hasChosenUsername, displayName }) => !hasChosenUsername && !displayName,
    }),
    averageAddonRating: t.exposeFloat('averageAddonRating'),
    biography: t.exposeString('biography', {
      nullable: true,
      description: 'Free text of the user; clean and escape it before showing it.',
    }),
    homepage: t.exposeString('homepage', { nullable: true }),
    location: t.exposeString('location', { nullable: true }),
    occupation: t.exposeString('occupation', { nullable: true }),
    pictureUrl: t.string({
      nullable: true,
      select: { pictureSha256: true },
      resolve: ({ id, pictureSha256 }) => (pictureSha256 === null ? null : accountPicture(id, pictureSha256)),
    }),
    pictureType: t.string({
      nullable: true,
      description: 'Media type of the picture, where there is one.',
      select: { pictureSha256: true },
      resolve: ({ pictureSha256 }) => (pictureSha256 === null ? null : 'image/png'),
    }),
    created: t.expose('created', { type: 'DateTime' }),
    isAddonDeveloper: t.boolean({
      description: 'Has developed and listed add-ons.',
      select: publicWork,
      resolve: ({ authorships }) => authorships.some(({ addon }) => !THEMES.has(addon.type)),
    }),
    isArtist: t.boolean({
      description: 'Has developed and listed themes.',
      select: publicWork,
      resolve: ({ authorships }) => authorships.some(({ addon }) => THEMES.has(addon.type)),
    }),
    numAddonsListed: t.int({ select: publicWork, resolve: ({ authorships }) => authorships.length }),
    private: t.variant(AccountPrivate, {
      description: 'For the account itself and holders of Users:Edit; null for anybody else.',
      isNull: (account, _args, { viewer }) => !canSeePrivateAccount(viewer, account.id),
    }),
  }),
});

// Restricted here and not in the type: add-ons refer to accounts that are not public, such as authors of new add-ons.
builder.nodeRef(Account, {
  id: { resolve: (row) => (row as { id: number }).id },
  loadOne: async (id, context) =>
    (await canSeeAccount(context, databaseId(id)))
      ? db.account.findFirst({ where: { id: databaseId(id), deletedAt: null } })
      : null,
});

const AccountPrivate = builder.prismaObject('Account', {
  variant: 'AccountPrivate',
  description: 'The part of an account that only its owner and administrators see.',
  fields: (t) => ({
    displayName: t.exposeString('displayName', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
    isVerified: t.exposeBoolean('isVerified'),
    isDisabled: t.boolean({ select: { disabledAt: true }, resolve: ({ disabledAt }) => disabledAt !== null }),
    lastLogin: t.expose('lastLogin', { type: 'DateTime', nullable: true }),
    lastLoginIp: t.exposeString('lastLoginIp', { nullable: true }),
    readDevAgreement: t.boolean({
      description: 'Has accepted the developer agreement, which API keys need.',
      select: { readDevAgreement: true },
      resolve: ({ readDevAgreement }) => readDevAgreement !== null,
    }),
    permissions: t.stringList({
      description: 'Rules of the form app:action, of all groups together.',
      select: { groups: { select: { group: { select: { rules: true } } } } },
      resolve: ({ groups }) => [...new Set(groups.flatMap(({ group }) => group.rules))].sort(),
    }),
    apiKeys: t.relation('apiKeys', {
      query: { orderBy: { id: 'desc' } },
      description: 'Newest first, ended ones too.',
    }),
  }),
});
