/*
 * The server with which the service is compared: express and hand-written, prepared SQL. It serves two URLs with the same bytes as
 * the service. Settings: PORT and DATABASE_URL.
 */
import express from 'express';
import pg from 'pg';
import { config } from '../../../src/config.ts';
import { sessionSettings } from '../../../src/infra/db.ts';
import { pageEnvelope, requestedPage } from '../../../src/rest/pagination.ts';
import { type AddonRow, addonJson } from './json.ts';
import { COUNT, DETAIL, PAGE } from './statements.ts';

const pool = new pg.Pool({ ...sessionSettings('reference'), max: config.DATABASE_POOL });
const app = express();
app.disable('x-powered-by');
app.disable('etag');

app.get('/api/v4/addons/addon/:id/', async (request, response) => {
  const { rows } = await pool.query<AddonRow>({ ...DETAIL, values: [request.params.id] });
  const [row] = rows;
  if (row === undefined) response.status(404).json({ detail: 'Not found.' });
  else response.json(addonJson(row, true));
});

app.get('/api/v4/addons/search/', async (request, response) => {
  const address = new URL(config.BASE_URL + request.originalUrl);
  const page = requestedPage(address.searchParams);
  const values = [page.pageSize, (page.page - 1) * page.pageSize];
  const [counted, found] = await Promise.all([
    pool.query<{ n: number }>(COUNT),
    pool.query<AddonRow>({ ...PAGE, values }),
  ]);
  const count = counted.rows[0]?.n ?? 0;
  const results = found.rows.map((row) => ({ ...addonJson(row, false), _score: 1 }));
  response.json(pageEnvelope(address, page, { count, reachable: Math.min(count, 25_000), results }));
});

app.listen(config.PORT, config.HOST);
