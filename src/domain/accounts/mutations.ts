import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { db } from '../../infra/db.ts';
import { Account } from './account.ts';
import { ApiKey } from './api-key.ts';
import { disableAccount } from './disable-account.ts';
import { createApiKey, revokeApiKey } from './manage-keys.ts';

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  fields: (t) => ({
    label: t.string({ description: 'To tell it from other keys.' }),
    expires: t.field({ type: 'DateTime', description: 'When it stops working; never when absent.' }),
    acceptDeveloperAgreement: t.boolean({ description: 'True accepts the developer agreement; needed once.' }),
  }),
});

const CreateApiKeyPayload = builder.objectRef<{ id: number; secret: string }>('CreateApiKeyPayload').implement({
  fields: (t) => ({
    apiKey: t.prismaField({
      type: ApiKey,
      resolve: (query, { id }) => db.apiKey.findUniqueOrThrow({ ...query, where: { id } }),
    }),
    secret: t.exposeString('secret', { description: 'Shown here and never again.' }),
  }),
});

builder.mutationField('createApiKey', (t) =>
  t.field({
    type: CreateApiKeyPayload,
    description: 'Makes an API key for the account that asks.',
    args: { input: t.arg({ type: CreateApiKeyInput, required: true }) },
    errors: { types: [InvalidInputError], union: { name: 'CreateApiKeyResult' } },
    resolve: (_root, { input }, { viewer }) =>
      createApiKey(viewer, {
        label: input.label ?? null,
        expires: input.expires ?? null,
        acceptsAgreement: input.acceptDeveloperAgreement === true,
      }),
  }),
);

const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', {
  fields: (t) => ({ id: t.id({ required: true }) }),
});

const RevokeApiKeyPayload = builder.objectRef<{ id: number }>('RevokeApiKeyPayload').implement({
  fields: (t) => ({
    apiKey: t.prismaField({
      type: ApiKey,
      resolve: (query, { id }) => db.apiKey.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

builder.mutationField('revokeApiKey', (t) =>
  t.field({
    type: RevokeApiKeyPayload,
    description: 'Ends an API key at once.',
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true }) },
    errors: { types: [InvalidInputError, NotFoundError], union: { name: 'RevokeApiKeyResult' } },
    resolve: async (_root, { input }, { viewer }) => ({ id: await revokeApiKey(viewer, idOf('ApiKey', input.id)) }),
  }),
);

const DisableAccountInput = builder.inputType('DisableAccountInput', {
  fields: (t) => ({ id: t.id({ required: true }), reason: t.string() }),
});

const DisableAccountPayload = builder.objectRef<{ id: number }>('DisableAccountPayload').implement({
  fields: (t) => ({
    account: t.prismaField({
      type: Account,
      resolve: (query, { id }) => db.account.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

builder.mutationField('disableAccount', (t) =>
  t.field({
    type: DisableAccountPayload,
    description: 'Disables an account; for holders of Users:Edit. None of its tokens is accepted from then on.',
    args: { input: t.arg({ type: DisableAccountInput, required: true }) },
    errors: mutationResult('DisableAccountResult'),
    resolve: async (_root, { input }, { viewer }) => {
      const id = idOf('Account', input.id);
      await disableAccount(viewer, id, (input.reason ?? '').trim());
      return { id };
    },
  }),
);
