/* The change of an account by REST, whose requests name it by id or username and send unchecked values. */
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { Account } from '../accounts/account.ts';
import { AccountRefInput } from '../accounts/account-ref.ts';
import { updateProfile } from './update-profile.ts';

builder.mutationField('editAccount', (t) =>
  t.prismaField({
    type: Account,
    subGraphs: INTERNAL,
    description: 'Changes an account by the unchecked values of a REST body. After `admission`, which counts it.',
    args: {
      by: t.arg({ type: AccountRefInput, required: true, description: 'What names the account.' }),
      values: t.arg({
        type: 'JSON',
        required: true,
        description: 'The values by the names of the fields of updateAccount.',
      }),
      picture: t.arg({ type: 'UploadedFile', description: 'A PNG or JPEG of at most 4 MiB.' }),
    },
    resolve: async (query, _root, args, { viewer }) => {
      const picture = args.picture ? args.picture : null;
      const values = args.values as Record<string, unknown>;
      const id = await updateProfile(viewer, args.by, { values, picture });
      return db.account.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);
