import type { ObjectFields } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { Account } from './account.ts';

/** The payload fields of mutations that change an account. */
export const changedAccount = (description: string) => (t: ObjectFields<{ accountId: number }>) => ({
  account: t.prismaField({
    type: Account,
    description,
    resolve: (query, { accountId }) => db.account.findUniqueOrThrow({ ...query, where: { id: accountId } }),
  }),
});
