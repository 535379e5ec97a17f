import { builder, enumOf } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { globalId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { Account } from '../accounts/account.ts';
import { accountName } from '../accounts/account-names.ts';
import { Actor, accountPageUrl, accountPictureUrl } from '../accounts/actor.ts';
import { canSeeAccount } from '../accounts/public-account.ts';
import type { AuthorDocument } from './addon-document.ts';

export const RoleEnum = enumOf('AuthorRole', 'What an author may do with an add-on.', {
  owner: 'Everything, including authors, licence and deletion.',
  developer: 'Edit the listing and upload versions.',
});

async function pageIfOpen(context: Context, { id, username }: AuthorDocument): Promise<string | null> {
  return (await canSeeAccount(context, id)) ? accountPageUrl(username) : null;
}

export const AddonAuthor = builder.objectRef<AuthorDocument>('AddonAuthor').implement({
  description: 'The authorship of one account in one add-on.',
  interfaces: [Actor],
  fields: (t) => ({
    id: t.id({
      description:
        'Identifies the authorship in client caches: one per add-on and account. `node` does not look it up.',
      resolve: ({ addonId, id }) => globalId('AddonAuthor', addonId, id),
    }),
    databaseId: t.exposeInt('id', { description: 'The id of the account in REST.' }),
    username: t.exposeString('username', { description: 'The username in the address of the profile page.' }),
    name: t.string({ description: 'The chosen name, or the username.', resolve: (author) => accountName(author) }),
    url: t.string({
      nullable: true,
      description: 'Address of the profile page; null when the viewer may not see the account.',
      resolve: (author, _args, context) =>
        // Most authors are public and lists contain many, so these resolve without a promise.
        author.isPublic ? accountPageUrl(author.username) : pageIfOpen(context, author),
    }),
    pictureUrl: t.string({
      description: 'Address of the profile picture; of a placeholder picture when the account has none.',
      resolve: (author) => accountPictureUrl(author.id, author.pictureSha256),
    }),
    role: t.expose('role', { type: RoleEnum, description: 'What the author may do with the add-on.' }),
    position: t.exposeInt('position', { description: 'Place in the list of authors, from 0.' }),
    isListed: t.boolean({
      description: 'Whether the add-on page shows the author. Always true in Addon.authors.',
      resolve: ({ listed = true }) => listed,
    }),
    accountId: t.id({
      description: 'Global id of the account, for inputs.',
      resolve: ({ id }) => globalId('Account', id),
    }),
    account: t.prismaField({
      type: Account,
      nullable: true,
      description: 'The account of the author; null when the viewer may not see it.',
      resolve: async (query, { id, isPublic }, _args, context) =>
        isPublic || (await canSeeAccount(context, id)) ? db.account.findUnique({ ...query, where: { id } }) : null,
    }),
  }),
});
