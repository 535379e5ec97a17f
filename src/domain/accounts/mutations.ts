import { idOf } from '../../graphql/global-id.ts';
import { mutation, mutationWithoutInput } from '../../graphql/mutation.ts';
import { db } from '../../infra/db.ts';
import { changedAccount } from './account.ts';
import { ApiKey } from './api-key.ts';
import { acceptAgreementAs, createApiKey, revokeApiKey } from './manage-keys.ts';

mutationWithoutInput('acceptDeveloperAgreement', {
  description: 'Accepts the developer agreement for the account of the viewer. Does nothing if it was accepted before.',
  resolve: async ({ viewer }) => ({ accountId: await acceptAgreementAs(viewer) }),
  payloadFields: changedAccount('The account after the change.'),
});

mutation('createApiKey', {
  description: 'Creates an API key of the viewer.',
  input: 'A new API key.',
  inputFields: (t) => ({
    label: t.string({ description: 'Note for its owner, at most 100 characters.' }),
    expires: t.field({
      type: 'DateTime',
      description: 'When the key expires; null for never. Default: after 365 days.',
    }),
    addon: t.id({
      description:
        'Global id of an add-on of the viewer. The key then only uploads versions of it by REST, and gives no other right. Default: the key does what the viewer may do.',
    }),
    acceptDeveloperAgreement: t.boolean({
      description: 'True accepts the developer agreement, which the first key requires.',
    }),
  }),
  resolve: ({ acceptDeveloperAgreement, addon, ...options }, { viewer }) =>
    createApiKey(viewer, {
      ...options,
      addonId: addon == null ? null : idOf('Addon', addon, 'addon'),
      acceptsAgreement: acceptDeveloperAgreement === true,
    }),
  payloadFields: (t) => ({
    apiKey: t.prismaField({
      type: ApiKey,
      description: 'The new key.',
      resolve: (query, { id }) => db.apiKey.findUniqueOrThrow({ ...query, where: { id } }),
    }),
    secret: t.exposeString('secret', { description: 'The secret of the key. It cannot be read again.' }),
  }),
});

mutation('revokeApiKey', {
  description: 'Revokes an API key immediately. For its account and holders of Users:Edit.',
  input: 'The API key to revoke.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the API key.' }) }),
  resolve: async ({ id }, { viewer }) => ({ id: await revokeApiKey(viewer, idOf('ApiKey', id)) }),
  payloadFields: (t) => ({
    apiKey: t.prismaField({
      type: ApiKey,
      description: 'The revoked key.',
      resolve: (query, { id }) => db.apiKey.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});
