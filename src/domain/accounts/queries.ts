import { builder } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { Account } from './account.ts';
import { AccountRefInput } from './account-ref.ts';
import { visibleAccountId } from './find-account.ts';

builder.queryField('account', (t) =>
  t.prismaField({
    type: Account,
    nullable: true,
    description:
      'One account. Null with the error NOT_FOUND for an unknown one, and for one that the viewer may not see.',
    args: { by: t.arg({ type: AccountRefInput, required: true, description: 'What names the account.' }) },
    resolve: async (query, _root, args, { viewer }) =>
      db.account.findUniqueOrThrow({ ...query, where: { id: await visibleAccountId(viewer, args.by) } }),
  }),
);

builder.queryField('viewer', (t) =>
  t.prismaField({
    type: Account,
    nullable: true,
    description: 'The account of the request; null for anonymous requests.',
    resolve: (query, _root, _args, { viewer }) =>
      viewer.kind === 'anonymous' ? null : db.account.findUnique({ ...query, where: { id: viewer.accountId } }),
  }),
);
