import { fieldMessagesOf, InvalidInputError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { AccountPrivate } from '../accounts/account.ts';
import { type AccountRef, AccountRefInput } from '../accounts/account-ref.ts';
import { privateAccountId } from '../accounts/find-account.ts';
import { openUnsubscribeToken } from '../mail/unsubscribe.ts';
import { type AccountNotification, accountNotifications, changeNotifications } from './change-notifications.ts';

const Notification = builder.objectRef<AccountNotification>('Notification').implement({
  description: 'Whether an account gets a type of notification by mail.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the type and the account in client caches. `node` does not look it up.',
      resolve: ({ accountId, name }) => globalId('Notification', accountId, name),
    }),
    name: t.exposeString('name', { description: 'The type, as REST names it, such as new_features.' }),
    isEnabled: t.exposeBoolean('enabled', { description: 'Whether the account gets it.' }),
    isMandatory: t.exposeBoolean('mandatory', { description: 'Whether the account cannot switch it off.' }),
  }),
});

builder.prismaObjectFields(AccountPrivate, (t) => ({
  notifications: t.field({
    type: [Notification],
    description: 'The notifications of the account. Types for developers are left out for other accounts.',
    select: { id: true },
    resolve: ({ id }, _args, context) => accountNotifications(context).load(id),
  }),
}));

const NotificationChange = builder.inputType('NotificationChangeInput', {
  description: 'A choice for one type of notification.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The type, as in Notification.name. Unknown ones are ignored.' }),
    isEnabled: t.boolean({ required: true, description: 'Whether the account wants it.' }),
  }),
});

/** Changes notifications and clears the request's cached ones. Returns the id of the account. @throws as `changeNotifications` does. */
async function change(context: Context, by: AccountRef, values: ReadonlyMap<string, unknown>): Promise<number> {
  const accountId = await changeNotifications(context.viewer, by, values);
  accountNotifications(context).clear(accountId);
  return accountId;
}

mutation('updateNotifications', {
  description: 'Switches notifications on and off. For the account itself and holders of Users:Edit.',
  input: 'Choices for notifications of an account. Absent types do not change.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the account.' }),
    changes: t.field({ type: [NotificationChange], required: true, description: 'The choices.' }),
  }),
  resolve: async ({ id, changes }, context) => {
    const values = new Map(changes.map(({ name, isEnabled }) => [name, isEnabled]));
    return { accountId: await change(context, { databaseId: idOf('Account', id) }, values).catch(underChanges) };
  },
  payloadFields: (t) => ({
    notifications: t.field({
      type: [Notification],
      description: 'All notifications of the account after the change.',
      resolve: ({ accountId }, _args, context) => accountNotifications(context).load(accountId),
    }),
  }),
});

/** Names the input field at fault instead of the types of notifications, which the messages contain. */
function underChanges(error: unknown): never {
  if (!(error instanceof InvalidInputError)) throw error;
  throw new InvalidInputError(error.reason, {
    changes: Object.values(fieldMessagesOf(error) ?? {}).flat(),
  });
}

builder.queryField('mailingOfLink', (t) =>
  t.field({
    type: Notification,
    nullable: true,
    description: 'The type of mailings that an unsubscribe link names, for its account; null for an invalid link.',
    args: { token: t.arg.string({ required: true, description: 'The last part of the path of the link.' }) },
    resolve: async (_root, { token }, context) => {
      const target = openUnsubscribeToken(token);
      if (target === null) return null;
      const { accountId, notification: name } = target;
      const present = (await accountNotifications(context).load(accountId)).find((each) => each.name === name);
      // Accounts that are no longer developers, and deleted ones, do not have the type.
      return present ?? { accountId, name, enabled: false, mandatory: false };
    },
  }),
);

builder.queryField('accountNotifications', (t) =>
  t.field({
    type: [Notification],
    subGraphs: INTERNAL,
    description: 'The notifications of an account whose private fields the viewer may read.',
    args: { by: t.arg({ type: AccountRefInput, required: true, description: 'What names the account.' }) },
    resolve: async (_root, args, context) =>
      accountNotifications(context).load(await privateAccountId(context.viewer, args.by)),
  }),
);

builder.mutationField('setNotifications', (t) =>
  t.field({
    type: [Notification],
    subGraphs: INTERNAL,
    description: 'Changes notifications by the unchecked values of a REST body.',
    args: {
      by: t.arg({ type: AccountRefInput, required: true, description: 'What names the account.' }),
      values: t.arg({ type: 'JSON', required: true, description: 'The values by name.' }),
    },
    resolve: async (_root, args, context) => {
      const values = new Map(Object.entries(args.values as Record<string, unknown>));
      return accountNotifications(context).load(await change(context, args.by, values));
    },
  }),
);
