import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { db } from '../../infra/db.ts';
import { Account } from '../accounts/account.ts';
import { accountName } from '../accounts/account-name.ts';
import { accountPage, accountPicture } from '../accounts/addresses.ts';
import { canSeeAccount } from '../accounts/public-account.ts';
import type { AuthorDocument } from './addon-document.ts';

export const RoleEnum = builder.enumType('AuthorRole', {
  values: { OWNER: { value: 'owner' }, DEVELOPER: { value: 'developer' } } as const,
});

async function pageIfOpen(context: Context, { id, username }: AuthorDocument): Promise<string | null> {
  return (await canSeeAccount(context, id)) ? accountPage(username) : null;
}

export const AddonAuthor = builder.objectRef<AuthorDocument>('AddonAuthor').implement({
  description: 'An account that develops an add-on and is shown as its author.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Id of the account.' }),
    username: t.exposeString('username'),
    name: t.string({ description: 'The name chosen, or the username.', resolve: (author) => accountName(author) }),
    url: t.string({
      nullable: true,
      description: 'Profile page; null when the viewer could not open it.',
      resolve: (author, _args, context) =>
        // Nearly every author is public, and a list has many: no promise for those.
        author.isPublic ? accountPage(author.username) : pageIfOpen(context, author),
    }),
    pictureUrl: t.string({ resolve: (author) => accountPicture(author.id, author.pictureSha256) }),
    role: t.expose('role', { type: RoleEnum }),
    position: t.exposeInt('position'),
    isListed: t.boolean({
      description: 'Whether the add-on shows the author; of those it shows, always.',
      resolve: ({ listed = true }) => listed,
    }),
    account: t.prismaField({
      type: Account,
      resolve: (query, { id }) => db.account.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});
