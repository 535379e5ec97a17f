import { canEditAccount } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';

export const ApiKey = builder.prismaObject('ApiKey', {
  description: 'What a program signs one-time tokens with. Its secret is shown once, when the key is made.',
  findUnique: ({ id }) => ({ id }),
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id'),
    key: t.exposeString('key', { description: 'The public half: the token claim iss.' }),
    label: t.exposeString('label'),
    created: t.expose('created', { type: 'DateTime' }),
    expires: t.expose('expires', { type: 'DateTime', nullable: true, description: 'Null: never.' }),
    revoked: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'When it was ended.' }),
    lastUsed: t.expose('lastUsed', { type: 'DateTime', nullable: true, description: 'To the minute.' }),
  }),
});

builder.nodeRef(ApiKey, {
  id: { resolve: (row) => (row as { id: number }).id },
  loadOne: async (id, { viewer }) => {
    const key = await db.apiKey.findUnique({ where: { id: databaseId(id) } });
    return key !== null && canEditAccount(viewer, key.accountId) ? key : null;
  },
});
