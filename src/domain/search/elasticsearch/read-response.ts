/* Strict parsing of the search server's responses: a proxy in between may send something else. */
import { z } from 'zod';
import { SearchServerError } from '../../../infra/search-server/send-request.ts';
import { type Facets, type Hit, MAX_FACET_TAGS, noFacets } from '../query/engine.ts';

const shards = z.object({ failed: z.number() });
const hit = z.object({ _id: z.string().regex(/^\d{1,10}$/), _score: z.number().nullable() });
const page = z.object({
  timed_out: z.literal(false),
  _shards: shards,
  hits: z.object({ total: z.object({ value: z.number().int() }).optional(), hits: z.array(hit) }),
});

/** Hits in order, and their total when requested. */
interface HitPage {
  count: number | null;
  hits: Hit[];
}

/** @throws {SearchServerError} for a response of another form or with failed shards. */
export function readHits(response: unknown): HitPage {
  const parsed = page.safeParse(response);
  if (!parsed.success) throw new SearchServerError('the response is not a search result');
  const { _shards, hits } = parsed.data;
  if (_shards.failed > 0) throw new SearchServerError('has searched a part of the index only');
  return {
    count: hits.total?.value ?? null,
    hits: hits.hits.map(({ _id, _score }) => ({ id: Number(_id), score: _score ?? 0 })),
  };
}

const buckets = z.object({
  buckets: z.array(z.object({ key: z.union([z.string(), z.number()]), doc_count: z.number().int() })),
});
const FACET_FIELDS = {
  types: 'type',
  applications: 'app',
  platforms: 'platform',
  categories: 'category',
  tags: 'tag',
  locales: 'locale',
} as const satisfies Record<keyof Facets, string>;
const facetsResponse = z.object({
  aggregations: z.record(z.enum(Object.keys(FACET_FIELDS) as (keyof Facets)[]), buckets),
});

const MAX_VALUES = 10_000;

/** Aggregations of the facets. */
export const FACET_AGGREGATIONS = Object.fromEntries(
  Object.entries(FACET_FIELDS).map(([name, field]) => [
    name,
    { terms: { field, size: name === 'tags' ? MAX_FACET_TAGS : MAX_VALUES } },
  ]),
);

/** @throws {SearchServerError} for a response without facets. */
export function readFacets(response: unknown): Facets {
  const parsed = facetsResponse.safeParse(response);
  if (!parsed.success) throw new SearchServerError('the response has no facets');
  const facets = noFacets();
  for (const [name, { buckets }] of Object.entries(parsed.data.aggregations)) {
    for (const { key, doc_count } of buckets) facets[name as keyof Facets][key] = doc_count;
  }
  return facets;
}
