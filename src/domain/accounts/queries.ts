import { builder } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { Account } from './account.ts';

builder.queryField('viewer', (t) =>
  t.prismaField({
    type: Account,
    nullable: true,
    description: 'The account of the request; null for anonymous requests.',
    resolve: (query, _root, _args, { viewer }) =>
      viewer.kind === 'anonymous' ? null : db.account.findUnique({ ...query, where: { id: viewer.accountId } }),
  }),
);
