import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { untilSessionsWait } from '../support/locks.ts';
import { withoutDatabase } from '../support/outage.ts';
import { storedFiles } from '../support/stored-files.ts';

const OTHER = `"${'0'.repeat(64)}"`;

const store = storedFiles('.xpi');
const app = setUpApp();

/** A public file of random bytes in the store. */
async function publicFile(size: number) {
  const bytes = randomBytes(size);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { blobs } = await import('../../src/infra/blob-store/blobs.ts');
  await blobs.put({ path: await store(bytes), sha256 });
  const { id: addonId, versions } = await addon({
    versions: [{ files: [{ sha256, size: BigInt(size), isStored: true }] }],
  });
  const id = versions[0]?.files[0]?.id;
  return { addonId, id, url: `/downloads/file/${id}/name.xpi`, etag: `"${sha256}"`, bytes };
}

/** Download counts by source. */
async function countsOf(id: number | undefined): Promise<Record<string, number>> {
  const { flushDownloadCounts } = await import('../../src/domain/versions/download-counts.ts');
  await flushDownloadCounts();
  const rows = await app.sql<{ source: string; count: number }>(
    'SELECT source, count::int FROM download_count WHERE file_id = $1',
    [id],
  );
  return Object.fromEntries(rows.map(({ source, count }) => [source, count]));
}

describe('a delivered file', () => {
  it('counts as one download when sent in full, whatever headers the request has', async () => {
    const { id, url, etag, bytes } = await publicFile(1_000);
    const whole: Record<string, Record<string, string>> = {
      plain: {},
      'stale-etag': { 'If-None-Match': OTHER },
      'stale-if-range': { Range: 'bytes=0-9', 'If-Range': OTHER },
      'from-start': { Range: 'bytes=0-' },
      'to-end': { Range: 'bytes=0-999' },
      'other-unit': { Range: 'items=0-9' },
      reversed: { Range: 'bytes=9-5' },
      several: { Range: 'bytes=0-1,5-6' },
      'one-of-two': { Range: 'bytes=0-1,5000-' },
      'longer-than-file': { Range: 'bytes=-5000' },
      'no-number': { Range: 'bytes=x-y' },
      'no-unit': { Range: '0-9' },
      'no-range': { Range: 'bytes=' },
      huge: { Range: `bytes=0-${'9'.repeat(400)}` },
      separators: { Range: `bytes=${',-'.repeat(4_000)}` },
    };
    for (const [name, headers] of Object.entries(whole)) {
      const reply = await app.anonymous.get(`${url}?src=external-${name}`, headers);
      expect([name, reply.bytes.equals(bytes)]).toEqual([name, true]);
    }
    const partial: Record<string, Record<string, string>> = {
      part: { Range: 'bytes=0-9' },
      rest: { Range: 'bytes=1-' },
      unchanged: { 'If-None-Match': etag },
      beyond: { Range: 'bytes=1000-' },
    };
    const statuses = [];
    for (const [name, headers] of Object.entries(partial)) {
      statuses.push((await app.anonymous.get(`${url}?src=external-${name}`, headers)).status);
    }
    expect(statuses).toEqual([206, 206, 304, 416]);
    await app.anonymous.head(`${url}?src=external-head`);
    await expect
      .poll(() => countsOf(id))
      .toEqual(Object.fromEntries(Object.keys(whole).map((name) => [`external-${name}`, 1])));
  });

  it('does not count when the client disconnects before the end', async () => {
    const { id, url } = await publicFile(30_000_000);
    await new Promise<void>((resolve) => {
      const request = httpRequest(`${app.url}${url}?src=external-aborted`, (response) => {
        response.once('data', () => {
          response.destroy();
          resolve();
        });
      });
      request.end();
    });
    expect((await app.anonymous.get(`${url}?src=external-complete`)).bytes.length).toBe(30_000_000);
    await expect.poll(() => countsOf(id)).toEqual({ 'external-complete': 1 });
  });

  it('counts when the client is redirected to a mirror, but not for a range', async () => {
    const { id, url } = await publicFile(1_000);
    app.config.MIRROR_URL = 'https://mirror.example/files';
    for (const [name, headers] of Object.entries({
      whole: {},
      start: { Range: 'bytes=0-' },
      part: { Range: 'bytes=5-' },
    })) {
      const reply = await app.anonymous.get(`${url}?src=external-${name}`, headers as Record<string, string>);
      expect(reply.status).toBe(302);
    }
    await app.anonymous.head(`${url}?src=external-head`);
    app.config.MIRROR_URL = undefined;
    await expect.poll(() => countsOf(id)).toEqual({ 'external-whole': 1, 'external-start': 1 });
  });
});

