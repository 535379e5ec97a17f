import { canSeePrivateAccount } from '../../auth/account-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { AccountPrivate } from '../accounts/account.ts';
import { hostOf } from './link-identity.ts';

/** A way to sign in to an account. */
const AccountIdentity = builder.prismaObject('AccountIdentity', {
  name: 'AccountIdentity',
  description: 'A way to sign in: a person at the identity provider. Visible to its account and holders of Users:Edit.',
  findUnique: ({ id }) => ({ id }),
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    provider: t.string({
      description: 'Host of the identity provider.',
      select: { issuer: true },
      resolve: ({ issuer }) => hostOf(issuer),
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'The e-mail address that the provider stated at the last use.',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was linked to the account.' }),
    lastUsed: t.expose('lastUsed', { type: 'DateTime', nullable: true, description: 'The last sign-in with it.' }),
  }),
});

builder.nodeRef(AccountIdentity, {
  id: { description: 'Global id.', resolve: (row) => (row as { id: number }).id },
  loadOne: async (id, { viewer }) => {
    const identity = await db.accountIdentity.findUnique({ where: { id: databaseId(id) } });
    return identity !== null && canSeePrivateAccount(viewer, identity.accountId) ? identity : null;
  },
});

builder.prismaObjectField(AccountPrivate, 'identities', (t) =>
  t.relation('identities', {
    type: AccountIdentity,
    query: { orderBy: { id: 'asc' } },
    description: 'The ways to sign in to the account, oldest first. linkIdentity adds one, removeIdentity removes one.',
  }),
);
