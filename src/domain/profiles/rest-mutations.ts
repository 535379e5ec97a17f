/* The mutations of REST, whose requests name an account by id or username and send unchecked values. */
import { fieldMessagesOf, InvalidInputError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { Account } from '../accounts/account.ts';
import { AccountRefInput } from '../accounts/account-ref.ts';
import { editableAccountId } from '../accounts/find-account.ts';
import { guarded } from '../pictures/guarded-file.ts';
import { setAccountPicture } from '../pictures/set-account-picture.ts';
import { deleteAccount } from './delete-account.ts';
import { admitProfileChange, updateProfile } from './update-profile.ts';

/** The names in REST that differ from those of the GraphQL input. */
const REST_NAMES: Readonly<Record<string, string>> = { displayName: 'display_name', file: 'picture_upload' };
const GRAPHQL_NAMES = new Map(Object.entries(REST_NAMES).map(([name, restName]) => [restName, name]));

builder.mutationField('admitAccountEdit', (t) =>
  t.boolean({
    subGraphs: INTERNAL,
    description:
      'Counts a change of an account before its body is read. True, or an error if the viewer may not change the account now.',
    args: { by: t.arg({ type: AccountRefInput, required: true, description: 'What names the account.' }) },
    resolve: async (_root, args, { viewer }) => {
      await admitProfileChange(viewer, args.by);
      return true;
    },
  }),
);

builder.mutationField('editAccount', (t) =>
  t.prismaField({
    type: Account,
    subGraphs: INTERNAL,
    description: 'Changes an account by the unchecked values of a REST body. After admitAccountEdit, which counts it.',
    args: {
      by: t.arg({ type: AccountRefInput, required: true, description: 'What names the account.' }),
      values: t.arg({ type: 'JSON', required: true, description: 'The values by their names in REST.' }),
      picture: t.arg({ type: 'UploadedFile', description: 'A PNG or JPEG of at most 4 MiB.' }),
    },
    resolve: async (query, _root, args, { viewer }) => {
      const values = Object.fromEntries(
        Object.entries(args.values as object).map(([name, value]) => [GRAPHQL_NAMES.get(name) ?? name, value]),
      );
      const picture = args.picture ? guarded(args.picture) : null;
      const id = await updateProfile(viewer, args.by, { values, picture }).catch(withRestNames);
      return db.account.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);

function withRestNames(error: unknown): never {
  if (!(error instanceof InvalidInputError)) throw error;
  const fields = Object.entries(fieldMessagesOf(error) ?? {});
  const renamed = fields.map(([name, messages]) => [REST_NAMES[name] ?? name, messages]);
  throw new InvalidInputError(error.reason, Object.fromEntries(renamed));
}

builder.mutationField('removeAccountPicture', (t) =>
  t.prismaField({
    type: Account,
    subGraphs: INTERNAL,
    description: 'Removes the picture of an account. Idempotent.',
    args: { by: t.arg({ type: AccountRefInput, required: true, description: 'What names the account.' }) },
    resolve: async (query, _root, args, { viewer }) => {
      const id = await editableAccountId(viewer, args.by);
      await setAccountPicture(viewer, id, null);
      return db.account.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);

builder.mutationField('eraseAccount', (t) =>
  t.boolean({
    subGraphs: INTERNAL,
    description: "Deletes an account. True if it was the viewer's own.",
    args: { by: t.arg({ type: AccountRefInput, required: true, description: 'What names the account.' }) },
    resolve: async (_root, args, { viewer }) => {
      const id = await deleteAccount(viewer, args.by);
      return viewer.kind === 'account' && viewer.accountId === id;
    },
  }),
);
