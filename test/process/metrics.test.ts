import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../crash/support/installation.ts';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { make, pathOf, queryFor } from '../support/updates.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const app = setUpApp();
let address: string;
let end: () => void;

beforeAll(async () => {
  app.config.METRICS_PORT = await freePort();
  const { serveMetrics } = await import('../../src/process/metrics.ts');
  end = await serveMetrics();
  address = `http://127.0.0.1:${app.config.METRICS_PORT}/metrics`;
});
afterAll(() => end());

const scrape = async (): Promise<string> => (await fetch(address)).text();

/** The value of a metric with these labels; undefined when it is absent. */
async function metricValue(metric: string): Promise<number | undefined> {
  const line = (await scrape()).split('\n').find((each) => each.startsWith(`${metric} `));
  return line === undefined ? undefined : Number(line.slice(metric.length + 1));
}

describe('the metrics of a process', () => {
  it('are for GET of /metrics', async () => {
    const { status, headers } = await fetch(address);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect((await fetch(address, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${address}/other`)).status).toBe(404);
  });

  it('count requests by the template of their address, with a number of labels that does not depend on them', async () => {
    const read = async (number: number) => {
      const { slug } = await addon({ status: 'public', slug: `measured-${number}` });
      await app.anonymous.get(`/api/v4/addons/addon/${slug}/`);
      await app.anonymous.get(`/addon/${slug}/`);
      await app.anonymous.get(`/nothing-${number}/`);
      await app.anonymous.get(`/api/v4/nothing-${number}/`);
      await app.anonymous.graphql(`query Client${number} { addons(first: 1) { totalCount } }`, {});
      await app.anonymous.get(pathOf(queryFor(`unknown-${number}@example`)));
    };
    await read(1);
    // Node's metrics get lines when a kind of garbage collection happens for the first time.
    const count = async () => (await scrape()).split('\n').filter((line) => line.startsWith('addons_')).length;
    const before = await count();
    await read(2);
    await read(3);
    expect(await count()).toBe(before);
    const detail = 'addons_request_seconds_count{route="/api/v4/addons/addon/:addon/",method="GET",status="200"}';
    await expect.poll(() => metricValue(detail)).toBe(3);
    expect(await metricValue('addons_operation_seconds_count{operation="client"}')).toBe(3);
  });

  it('say whether update checks were answered from memory', async () => {
    const { guid } = await make();
    const counted = () => metricValue('addons_update_checks_total{source="memory"}');
    const before = (await counted()) ?? 0;
    await expect
      .poll(async () => {
        await app.anonymous.get(pathOf(queryFor(guid)));
        return ((await counted()) ?? 0) > before;
      })
      .toBe(true);
  });

  it('are sent while no connection of the database is free, without what needs one', async () => {
    const { pool } = await import('../../src/infra/db.ts');
    const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const waiting = pool.query('SELECT');
    try {
      const text = await scrape();
      expect(text).toMatch(/^addons_database_waiting\{pool="[^"]+"\} [1-9]/m);
      expect(text).not.toMatch(/^addons_(?:workers|database_up) /m);
    } finally {
      for (const client of taken) client.release();
    }
    await waiting;
    await expect.poll(() => metricValue('addons_database_up')).toBe(1);
  });

  it('have the queue, mails, storage and connections of the installation', async () => {
    await app.sql(`SELECT graphile_worker.add_job('sync-search', '{}', run_at => now() - interval '1 hour')`);
    expect(await metricValue('addons_jobs{task="sync-search",state="waiting"}')).toBe(1);
    expect(await metricValue('addons_job_wait_seconds{task="sync-search"}')).toBeGreaterThan(3_599);
    await app.sql(`DELETE FROM graphile_worker._private_jobs`);
    expect(await metricValue('addons_jobs{task="sync-search",state="waiting"}')).toBeUndefined();
    expect(await metricValue('addons_database_up')).toBe(1);
    expect(await metricValue('addons_storage_up')).toBe(1);
    expect(await metricValue('addons_mails{state="queued"}')).toBeGreaterThanOrEqual(0);
    expect(await metricValue('addons_database_connections_max{pool="addons"}')).toBe(app.config.DATABASE_POOL);
  });

  it('contain everything that the alert rules and the dashboard read', async () => {
    const metrics = await scrape();
    const names = new Set([...metrics.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
    for (const file of ['alerts.yml', 'dashboard.json']) {
      const text = await readFile(join(DEPLOY, file), 'utf8');
      const read = [...text.matchAll(/\b(?:addons|nodejs|process)_\w+/g)].map(([name]) => name);
      expect(read.length, file).toBeGreaterThan(10);
      for (const name of read) expect(names, file).toContain(name.replace(/_(?:bucket|sum|count)$/, ''));
    }
  });
});
