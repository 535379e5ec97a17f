import { OPERATOR_ID } from '../../auth/credential-account.ts';
import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { globalId } from '../../graphql/global-id.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { accountName } from './account-names.ts';
import { Actor, accountPageUrl, accountPictureUrl } from './actor.ts';
import { isPublicAccount, isVisibleAccount } from './public-account.ts';

interface Summary {
  id: number;
  username: string;
  displayName: string | null;
  hasChosenUsername: boolean;
  pictureSha256: string | null;
  /** Null for a deleted account. */
  isPublic: boolean | null;
}

const readSummaries = prepared<Summary>(
  lookupPool,
  'account-summaries',
  `SELECT id, username::text, display_name AS "displayName", has_chosen_username AS "hasChosenUsername",
     picture_sha256 AS "pictureSha256",
     CASE WHEN deleted_at IS NULL THEN ${isPublicAccount('found.id')} END AS "isPublic" FROM account found WHERE id = ANY ($1::int[])`,
);

const summaries = perRequest<number, Summary>(async (ids) => {
  const found = new Map((await readSummaries(ids)).map((summary) => [summary.id, summary]));
  const operator = found.get(OPERATOR_ID);
  if (operator !== undefined) found.set(OPERATOR_ID, asOperator(operator));
  return ids.map((id) => found.get(id) ?? new Error(`account ${id} does not exist`));
});

/** The built-in account of the operator has the name of the site, and the username of the settings. */
const asOperator = (account: Summary): Summary => ({
  ...account,
  ...{ username: config.OPERATOR_ACCOUNT, displayName: config.SITE_NAME },
});

/** The value of a field of type `AccountSummary` for an account that exists, deleted or not. */
export const accountSummary = (context: Context, accountId: number): Promise<Summary> =>
  summaries(context).load(accountId);

/** The values of a list of `AccountSummary`, without ids that no account has. */
export const knownAccounts = async (context: Context, ids: readonly number[]): Promise<Summary[]> =>
  (await summaries(context).loadMany([...new Set(ids)])).flatMap((found) => (found instanceof Error ? [] : [found]));

export const AccountSummary = builder.objectRef<Summary>('AccountSummary').implement({
  description: 'An account as other objects name it: the author of a note, the sender of a report.',
  interfaces: [Actor],
  fields: (t) => ({
    id: t.id({
      description: 'Identifies this view of the account in client caches. `node` does not look it up.',
      resolve: ({ id }) => globalId('AccountSummary', id),
    }),
    databaseId: t.exposeInt('id', { description: 'The id of the account in REST.' }),
    name: t.string({ description: 'The chosen name, or the username.', resolve: (account) => accountName(account) }),
    url: t.string({
      nullable: true,
      description:
        'Address of the profile page; null for a deleted account and when the viewer may not see the account.',
      resolve: ({ id, username, isPublic }, _args, { viewer }) =>
        isVisibleAccount(viewer, id, isPublic) ? accountPageUrl(username) : null,
    }),
    username: t.exposeString('username', { description: 'The username in the address of the profile page.' }),
    pictureUrl: t.string({
      description:
        'Address of the profile picture; of a placeholder picture when the account has none and when the viewer may not see it.',
      resolve: ({ id, isPublic, pictureSha256 }, _args, { viewer }) =>
        accountPictureUrl(id, isVisibleAccount(viewer, id, isPublic) ? pictureSha256 : null),
    }),
  }),
});
