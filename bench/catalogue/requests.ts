/*
 * The requests. Add-ons are drawn by Zipf's law from all public ones except personas, ranked by downloads: few are requested very
 * often, most rarely.
 */
import type pg from 'pg';
import { drawByRank } from '../draw.ts';
import type { Job } from '../load-generator.ts';
import { randomFor } from '../world/random.ts';
import { ADDON_PAGE } from './client-operation.ts';
import { MANY_VERSIONS } from './extra-lines.ts';

type Request = Job['requests'][number];

/** The kinds of requests that are timed. */
export type Work =
  | 'detail'
  | 'list'
  | 'unchanged'
  | 'graphql'
  | 'versions'
  | 'full-versions'
  | 'search'
  | 'autocomplete'
  | 'overrides'
  | 'ratings'
  | 'late-ratings';

const DRAWN = 5_000;
const PAGES = 20;
/** A page of ratings far behind the first. */
export const LATE_PAGE = 400;

/** Requests of each kind, the same in every run for the same catalogue. Those of `unchanged` have no ETags yet. */
export async function requestsFor(database: pg.Client): Promise<Record<Work, Request[]>> {
  const random = randomFor('catalogue', 4).share;
  const { rows } = await database.query<{ id: number; guid: string; name: string }>(
    `SELECT a.id, a.guid, d.body->'name'->>(d.body->>'defaultLocale') AS name
     FROM search_listing s JOIN addon a ON a.id = s.addon_id JOIN addon_document d ON d.addon_id = a.id
     WHERE a.type <> 'persona' ORDER BY s.downloads DESC, a.id`,
  );
  const drawn = drawByRank(rows, DRAWN, random);
  const names = drawn.map(({ name }) => name ?? '').filter((name) => name.length > 2);
  const pages = drawByRank([...Array(PAGES).keys()], DRAWN, random);
  const overridden = await database.query<{ guid: string }>('SELECT guid FROM compat_override ORDER BY guid');
  const mostRated = await mostRatedAddon(database);
  const ratings = (page: number): Request[] => (mostRated === null ? [] : [{ path: ratingsPath(mostRated, page) }]);
  const address = (path: string): Request => ({ path: `/api/v4/addons/${path}` });
  const detail = drawn.map(({ id }) => address(`addon/${id}/`));
  const list = pages.map((page) => address(`search/?type=extension&page=${page + 1}`));
  return {
    detail,
    unchanged: detail,
    list,
    graphql: drawn.map(({ id }) => graphqlRequest({ query: ADDON_PAGE, variables: { ref: id } })),
    versions: drawn.map(({ id }) => address(`addon/${id}/versions/`)),
    'full-versions': [address(`addon/${MANY_VERSIONS}/versions/`)],
    search: names.map((name) => address(`search/?q=${encodeURIComponent(queryOf(name, random))}`)),
    autocomplete: names.map((name) => address(`autocomplete/?q=${encodeURIComponent(begunOf(name, random))}`)),
    overrides: guidLists(drawn, overridden.rows, random).map((guids) =>
      address(`compat-override/?guid=${guids.map(encodeURIComponent).join(',')}`),
    ),
    ratings: ratings(1),
    'late-ratings': ratings(LATE_PAGE),
  };
}

/** The id of the add-on with most stored ratings; null without any. */
export async function mostRatedAddon(database: pg.Client): Promise<number | null> {
  const { rows } = await database.query<{ id: number }>(
    'SELECT addon_id AS id FROM rating_sums ORDER BY (SELECT sum(n) FROM unnest(scores) AS n) DESC, addon_id LIMIT 1',
  );
  return rows[0]?.id ?? null;
}

/** A page of the ratings of an add-on. */
export const ratingsPath = (addonId: number, page: number): string =>
  `/api/v4/ratings/rating/?addon=${addonId}&page=${page}`;

/** One of the words of a name, or all of them. */
function queryOf(name: string, random: () => number): string {
  const words = name.split(/\s+/);
  return random() < 0.5 ? name.slice(0, 100) : (words[Math.floor(random() * words.length)] ?? name);
}

/** A prefix of a name. */
const begunOf = (name: string, random: () => number): string => name.slice(0, 2 + Math.floor(random() * 5));

/** Lists of guids as browsers send them: the installed add-ons, one in ten with an override. */
function guidLists(drawn: readonly { guid: string }[], overridden: readonly { guid: string }[], random: () => number) {
  const pick = (some: readonly { guid: string }[]) => some[Math.floor(random() * some.length)]?.guid ?? '';
  const withOverride = new Set(overridden.map(({ guid }) => guid));
  const others = drawn.filter(({ guid }) => !withOverride.has(guid));
  return Array.from({ length: 1_000 }, () =>
    Array.from({ length: 25 }, () => pick(random() < 0.1 ? overridden : others)),
  );
}

function graphqlRequest(parameters: object): Request {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', path: '/graphql', headers, body: JSON.stringify(parameters) };
}
