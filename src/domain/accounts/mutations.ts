import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { db } from '../../infra/db.ts';
import { Account } from './account.ts';
import { ApiKey } from './api-key.ts';
import { disableAccount } from './disable-account.ts';
import { createApiKey, revokeApiKey } from './manage-keys.ts';

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'A new API key.',
  fields: (t) => ({
    label: t.string({ description: 'Note for its owner, at most 100 characters.' }),
    expires: t.field({ type: 'DateTime', description: 'When the key expires. Default: never.' }),
    acceptDeveloperAgreement: t.boolean({
      description: 'True accepts the developer agreement, which the first key requires.',
    }),
  }),
});

const CreateApiKeyPayload = builder.objectRef<{ id: number; secret: string }>('CreateApiKeyPayload').implement({
  description: 'Result of createApiKey.',
  fields: (t) => ({
    apiKey: t.prismaField({
      type: ApiKey,
      description: 'The new key.',
      resolve: (query, { id }) => db.apiKey.findUniqueOrThrow({ ...query, where: { id } }),
    }),
    secret: t.exposeString('secret', { description: 'The secret of the key. It cannot be read again.' }),
  }),
});

builder.mutationField('createApiKey', (t) =>
  t.field({
    type: CreateApiKeyPayload,
    description: 'Creates an API key of the viewer.',
    args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'The key.' }) },
    errors: mutationResult('CreateApiKeyResult'),
    resolve: (_root, { input }, { viewer }) =>
      createApiKey(viewer, {
        label: input.label ?? null,
        expires: input.expires ?? null,
        acceptsAgreement: input.acceptDeveloperAgreement === true,
      }),
  }),
);

const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', {
  description: 'The API key to revoke.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Global id of the API key.' }) }),
});

const RevokeApiKeyPayload = builder.objectRef<{ id: number }>('RevokeApiKeyPayload').implement({
  description: 'Result of revokeApiKey.',
  fields: (t) => ({
    apiKey: t.prismaField({
      type: ApiKey,
      description: 'The revoked key.',
      resolve: (query, { id }) => db.apiKey.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

builder.mutationField('revokeApiKey', (t) =>
  t.field({
    type: RevokeApiKeyPayload,
    description: 'Revokes an API key immediately. For its account and holders of Users:Edit.',
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true, description: 'The key.' }) },
    errors: mutationResult('RevokeApiKeyResult'),
    resolve: async (_root, { input }, { viewer }) => ({ id: await revokeApiKey(viewer, idOf('ApiKey', input.id)) }),
  }),
);

const DisableAccountInput = builder.inputType('DisableAccountInput', {
  description: 'The account to disable.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the account.' }),
    reason: t.string({ description: 'Plain text for the audit log.' }),
  }),
});

const DisableAccountPayload = builder.objectRef<{ id: number }>('DisableAccountPayload').implement({
  description: 'Result of disableAccount.',
  fields: (t) => ({
    account: t.prismaField({
      type: Account,
      description: 'The disabled account.',
      resolve: (query, { id }) => db.account.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

builder.mutationField('disableAccount', (t) =>
  t.field({
    type: DisableAccountPayload,
    description: 'Disables an account, which invalidates all of its tokens and keys. Requires Users:Edit.',
    args: { input: t.arg({ type: DisableAccountInput, required: true, description: 'The account and the reason.' }) },
    errors: mutationResult('DisableAccountResult'),
    resolve: async (_root, { input }, { viewer }) => {
      const id = idOf('Account', input.id);
      await disableAccount(viewer, id, (input.reason ?? '').trim());
      return { id };
    },
  }),
);
