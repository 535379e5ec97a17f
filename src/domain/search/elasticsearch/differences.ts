import { z } from 'zod';
import { config } from '../../../config.ts';
import { pool } from '../../../infra/db.ts';
import { SearchServerError } from '../../../infra/search-server/errors.ts';
import { sendSearchRequest } from '../../../infra/search-server/send-request.ts';

/** An add-on with different revisions in index and database; null where one of them has none. */
export interface Difference {
  id: number;
  inDatabase: number | null;
  inIndex: number | null;
}

const STEP = 2_000;

const response = z.object({
  hits: z.object({ hits: z.array(z.object({ _id: z.string(), _version: z.number() })) }),
});

type Revisions = Map<number, number>;

/** Compares all revisions of both sides. Add-ons that change during the walk may or may not be included. */
export async function differencesOf(index: string): Promise<Difference[]> {
  const different: Difference[] = [];
  for (let after = 0; ; ) {
    const inDatabase = await databaseRevisions(after);
    const last = inDatabase.size < STEP ? null : Math.max(...inDatabase.keys());
    const inIndex = await indexRevisions(index, after, last);
    for (const id of new Set([...inDatabase.keys(), ...inIndex.keys()])) {
      const pair = { id, inDatabase: inDatabase.get(id) ?? null, inIndex: inIndex.get(id) ?? null };
      if (pair.inDatabase !== pair.inIndex) different.push(pair);
    }
    if (last === null) return different;
    after = last;
  }
}

async function databaseRevisions(after: number): Promise<Revisions> {
  const { rows } = await pool.query<{ id: number; rev: string }>(
    'SELECT addon_id AS id, rev::text FROM addon_search WHERE addon_id > $1 ORDER BY addon_id LIMIT $2',
    [after, STEP],
  );
  return new Map(rows.map(({ id, rev }) => [id, Number(rev)]));
}

async function indexRevisions(index: string, after: number, last: number | null): Promise<Revisions> {
  const found: Revisions = new Map();
  const size = Math.min(STEP, config.SEARCH_WINDOW);
  for (let from = after; ; ) {
    const range = { gt: from, ...(last === null ? {} : { lte: last }) };
    const body = { query: { range: { id: range } }, sort: [{ id: 'asc' }], size, version: true, _source: false };
    const deadline = AbortSignal.timeout(config.SEARCH_WRITE_TIMEOUT_MS);
    const parsed = response.safeParse(
      await sendSearchRequest({ method: 'POST', path: `/${index}/_search`, body, deadline }),
    );
    if (!parsed.success) throw new SearchServerError('the response has no revisions');
    const { hits } = parsed.data.hits;
    for (const { _id, _version } of hits) found.set(Number(_id), _version);
    if (hits.length < size) return found;
    from = Number(hits.at(-1)?._id);
  }
}
