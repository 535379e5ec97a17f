import { z } from 'zod';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  CreateRatingDocument,
  DeleteRatingDocument,
  FlagRatingDocument,
  RatingDetailDocument,
  RatingListDocument,
  ReplyToRatingDocument,
  UpdateRatingDocument,
} from '../../generated/operations/graphql.ts';
import { addonReference, ratingId, versionId } from '../../graphql/references.ts';
import { HttpRefusal } from '../../http/http-refusal.ts';
import { isTrue, langParam, recordId, textParam } from '../../http/params.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { englishText, message } from '../../texts/messages.ts';
import { objectBody } from '../body.ts';
import { FLAG_WORDS, groupedCounts, groupedSchema, ratingShapes } from '../json/ratings.ts';
import { requireFound } from '../json/shape.ts';
import { pageEnvelope, pageOf, type RequestedPage } from '../pagination.ts';
import {
  flagValues,
  newRating,
  numberList,
  optionalId,
  RATING_FILTER_PARAM,
  ratingChange,
  replyBody,
  requireOwnId,
} from '../requests/rating-request.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { textVariables } from '../translations.ts';
import type { ApiVersion } from '../view.ts';

const described = (schema: z.ZodType, description: string) => schema.meta({ description });
const BODY = described(z.string().nullable(), 'Plain text, at most 10,000 characters.');
const SCORE = described(z.int().min(1).max(5), 'From 1 to 5.');

const params = { id: recordId('Id of the rating.') };
const showFlagsFor = optionalId('Id of the client: ratings have its flags.');

const listQuery = {
  addon: textParam('Id, slug or guid of the add-on. Required without user.'),
  user: optionalId('Id of the account that wrote the ratings. Required without addon.'),
  version: optionalId('Id of the version; also earlier ratings of an account.'),
  score: numberList('Scores from 1 to 5', 1, 5),
  exclude_ratings: numberList('Ids of ratings to leave out', 0, MAX_INT4),
  filter: RATING_FILTER_PARAM,
  show_grouped_ratings: isTrue('With addon: the number of its ratings by score, in grouped_ratings.'),
  show_permissions_for: optionalId('With addon, the id of the client: whether it may reply, in can_reply.'),
  show_flags_for: showFlagsFor,
  lang: langParam,
};

/** One account has one rating of a version, and one that counts for an add-on. */
const pageSizeOf = (isOfOne: boolean, page: RequestedPage): RequestedPage =>
  isOfOne ? { ...page, pageSize: 1 } : page;
const isOfOne = ({ addon, user }: { addon: string | null; user: number | null }) => addon !== null && user !== null;

/** What differs between the names of v3, from before May 2018 (contract, Versioning), and those of later versions. */
interface Names {
  /** The path of all ratings. */
  base: string;
  apiVersions: readonly ('v3' | 'v4' | 'v4dev')[];
  /** The versions in which clients can read ratings. */
  readableIn: readonly ApiVersion[];
  scoreKey: 'rating' | 'score';
  shapes: (typeof ratingShapes)['v3'];
}

const NAMES: readonly Names[] = [
  { base: '/reviews/review/', apiVersions: ['v3'], readableIn: ['v3'], scoreKey: 'rating', shapes: ratingShapes.v3 },
  {
    base: '/ratings/rating/',
    apiVersions: ['v4', 'v4dev'],
    readableIn: ['v4', 'v4dev', 'v5'],
    scoreKey: 'score',
    shapes: ratingShapes.v4,
  },
];

const noFlags = { flags: false };

const list = ({ base, readableIn, shapes: { rating } }: Names): Route =>
  route({
    apiVersions: readableIn,
    method: 'GET',
    path: base,
    summary: 'Ratings of an add-on or of an account, newest first',
    signIn: 'optional',
    query: listQuery,
    paginated: true,
    parameterNames: { scores: 'score', excludeRatings: 'exclude_ratings', account: 'user' },
    document: RatingListDocument,
    variables: ({ query, page, view }) => {
      const { addon, user } = query;
      if (!addon && user === null) throw new HttpRefusal(400, message('rating.list_of_nothing'));
      const by = addon ? addonReference(addon) : null;
      return {
        ...{ addon: by, shown: by ?? { databaseId: 0 }, account: user === null ? null : { databaseId: user } },
        filter: {
          ...query.filter,
          version: query.version === null ? null : versionId(query.version),
          scores: query.score,
          excludeRatings: query.exclude_ratings?.map(ratingId),
        },
        ...pageSizeOf(isOfOne(query), page),
        grouped: by !== null && query.show_grouped_ratings,
        permissions: by !== null && query.show_permissions_for !== null,
        flags: query.show_flags_for !== null,
        ...textVariables(view),
      };
    },
    reply: ({ ratings, grouped, permissions, viewer }, { address, page, query, view }) => {
      requireOwnId('show_permissions_for', query.show_permissions_for, viewer);
      requireOwnId('show_flags_for', query.show_flags_for, viewer);
      const envelope = pageEnvelope(address, pageSizeOf(isOfOne(query), page), {
        count: ratings.totalCount,
        results: ratings.nodes.map((node) => rating.write(node, view)),
      });
      return jsonReply({
        ...envelope,
        ...(grouped ? { grouped_ratings: groupedCounts(grouped.groupedRatings) } : {}),
        ...(permissions ? { can_reply: permissions.viewerRights.includes('REPLY_TO_RATINGS') } : {}),
      });
    },
    responses: {
      200: {
        description: 'A page of ratings.',
        schema: pageOf(rating.schema).extend({
          grouped_ratings: groupedSchema.optional(),
          can_reply: z.boolean().optional(),
        }),
      },
    },
    refusals: [400, 403, 404],
  });

