import { refreshPopularity } from '../../src/domain/search/postgres/maintain/maintenance.ts';
import { writeSearchRows } from '../../src/domain/search/postgres/maintain/write-rows.ts';
import { db } from '../../src/infra/db.ts';
import { percentile } from '../measure.ts';
import type { Row } from '../report.ts';

const REWRITTEN = 200;
/** Warm-up rewrites that do not count. */
const BEFORE = 100;
/** Add-ons per statement, well within the statement timeout. */
const BATCH = 5_000;

/** The cost of updates of the search tables. Changes the catalogue: adds a word to some texts, and users. */
export async function measureWrites(): Promise<Row[]> {
  const times = await rewriteSome();
  const { seconds, changed } = await changeUsers();
  return [
    { what: 'PostgreSQL, rewriting one add-on: p50', value: percentile(times, 0.5), unit: 'ms', goal: { max: 5 } },
    { what: 'PostgreSQL, rewriting one add-on: p95', value: percentile(times, 0.95), unit: 'ms' },
    { what: 'PostgreSQL, new numbers of users of all add-ons', value: seconds, unit: 's', goal: { max: 15 } },
    { what: 'PostgreSQL, rows that these numbers change', value: changed, unit: 'rows' },
  ];
}

/** Changes texts, then measures the transaction that updates the search rows. */
async function rewriteSome(): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT addon_id AS id FROM search_listing ORDER BY md5(addon_id::text) LIMIT ${BEFORE + REWRITTEN}`;
  const times: number[] = [];
  for (const { id } of rows) {
    await db.$executeRaw`UPDATE addon SET summary = jsonb_set(summary, ARRAY[default_locale],
      to_jsonb(coalesce(summary->>default_locale, '') || ' rewritten')) WHERE id = ${id}`;
    await db.$executeRaw`UPDATE addon_document d SET body = c.body, row_version = nextval('addon_document_row_version_seq')
      FROM current_addon_document c WHERE c.addon_id = d.addon_id AND d.addon_id = ${id}`;
    const started = performance.now();
    await db.$transaction((tx) => writeSearchRows(tx, [id]));
    times.push(performance.now() - started);
  }
  return times.slice(BEFORE);
}

/** Changes the numbers of seven in ten add-ons. */
async function changeUsers(): Promise<{ seconds: number; changed: number }> {
  const [last] = await db.$queryRaw<{ id: number }[]>`SELECT max(id) AS id FROM addon`;
  for (let from = 0; from <= (last?.id ?? 0); from += BATCH) {
    await db.$executeRaw`UPDATE addon SET average_daily_users = average_daily_users + 1 + average_daily_users / 50
      WHERE id > ${from} AND id <= ${from + BATCH} AND id % 10 < 7`;
  }
  const started = performance.now();
  const changed = await refreshPopularity();
  return { seconds: (performance.now() - started) / 1000, changed };
}
