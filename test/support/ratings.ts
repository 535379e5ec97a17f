/* Ratings by the API of clients. */
import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import type { MadeAddon } from './factories.ts';
import { globalId } from './global-ids.ts';
import { type MutationResult, mutate } from './mutate.ts';

const CREATE = `mutation($input: CreateRatingInput!) { createRating(input: $input) { __typename ... on UserError { code message path }
  ... on CreateRatingPayload { rating { databaseId isOnHold } } } }`;
type Created = MutationResult & { rating?: { databaseId: number; isOnHold: boolean } };

/** Rates a version, the first one by default, or returns the refusal. */
export async function attemptRating(
  client: Client,
  made: MadeAddon,
  score: number,
  body?: string | null,
  version = 0,
): Promise<Created> {
  const input = { addon: { databaseId: made.id }, version: { databaseId: made.versions[version]?.id }, score, body };
  return (await client.graphql<{ createRating: Created }>(CREATE, { input })).createRating;
}

/** Rates a version, the first one by default. Returns the id. */
export async function rate(...rating: Parameters<typeof attemptRating>): Promise<number> {
  return (await attemptRating(...rating)).rating?.databaseId ?? 0;
}

/** Runs a mutation that takes the id of a rating. */
export const changeRating = (client: Client, name: string, id: number, input: object = {}) =>
  mutate(client, name, { id: globalId('Rating', id), ...input });

interface Shown {
  ratings: { count: number; textCount: number; average: number; bayesianAverage: number };
  groupedRatings: { count: number }[];
  userRatings: {
    totalCount: number;
    nodes: { databaseId: number; body: string | null; reply: { body: string } | null }[];
  };
}
const SHOWN = `query($id: Int!, $filter: RatingFilter) { addon(by: { databaseId: $id }) { ratings { count textCount average bayesianAverage }
  groupedRatings { count } userRatings(filter: $filter) { totalCount nodes { databaseId body reply { body } } } } }`;

/** What an add-on shows of its ratings, to anonymous clients by default. */
export async function ratingsOf(app: TestApp, made: MadeAddon, filter: object = {}, client: Client = app.anonymous) {
  return (await client.graphql<{ addon: Shown }>(SHOWN, { id: made.id, filter })).addon;
}

export type ListedRatings = [made: MadeAddon, filter?: object, client?: Client];

/** The ids of the ratings that an add-on lists, all of which it counts. */
export async function listedRatings(app: TestApp, ...[made, filter, client]: ListedRatings): Promise<number[]> {
  const { nodes, totalCount } = (await ratingsOf(app, made, filter, client)).userRatings;
  expect(totalCount).toBe(nodes.length);
  return nodes.map(({ databaseId }) => databaseId);
}

/** The operation that reads what an add-on shows, for refusals. */
export const readRatings = (client: Client, made: MadeAddon, filter: object) =>
  client.graphqlResult(SHOWN, { id: made.id, filter });

/** Ratings of an add-on by `count` accounts, each with a flag and a reply. Returns the id of the newest one. */
export async function addRatings(app: TestApp, addonId: number, count: number): Promise<string> {
  const ratings = await app.sql<{ id: number }>(
    `WITH writer AS (
       INSERT INTO account (username) SELECT 'rater-' || $1::int || '-' || n FROM generate_series(1, $2::int) AS n RETURNING id
     )
     INSERT INTO rating (addon_id, account_id, score, body, is_latest, open_flags)
     SELECT $1::int, id, 4, 'Draws well.', true, 1 FROM writer ORDER BY id RETURNING id`,
    [addonId, count],
  );
  const ids = ratings.map(({ id }) => id);
  await app.sql("INSERT INTO rating_flag (rating_id, reason) SELECT unnest($1::int[]), 'flood'", [ids]);
  await app.sql(
    `INSERT INTO rating (addon_id, account_id, reply_to, body) SELECT addon_id, account_id, id, 'Thanks.' FROM rating
     WHERE id = ANY($1::int[])`,
    [ids],
  );
  await app.sql(
    `INSERT INTO rating_sums (addon_id, scores, texts) VALUES ($1, ARRAY[0, 0, 0, $2::int, 0], ARRAY[0, 0, 0, $2::int, 0])`,
    [addonId, count],
  );
  return String(ids.at(-1));
}
