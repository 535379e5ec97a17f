import { canEditAnyAccount } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';

export const ApiKey = builder.prismaNode('ApiKey', {
  description: 'What a program signs one-time tokens with. Its secret is shown once, when the key is made.',
  id: { field: 'id' },
  findUnique: (id, { viewer }) => ({
    id: Number(id),
    ...(canEditAnyAccount(viewer) ? {} : { accountId: viewer.kind === 'account' ? viewer.accountId : -1 }),
  }),
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
