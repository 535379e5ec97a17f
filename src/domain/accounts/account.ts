import { canEditAnyAccount, canSeePrivateAccount } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { accountName } from './account-name.ts';
import { accountPicture } from './addresses.ts';

/** Add-ons that make an account public: those where it is shown as an author and which are public themselves. */
const PUBLIC_WORK = { listed: true, addon: { status: 'public' } } as const satisfies Prisma.AddonAuthorWhereInput;

const THEMES = new Set(['theme', 'persona', 'statictheme']);

/**
 * The account that an id names for a viewer: developers are public, everybody sees himself, holders of `Users:Edit` see
 * all; any other account is as if it did not exist (contract, GET account).
 */
function findVisibleAccount(id: number, viewer: Viewer) {
  const self = viewer.kind === 'account' ? viewer.accountId : 0;
  const visible = canEditAnyAccount(viewer) ? {} : { OR: [{ id: self }, { authorships: { some: PUBLIC_WORK } }] };
  return db.account.findFirst({ where: { id, deletedAt: null, ...visible } });
}

const publicWork = { authorships: { where: PUBLIC_WORK, select: { addon: { select: { type: true } } } } } as const;

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

// Other types may show an account whose id alone tells nobody anything, such as an author of an add-on not yet public.
builder.nodeRef(Account, {
  id: { resolve: (row) => (row as { id: number }).id },
  loadOne: (id, { viewer }) => findVisibleAccount(databaseId(id), viewer),
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
