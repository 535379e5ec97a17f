import { z } from 'zod';
import type { SubmitAbuseReportMutation } from '../../generated/operations/graphql.ts';
import { personShape } from './accounts.ts';
import { requireFound, shape } from './shape.ts';

type ReportFields = SubmitAbuseReportMutation['submitAbuseReport'];

const reportedAddon = shape<NonNullable<ReportFields['addon']>>({
  guid: [z.string(), ({ guid }) => guid],
  id: [z.int().nullable(), ({ databaseId }) => databaseId ?? null],
  slug: [z.string().nullable(), ({ slug }) => slug ?? null],
});

const reportingAccount = shape<NonNullable<ReportFields['reporter']>>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    name: [z.string(), ({ name }) => name],
    username: [z.string(), ({ username }) => username],
    url: [z.url().nullable(), ({ url }) => url],
  },
  'Reporter',
);

const reporter = [
  // `nullable` of a named schema would be printed as one that null does not match.
  z.union([reportingAccount.schema, z.null()]),
  ({ reporter: account }: ReportFields, view) => (account ? reportingAccount.write(account, view) : null),
] as const satisfies Parameters<typeof shape<ReportFields>>[0][string];

const message = [z.string(), ({ message: text }: ReportFields) => text] as const;

/** A report about an add-on (contract, Abuse report), keys in the documented order. */
export const addonReport = shape<ReportFields>(
  {
    reporter,
    addon: [reportedAddon.schema, ({ addon }, view) => reportedAddon.write(requireFound(addon), view)],
    message,
  },
  'AddonReport',
);

/** A report about an account. */
export const accountReport = shape<ReportFields>(
  { reporter, user: [personShape.schema, ({ user }, view) => personShape.write(requireFound(user), view)], message },
  'AccountReport',
);

const reportedCollection = shape<NonNullable<ReportFields['collection']>>({
  id: [z.int().nullable(), ({ databaseId }) => databaseId ?? null],
});

const reportedRating = shape<NonNullable<ReportFields['rating']>>({
  id: [z.int(), ({ databaseId }) => databaseId],
});

/** A report about a rating. */
export const ratingReport = shape<ReportFields>(
  {
    reporter,
    rating: [reportedRating.schema, ({ rating }, view) => reportedRating.write(requireFound(rating), view)],
    message,
  },
  'RatingReport',
);

/** A report about a collection. */
export const collectionReport = shape<ReportFields>(
  {
    reporter,
    collection: [
      reportedCollection.schema,
      ({ collection }, view) => reportedCollection.write(requireFound(collection), view),
    ],
    message,
  },
  'CollectionReport',
);
