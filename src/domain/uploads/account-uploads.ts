import { canSeePrivateAccount } from '../../auth/account-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import {
  type CountedConnection,
  countedFields,
  type KeysetPage,
  keysetClause,
  pageArguments,
  pagedConnection,
  pageLoader,
} from '../../graphql/connections.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { Account } from '../accounts/account.ts';
import { loadUploadsAt, loadUploadsOfAccounts } from './load-upload.ts';
import { Upload } from './upload.ts';

interface Bounds extends KeysetPage {
  /** Null: submitted or not. */
  submitted: boolean | null;
}

const uploads = pageLoader((accountIds, { submitted, ...page }: Bounds) =>
  loadUploadsOfAccounts(accountIds, {
    ...{ submitted, page: keysetClause('id', 'DESC', page), isAscending: page.inverted },
  }),
);

const uploadCounts = perRequest<{ id: number; submitted: boolean | null }, number>(async (keys) => {
  const rows = await db.$queryRaw<{ id: number; waiting: number; submitted: number }[]>`
    SELECT account_id AS id, count(*) FILTER (WHERE version_id IS NULL)::int AS waiting,
      count(version_id)::int AS submitted
    FROM upload WHERE account_id = ANY(${[...new Set(keys.map(({ id }) => id))]}::int[]) GROUP BY account_id`;
  const counts = new Map(rows.map((row) => [row.id, row]));
  return keys.map(({ id, submitted }) => {
    const count = counts.get(id) ?? { waiting: 0, submitted: 0 };
    if (submitted === null) return count.waiting + count.submitted;
    return submitted ? count.submitted : count.waiting;
  });
});

export const UploadConnection = builder.connectionObject<typeof Upload, CountedConnection>(
  {
    type: Upload,
    name: 'UploadConnection',
    description: 'One page of a list of uploads.',
    fields: (t) => countedFields(t),
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
      args: {
        isSubmitted: t.arg.boolean({
          description: 'Only those that are versions (true), or that are not (false). Default: all.',
        }),
        ...pageArguments,
      },
      resolve: async ({ id }, { isSubmitted, ...paging }, context) => {
        if (!canSeePrivateAccount(context.viewer, id)) return null;
        const submitted = isSubmitted ?? null;
        const page = await pagedConnection(
          `Account.uploads/${id}/${submitted}`,
          paging,
          (offset, limit) => loadUploadsAt(id, submitted, offset, limit),
          (keys) => uploads(context, id, { ...keys, submitted }),
        );
        return { ...page, totalCount: () => uploadCounts(context).load({ id, submitted }) };
      },
    },
    UploadConnection,
  ),
);