/** A complete download of a file with the source `search`, from a new address. */
const searched = (addonId: number, fileId: number | undefined) => ({
  ...{ addonId, fileId: fileId ?? 0, source: 'search', address: `192.0.2.${++lastAddress}` },
});
let lastAddress = 0;

describe('counts of downloads', () => {
  it('have at most 20 of one add-on for an address and day, in all its files', async () => {
    const { countDownload } = await import('../../src/domain/versions/download-counts.ts');
    const [first, second] = [await publicFile(1), await publicFile(1)];
    for (let download = 0; download < 25; download++) {
      countDownload({ addonId: first.addonId, fileId: first.id ?? 0, source: '', address: '2001:db8::1' });
      countDownload({ addonId: second.addonId, fileId: second.id ?? 0, source: '', address: `2001:db8::${download}` });
    }
    countDownload(searched(first.addonId, first.id));
    countDownload({ ...searched(first.addonId, first.id), address: null });
    expect([await countsOf(first.id), await countsOf(second.id)]).toEqual([{ '': 20, search: 1 }, { '': 20 }]);
    for (let download = 0; download < 25; download++) {
      expect((await app.anonymous.get(second.url)).bytes).toEqual(second.bytes);
    }
    await expect.poll(() => countsOf(second.id)).toEqual({ '': 40 });
  });

  it('are kept when another process counts the same files in another order', async () => {
    const { countDownload, flushDownloadCounts } = await import('../../src/domain/versions/download-counts.ts');
    const { pool } = await import('../../src/infra/db.ts');
    const [first, second] = [await publicFile(1), await publicFile(1)];
    const count = `INSERT INTO download_count VALUES ($1, CURRENT_DATE, 'search', 1)
      ON CONFLICT (file_id, day, source) DO UPDATE SET count = download_count.count + 1`;
    const other = await pool.connect();
    try {
      await other.query('BEGIN');
      await other.query(count, [first.id]);
      countDownload(searched(second.addonId, second.id));
      countDownload(searched(first.addonId, first.id));
      const flush = flushDownloadCounts();
      await untilSessionsWait(app, '%INTO download_count%');
      await other.query(count, [second.id]);
      await other.query('COMMIT');
      await flush;
    } finally {
      other.release(true);
    }
    expect([await countsOf(first.id), await countsOf(second.id)]).toEqual([{ search: 2 }, { search: 2 }]);
  });

  it('are kept while the database is unreachable or refuses them, and do not depend on deleted files', async () => {
    const { countDownload, flushDownloadCounts } = await import('../../src/domain/versions/download-counts.ts');
    const { addonId, id } = await publicFile(1);
    countDownload(searched(addonId, id));
    const deletedId = 2_000_000_000;
    countDownload(searched(addonId, deletedId));
    await withoutDatabase(app, flushDownloadCounts);
    countDownload(searched(addonId, id));
    await app.sql('ALTER TABLE download_count ADD CONSTRAINT refusal CHECK (false) NOT VALID');
    await flushDownloadCounts();
    await app.sql('ALTER TABLE download_count DROP CONSTRAINT refusal');
    countDownload(searched(addonId, id));
    expect(await countsOf(id)).toEqual({ search: 3 });
  });
});
