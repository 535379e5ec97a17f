import { canSeePrivateAccount } from '../../auth/account-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';

export const ApiKey = builder.prismaObject('ApiKey', {
  description:
    'Credentials for signing JSON Web Tokens. The secret is shown once, on creation. Visible to its account and holders of Users:Edit.',
  findUnique: ({ id }) => ({ id }),
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    key: t.exposeString('key', { description: 'The public part, sent as the claim iss.' }),
    label: t.exposeString('label', { description: 'Note by its owner.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When the key was created.' }),
    expires: t.expose('expires', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key expires; null for never.',
    }),
    revoked: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was revoked; null while it is valid.',
    }),
    lastUsed: t.expose('lastUsed', {
      type: 'DateTime',
      nullable: true,
      description: 'Last use, rounded to the minute; null before the first.',
    }),
  }),
});

builder.nodeRef(ApiKey, {
  id: { description: 'Global id.', resolve: (row) => (row as { id: number }).id },
  loadOne: async (id, { viewer }) => {
    // The keys of a deleted account are as unknown as the account.
    const key = await db.apiKey.findUnique({ where: { id: databaseId(id), account: { deletedAt: null } } });
    return key !== null && canSeePrivateAccount(viewer, key.accountId) ? key : null;
  },
});
