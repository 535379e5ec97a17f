import { builder, INTERNAL, type InputFields } from '../../graphql/builder.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { db } from '../../infra/db.ts';
import { Account, changedAccount } from '../accounts/account.ts';
import { AccountRefInput } from '../accounts/account-ref.ts';
import type { ProfileValues } from './check-profile.ts';
import { deleteAccount } from './delete-account.ts';
import { setAccountDisabled } from './disable-account.ts';
import { checkAccountEditLimit, updateProfile } from './update-profile.ts';

mutation('updateAccount', {
  description: 'Changes what an account states about itself. For the account itself and holders of Users:Edit.',
  input: 'Changes to an account. Absent fields do not change; null and an empty text remove a value.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the account.' }),
    biography: t.string({ description: 'Text without links, at most 10,000 characters. HTML is stored verbatim.' }),
    displayName: t.string({ description: 'The name to show, at most 255 characters.' }),
    homepage: t.string({ description: 'http(s) address of at most 255 characters.' }),
    location: t.string({ description: 'Plain text of at most 255 characters.' }),
    occupation: t.string({ description: 'Plain text of at most 255 characters.' }),
    username: t.string({
      description: 'Letters, digits, underscores and hyphens, not only digits. Null replaces it by a generated one.',
    }),
  }),
  resolve: async ({ id, ...values }, { viewer }) => {
    const by = { databaseId: idOf('Account', id) };
    await checkAccountEditLimit(viewer, by);
    return { accountId: await updateProfile(viewer, by, { values, picture: null }) };
  },
  payloadFields: changedAccount('The account after the change.'),
});

const accountToDisable = (t: InputFields, reason: string) => ({
  id: t.id({ required: true, description: 'Global id of the account.' }),
  reason: t.string({ description: reason }),
});

mutation('disableAccount', {
  description: 'Disables an account, which invalidates all of its tokens and keys. Requires Users:Edit.',
  input: 'The account to disable.',
  inputFields: (t) =>
    accountToDisable(
      t,
      'Plain text: its owner reads it in a mail and when a sign-in is refused, operators in the audit log.',
    ),
  resolve: async (input, { viewer }) => {
    const accountId = idOf('Account', input.id);
    await setAccountDisabled(viewer, accountId, true, (input.reason ?? '').trim());
    return { accountId };
  },
  payloadFields: changedAccount('The disabled account.'),
});

mutation('enableAccount', {
  description: 'Enables a disabled account again, with its keys and tokens. Requires Users:Edit.',
  input: 'The account to enable.',
  inputFields: (t) => accountToDisable(t, 'Plain text for the audit log.'),
  resolve: async (input, { viewer }) => {
    const accountId = idOf('Account', input.id);
    await setAccountDisabled(viewer, accountId, false, (input.reason ?? '').trim());
    return { accountId };
  },
  payloadFields: changedAccount('The enabled account.'),
});

mutation('deleteAccount', {
  description:
    'Deletes an account and all of its data. Authors of add-ons must delete or transfer these first. For the account itself and holders of Users:Edit.',
  input: 'The account to delete.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the account.' }) }),
  resolve: async ({ id }, { viewer }) => ({ id: await deleteAccount(viewer, { databaseId: idOf('Account', id) }) }),
  payloadFields: (t) => ({
    deletedId: t.id({
      description: 'Global id of the deleted account.',
      resolve: ({ id }) => globalId('Account', id),
    }),
    isOwn: t.boolean({
      description: 'Whether it was the account of the viewer, whose credentials are no longer valid.',
      resolve: ({ id }, _args, { viewer }) => viewer.kind === 'account' && viewer.accountId === id,
    }),
  }),
});

// By REST, whose requests name an account by id or username.
builder.mutationField('editAccount', (t) =>
  t.prismaField({
    type: Account,
    subGraphs: INTERNAL,
    description: 'Changes an account by the values of a REST body. After `admission`, which counts it.',
    args: {
      by: t.arg({ type: AccountRefInput, required: true, description: 'What names the account.' }),
      values: t.arg({
        type: 'JSON',
        required: true,
        description:
          'Texts by the fields of updateAccount, or the refusals of what the body has instead, in the order of the body.',
      }),
      picture: t.arg({ type: 'UploadedFile', description: 'A PNG or JPEG of at most 4 MiB.' }),
    },
    resolve: async (query, _root, args, { viewer }) => {
      const values = args.values as ProfileValues;
      const id = await updateProfile(viewer, args.by, { values, picture: args.picture ?? null });
      return db.account.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);
