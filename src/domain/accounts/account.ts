import { canEditAccount, canSeePrivateAccount } from '../../auth/account-permissions.ts';
import { PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { config } from '../../config.ts';
import { builder, type ObjectFields } from '../../graphql/builder.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db, Prisma } from '../../infra/db.ts';
import { THEME_TYPES } from '../../package/enums.ts';
import { accountName } from './account-names.ts';
import { Actor, accountPageUrl, accountPictureUrl } from './actor.ts';
import { canSeeAccount } from './public-account.ts';

const THEMES: ReadonlySet<string> = new Set(THEME_TYPES);

/** The authorships that make an account public. */
const publicWork = {
  authorships: {
    where: { listed: true, addon: PUBLIC_ADDON },
    select: { addon: { select: { type: true, ratingCount: true, ratingAverage: true } } },
  },
} as const;

/** The mean of the averages of rated add-ons; 0 without one. */
function meanRating(addons: readonly { ratingCount: number; ratingAverage: number }[]): number {
  const rated = addons.filter(({ ratingCount }) => ratingCount > 0);
  return rated.reduce((sum, { ratingAverage }) => sum + ratingAverage, 0) / (rated.length || 1);
}

export const Account = builder.prismaObject('Account', {
  description:
    'A person who uses the service. Authors of public add-ons are public; others see only their own account.',
  findUnique: ({ id }) => ({ id }),
  select: { id: true },
  interfaces: [Actor],
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    username: t.exposeString('username', { description: 'Unique name in the address of the profile page.' }),
    name: t.string({
      description: 'The chosen display name, or the username.',
      select: { displayName: true, username: true, hasChosenUsername: true },
      resolve: (account) => accountName(account),
    }),
    hasGeneratedUsername: t.boolean({
      description: 'Whether the service made the username, as the account has not chosen one.',
      select: { hasChosenUsername: true },
      resolve: ({ hasChosenUsername }) => !hasChosenUsername,
    }),
    hasGeneratedName: t.boolean({
      description:
        'Whether the service made the name, as the account has chosen neither a display name nor a username.',
      select: { hasChosenUsername: true, displayName: true },
      resolve: ({ hasChosenUsername, displayName }) => !hasChosenUsername && !displayName,
    }),
    url: t.string({
      description: 'Address of the profile page.',
      select: { username: true },
      resolve: ({ username }) => accountPageUrl(username),
    }),
    averageAddonRating: t.float({
      description: 'Mean rating of the public add-ons of the account, 1 to 5; 0 without ratings.',
      select: publicWork,
      resolve: ({ authorships }) => meanRating(authorships.map(({ addon }) => addon)),
    }),
    biography: t.string({
      nullable: true,
      description: 'Text by the user, which may contain HTML: sanitise it before display.',
      select: { biography: true },
      resolve: ({ biography }) => biography || null,
    }),
    homepage: t.string({
      nullable: true,
      description: 'http(s) address entered by the user.',
      select: { homepage: true },
      resolve: ({ homepage }) => homepage || null,
    }),
    location: t.string({
      nullable: true,
      description: 'Plain text entered by the user.',
      select: { location: true },
      resolve: ({ location }) => location || null,
    }),
    occupation: t.string({
      nullable: true,
      description: 'Plain text entered by the user.',
      select: { occupation: true },
      resolve: ({ occupation }) => occupation || null,
    }),
    pictureUrl: t.string({
      description: 'Address of the picture, or of a placeholder picture when pictureType is null.',
      select: { pictureSha256: true },
      resolve: ({ id, pictureSha256 }) => accountPictureUrl(id, pictureSha256),
    }),
    pictureType: t.string({
      nullable: true,
      description: 'Media type of the picture, image/png; null when the account has none.',
      select: { pictureSha256: true },
      resolve: ({ pictureSha256 }) => (pictureSha256 === null ? null : 'image/png'),
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When the account was created.' }),
    isAddonDeveloper: t.boolean({
      description: 'True for authors of public add-ons that are not themes.',
      select: publicWork,
      resolve: ({ authorships }) => authorships.some(({ addon }) => !THEMES.has(addon.type)),
    }),
    isArtist: t.boolean({
      description: 'True for authors of public themes.',
      select: publicWork,
      resolve: ({ authorships }) => authorships.some(({ addon }) => THEMES.has(addon.type)),
    }),
    publicAddonCount: t.int({
      description: 'Number of public add-ons that list the account as an author.',
      select: publicWork,
      resolve: ({ authorships }) => authorships.length,
    }),
    private: t.variant(AccountPrivate, {
      description: 'Private data. Null unless the viewer is the account or holds Users:Edit.',
      isNull: (account, _args, { viewer }) => !canSeePrivateAccount(viewer, account.id),
    }),
  }),
});

// Restricted here and not in the type: add-ons refer to accounts that are not public, such as authors of new add-ons.
builder.nodeRef(Account, {
  id: { description: 'Global id.', resolve: (row) => (row as { id: number }).id },
  loadOne: async (id, context) =>
    (await canSeeAccount(context, databaseId(id)))
      ? db.account.findFirst({ where: { id: databaseId(id), deletedAt: null } })
      : null,
});

export const AccountPrivate = builder.prismaObject('Account', {
  variant: 'AccountPrivate',
  description: 'Data of an account that only the account itself and holders of Users:Edit see.',
  fields: (t) => ({
    displayName: t.string({
      nullable: true,
      description: 'The chosen display name.',
      select: { displayName: true },
      resolve: ({ displayName }) => displayName || null,
    }),
    email: t.exposeString('email', { nullable: true, description: 'E-mail address of the login.' }),
    emailSettingsUrl: t.string({
      description: 'Address at which the account changes its e-mail address: a page of the identity provider.',
      resolve: () => config.IDP_EDIT_EMAIL_URL ?? config.OIDC_ISSUER ?? config.BASE_URL,
    }),
    isVerified: t.exposeBoolean('isVerified', { description: 'Whether the identity provider verified the account.' }),
    isDisabled: t.boolean({
      description: 'Whether the operator disabled the account.',
      select: { disabledAt: true },
      resolve: ({ disabledAt }) => disabledAt !== null,
    }),
    lastLogin: t.expose('lastLogin', {
      type: 'DateTime',
      nullable: true,
      description: 'Last successful login; null before the first.',
    }),
    lastLoginIp: t.exposeString('lastLoginIp', { nullable: true, description: 'IP address of the last login.' }),
    developerAgreementAccepted: t.expose('readDevAgreement', {
      type: 'DateTime',
      nullable: true,
      description: 'When the account accepted the developer agreement, which API keys require; null before that.',
    }),
    permissions: t.stringList({
      description: 'Permission rules of all groups of the account, in the form app:action; * is a wildcard.',
      select: { groups: { select: { group: { select: { rules: true } } } } },
      resolve: ({ groups }) => [...new Set(groups.flatMap(({ group }) => group.rules))].sort(),
    }),
    isEditable: t.boolean({
      description:
        'Whether the viewer may change, disable and delete the account, and end its keys and sessions: others than the account itself need Users:Edit and a rank that could grant all of its rules.',
      select: { id: true, groups: { select: { group: { select: { rules: true } } } } },
      resolve: ({ id, groups }, _args, { viewer }) =>
        canEditAccount(viewer, { accountId: id, rules: groups.flatMap(({ group }) => group.rules) }),
    }),
    apiKeys: t.relation('apiKeys', {
      query: { where: { provenance: { equals: Prisma.AnyNull } }, orderBy: { id: 'desc' } },
      description:
        'API keys, newest first, including expired and revoked ones, without those of jobs of trusted publishers.',
    }),
  }),
});

/** The payload fields of mutations that change an account. */
export const changedAccount = (description: string) => (t: ObjectFields<{ accountId: number }>) => ({
  account: t.prismaField({
    type: Account,
    description,
    resolve: (query, { accountId }) => db.account.findUniqueOrThrow({ ...query, where: { id: accountId } }),
  }),
});
