/* The change of an account by REST, whose requests name it by id or username. */
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { Account } from '../accounts/account.ts';
import { AccountRefInput } from '../accounts/account-ref.ts';
import type { ProfileValues } from './check-profile.ts';
import { updateProfile } from './update-profile.ts';

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
