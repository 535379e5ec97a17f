/*
 * Whether a new index may be searched: it has every add-on in its present revision, and answers as PostgreSQL does.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../../../config.ts';
import { pool } from '../../../infra/db.ts';
import { databaseEngine } from '../postgres/database-engine.ts';
import { readSearchRequest } from '../read-search-request.ts';
import { type Difference, differencesOf } from './differences.ts';
import { elasticsearchEngine } from './elasticsearch-engine.ts';
import { refreshIndex } from './index-admin.ts';
import { syncAddons } from './sync-addons.ts';

/** A new index lacks something. */
export class IndexGapError extends Error {
  override readonly name = 'IndexGapError';
}

const BATCH = 500;

/** @throws {IndexGapError} for an index that is not as it should be. */
export async function verifyIndex(name: string): Promise<void> {
  const before = await differencesOf(name);
  if (before.length > 0) await requireRepair(name, before);
  await requireSameAnswers(name);
}

/** Add-ons that were changed a moment ago may differ; one that differs again, in the same way, is a gap. */
async function requireRepair(name: string, before: readonly Difference[]): Promise<void> {
  for (let start = 0; start < before.length; start += BATCH) {
    await syncAddons(before.slice(start, start + BATCH).map(({ id }) => id));
  }
  await refreshIndex(name);
  const known = new Set(before.map((each) => JSON.stringify(each)));
  const gaps = (await differencesOf(name)).filter((each) => known.has(JSON.stringify(each)));
  if (gaps.length > 0) {
    throw new IndexGapError(
      `The new index differs from the database in ${gaps.length} add-ons, such as ${gaps[0]?.id}.`,
    );
  }
}

const SAMPLE = `SELECT coalesce(name->>default_locale, '') AS q FROM addon JOIN (
    (SELECT addon_id FROM search_listing ORDER BY users DESC, addon_id LIMIT 5)
    UNION (SELECT addon_id FROM search_listing ORDER BY downloads DESC, addon_id LIMIT 5)
  ) AS used ON addon.id = used.addon_id`;
const PAGE = { offset: 0, limit: 10 };
const TRIES = 3;
const PAUSE_MS = 1_000;
const PATIENCE_MS = 10_000;

/** Changes that arrive between the two answers make them differ, so they may be asked again. */
async function requireSameAnswers(name: string): Promise<void> {
  const { rows } = await pool.query<{ q: string }>(SAMPLE);
  for (const { q } of rows) {
    for (let attempt = 1; !(await answersAlike(name, q)); attempt++) {
      if (attempt === TRIES) throw new IndexGapError(`The new index answers '${q}' in another way than the database.`);
      await sleep(PAUSE_MS);
      await refreshIndex(name);
    }
  }
}

async function answersAlike(name: string, q: string): Promise<boolean> {
  const query = Array.from(q).slice(0, 100).join('');
  const request = readSearchRequest({ q: query }, { locale: config.DEFAULT_LOCALE, except: [] });
  const [one, other] = await Promise.all([
    elasticsearchEngine(name, PATIENCE_MS).search(request, PAGE),
    databaseEngine.search(request, PAGE),
  ]);
  const ids = (hits: readonly { id: number }[]) => hits.map(({ id }) => id).join();
  return one.count === other.count && ids(one.hits) === ids(other.hits);
}
