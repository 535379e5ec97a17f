import { canSeePrivateAccount } from '../../auth/account-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { keysetClause, keysetConnection, pageLoader } from '../../graphql/connections.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { Account } from '../accounts/account.ts';
import { loadUploadsOfAccounts } from './load-upload.ts';
import { Upload } from './upload.ts';

const uploads = pageLoader((accountIds, page) =>
  loadUploadsOfAccounts(accountIds, keysetClause('id', 'DESC', page), page.inverted),
);

const uploadCounts = perRequest<number, number>(async (accountIds) => {
  const where = { accountId: { in: [...accountIds] } };
  const rows = await db.upload.groupBy({ by: 'accountId', where, _count: true });
  const counts = new Map(rows.map(({ accountId, _count }) => [accountId, _count]));
  return accountIds.map((id) => counts.get(id) ?? 0);
});

/** Counts the uploads of all pages, when a query selects `totalCount`. */
interface Counted {
  totalCount: () => Promise<number>;
}

export const UploadConnection = builder.connectionObject<typeof Upload, Counted>(
  {
    type: Upload,
    name: 'UploadConnection',
    description: 'One page of a list of uploads.',
    fields: (t) => ({ totalCount: t.int({ resolve: ({ totalCount }) => totalCount() }) }),
  },
  { name: 'UploadEdge', description: 'An upload and its cursor.' },
);

builder.prismaObjectField(Account, 'uploads', (t) =>
  t.connection(
    {
      type: Upload,
      nullable: true,
      description:
        'Packages that the account uploaded, newest first. Null unless the viewer is the account or holds Users:Edit.',
      resolve: async ({ id }, cursors, context) =>
        canSeePrivateAccount(context.viewer, id)
          ? {
              ...(await keysetConnection(`Account.uploads/${id}`, cursors, (page) => uploads(context, id, page))),
              totalCount: () => uploadCounts(context).load(id),
            }
          : null,
    },
    UploadConnection,
  ),
);