const detail = ({ base, readableIn, shapes: { rating } }: Names): Route =>
  route({
    apiVersions: readableIn,
    method: 'GET',
    path: `${base}:id/`,
    summary: 'One rating or reply',
    signIn: 'optional',
    params,
    query: { show_flags_for: showFlagsFor, lang: langParam },
    document: RatingDetailDocument,
    variables: ({ path, query, view }) => ({
      id: ratingId(path.id),
      flags: query.show_flags_for !== null,
      ...textVariables(view),
    }),
    reply: ({ rating: shown, viewer }, { query, view }) => {
      requireOwnId('show_flags_for', query.show_flags_for, viewer);
      return jsonReply(rating.write(requireFound(shown), view));
    },
    responses: { 200: { description: 'The rating.', schema: rating.schema } },
    refusals: [400, 403, 404],
  });

const create = ({ base, apiVersions, scoreKey, shapes: { rating } }: Names): Route =>
  route({
    apiVersions,
    method: 'POST',
    path: base,
    summary: 'Rate a version of an add-on',
    signIn: 'required',
    body: objectBody({
      properties: {
        addon: described(z.union([z.int(), z.string()]), 'Id, slug or guid of the add-on.'),
        version: described(z.int(), 'Id of a public listed version of it.'),
        [scoreKey]: SCORE,
        body: BODY,
      },
      required: ['addon', 'version', scoreKey],
    }),
    parameterNames: { score: scoreKey },
    document: CreateRatingDocument,
    variables: ({ view }, { values }) => {
      const { addon, version: databaseId, ...rated } = newRating(values, scoreKey);
      const input = { addon: addonReference(addon), version: { databaseId }, ...rated };
      return { input, ...noFlags, ...textVariables(view) };
    },
    reply: ({ createRating }, { view }) => jsonReply(rating.write(payloadOf(createRating, 'rating').rating, view), 201),
    responses: { 201: { description: 'The rating.', schema: rating.schema } },
    refusals: [400, 403, 404, 415],
  });

const change = ({ base, apiVersions, scoreKey, shapes: { rating } }: Names): Route =>
  route({
    apiVersions,
    method: 'PATCH',
    path: `${base}:id/`,
    summary: 'Change a rating or reply',
    signIn: 'required',
    params,
    body: objectBody({ properties: { [scoreKey]: SCORE, body: BODY } }),
    parameterNames: { score: scoreKey },
    document: UpdateRatingDocument,
    variables: ({ path, view }, { values }) => ({
      input: { id: ratingId(path.id), ...ratingChange(values, scoreKey) },
      ...noFlags,
      ...textVariables(view),
    }),
    reply: ({ updateRating }, { view }) => jsonReply(rating.write(payloadOf(updateRating, 'rating').rating, view)),
    responses: { 200: { description: 'The rating after the change.', schema: rating.schema } },
    refusals: [400, 403, 404, 415],
  });

const remove = ({ base, apiVersions }: Names): Route =>
  route({
    apiVersions,
    method: 'DELETE',
    path: `${base}:id/`,
    summary: 'Delete a rating with its reply, or a reply',
    signIn: 'required',
    params,
    document: DeleteRatingDocument,
    variables: ({ path }) => ({ id: ratingId(path.id) }),
    reply: () => ({ kind: 'empty' }),
    responses: { 204: { description: 'It is deleted.' } },
    refusals: [403, 404],
  });

const answer = ({ base, apiVersions, shapes: { reply } }: Names): Route =>
  route({
    apiVersions,
    method: 'POST',
    path: `${base}:id/reply/`,
    summary: 'Reply to a rating, or replace the reply',
    signIn: 'required',
    params,
    body: objectBody({ properties: { body: described(z.string(), 'Plain text.') }, required: ['body'] }),
    document: ReplyToRatingDocument,
    variables: ({ path, view }, { values }) => ({
      ...{ id: ratingId(path.id), body: replyBody(values) },
      ...noFlags,
      ...textVariables(view),
    }),
    reply: ({ replyToRating }, { view }) => jsonReply(reply.write(payloadOf(replyToRating, 'reply').reply, view), 201),
    responses: { 201: { description: 'The reply.', schema: reply.schema } },
    refusals: [400, 403, 404, 415],
  });

const flag = ({ base, apiVersions }: Names): Route =>
  route({
    apiVersions,
    method: 'POST',
    path: `${base}:id/flag/`,
    summary: 'Flag a rating for the moderators',
    signIn: 'required',
    params,
    body: objectBody({
      properties: {
        flag: described(z.enum(FLAG_WORDS), 'What is wrong; also with rating_ instead of review_.'),
        note: described(z.string(), 'Plain text for the moderators, which makes the flag review_flag_reason_other.'),
      },
    }),
    document: FlagRatingDocument,
    variables: ({ path }, { values }) => ({ input: { id: ratingId(path.id), ...flagValues(values) } }),
    reply: () => jsonReply({ msg: englishText(message('rating.flagged')) }, 202),
    responses: { 202: { description: 'It is flagged.', schema: z.strictObject({ msg: z.string() }) } },
    refusals: [400, 403, 404, 415],
  });

const ROUTES = [list, create, detail, change, remove, answer, flag];

export const ratingRoutes: readonly Route[] = NAMES.flatMap((names) => ROUTES.map((routeWith) => routeWith(names)));
