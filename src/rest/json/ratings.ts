import { z } from 'zod';
import type { RatingFieldsFragment, WrittenRatingFieldsFragment } from '../../generated/operations/graphql.ts';
import { personShape } from './accounts.ts';
import { type Shape, type ShapeKeys, shape } from './shape.ts';
import { dateTime, textKey } from './text.ts';

type Written = WrittenRatingFieldsFragment;

const ratedAddon = shape<Written['addon']>({
  id: [z.int(), ({ databaseId }) => databaseId],
  slug: [z.string().nullable(), ({ slug }) => slug],
  name: textKey(({ name }) => name),
  icon_url: [z.url(), ({ iconUrl }) => iconUrl],
});

/** What ratings and replies have before the keys of either. */
const WRITTEN = {
  id: [z.int(), ({ databaseId }) => databaseId],
  addon: [ratedAddon.schema, ({ addon }, view) => ratedAddon.write(addon, view)],
  body: [z.string().nullable(), ({ body }) => body],
  created: [dateTime, ({ created }) => created],
  is_deleted: [z.boolean(), ({ isDeleted }) => isDeleted],
  is_developer_reply: [z.boolean(), ({ isReply }) => isReply],
  is_latest: [z.boolean(), ({ isLatest }) => isLatest],
  previous_count: [z.int(), ({ previousCount }) => previousCount],
} as const satisfies ShapeKeys<Written>;

const USER = {
  user: [personShape.schema, ({ user }, view) => personShape.write(user, view)],
} as const satisfies ShapeKeys<Written>;

const FLAGS = ['spam', 'language', 'bug_support', 'other'] as const;

/** The words of flags in requests and responses. */
export const FLAG_WORDS = FLAGS.map((name) => `review_flag_reason_${name}` as const);

/** Present on request: the flag of the client, at most one. */
const OWN_FLAGS: ShapeKeys<Written> = {
  flags: [
    z.array(z.strictObject({ flag: z.enum(FLAG_WORDS), note: z.string().nullable() })).optional(),
    ({ viewerFlag }) => {
      if (viewerFlag === undefined) return undefined;
      if (viewerFlag === null) return [];
      return [{ flag: `review_flag_reason_${viewerFlag.reason.toLowerCase()}`, note: viewerFlag.note }];
    },
  ],
};

/** No rating has a title; v3 has the key. */
const TITLE = { title: [z.null(), () => null] } as const satisfies ShapeKeys<Written>;

/** A rating and a reply, as an API version has them. */
interface RatingShapes {
  rating: Shape<RatingFieldsFragment>;
  reply: Shape<Written>;
}

function shapes(scoreKey: 'score' | 'rating', title: ShapeKeys<Written>, suffix: string): RatingShapes {
  const reply = shape<Written>({ ...WRITTEN, ...title, ...USER, ...OWN_FLAGS }, `RatingReply${suffix}`);
  const rating = shape<RatingFieldsFragment>(
    {
      ...WRITTEN,
      reply: [z.union([reply.schema, z.null()]), (shown, view) => shown.reply && reply.write(shown.reply, view)],
      ...title,
      [scoreKey]: [z.int().min(1).max(5).nullable(), ({ score }: RatingFieldsFragment) => score],
      ...USER,
      version: [
        z.strictObject({ id: z.int(), version: z.string() }).nullable(),
        ({ version }) => version && { id: version.databaseId, version: version.number },
      ],
      ...OWN_FLAGS,
    },
    `Rating${suffix}`,
  );
  return { rating, reply };
}

/** The objects of v4 and of v3, whose key of the score and title are those of before May 2018 (contract, Versioning). */
export const ratingShapes = { v4: shapes('score', {}, ''), v3: shapes('rating', TITLE, 'V3') };

/** The number of ratings by score. */
export const groupedSchema = z.strictObject({ 1: z.int(), 2: z.int(), 3: z.int(), 4: z.int(), 5: z.int() });

/** The number of ratings by score, as an object. */
export const groupedCounts = (groups: readonly { score: number; count: number }[]): Record<string, number> =>
  Object.fromEntries(groups.map(({ score, count }) => [String(score), count]));
