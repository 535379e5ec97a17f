import { createHash } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { blobFile, whileUnreadable } from '../support/blob-file.ts';
import type { Client } from '../support/client.ts';
import { beginningWith, expectRefusal, signingRefusal } from '../support/expect-refusal.ts';
import { xpi } from '../support/packages.ts';

const app = setUpApp();
let dev: Client;
/** An unlisted file and a public listed one. */
let unlisted: { path: string; sha256: string; bytes: Buffer };
let listed: typeof unlisted;

beforeAll(async () => {
  dev = await app.developer();
  unlisted = await signedFile('unlisted@download.test');
  listed = await publicFile('listed@download.test');
});

async function signedFile(guid: string): Promise<typeof unlisted> {
  await dev.put(`/api/v4/addons/${guid}/versions/1.0/`, { upload: await xpi({ guid, version: '1.0' }) });
  await app.runJobs();
  return fileOf(guid, '1.0');
}

/** Approving a listed version takes a listing and a reviewer. */
async function publicFile(guid: string): Promise<typeof unlisted> {
  await signedFile(guid);
  const known = await dev.graphql<{ addon: { id: string }; categories: { id: string }[]; licenses: { id: string }[] }>(
    'query ($guid: String!) { addon(by: { guid: $guid }) { id } categories(app: DESKTOP_BROWSER, type: EXTENSION) { id } licenses { id } }',
    { guid },
  );
  const listing = { id: known.addon.id, categories: [known.categories[0]?.id], license: known.licenses[0]?.id };
  const summary = [{ locale: 'en-US', value: 'A clock.' }];
  await dev.graphql('mutation ($input: UpdateAddonInput!) { updateAddon(input: $input) { __typename } }', {
    input: { ...listing, summary },
  });
  await dev.put(`/api/v4/addons/${guid}/versions/2.0/`, {
    upload: await xpi({ guid, version: '2.0' }),
    channel: 'listed',
  });
  await app.runJobs();
  const { upload } = await dev.graphql<{ upload: { versionId: string } }>(
    'query ($guid: String!) { upload(by: { addonVersion: { guid: $guid, version: "2.0" } }) { versionId } }',
    { guid },
  );
  const reviewer = await app.reviewer();
  const approve = 'mutation ($id: ID!) { approveVersion(input: { id: $id }) { __typename } }';
  await reviewer.graphql(approve, { id: upload.versionId });
  await app.runJobs();
  return fileOf(guid, '2.0');
}

async function fileOf(guid: string, version: string): Promise<typeof unlisted> {
  const status = await dev.get(`/api/v4/addons/${guid}/versions/${version}/`);
  const { files } = status.json as { files: { download_url: string; hash: string }[] };
  const url = files[0]?.download_url ?? '';
  const { bytes } = await dev.get(url);
  return { path: url.slice(app.url.length).split('?')[0] ?? '', sha256: files[0]?.hash.slice(7) ?? '', bytes };
}

describe('GET /api/v4/file/{file_id}/{base_filename}', () => {
  it('sends the file as an attachment', async () => {
    const reply = await dev.get(unlisted.path);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/x-xpinstall',
      'content-length': String(unlisted.bytes.length),
      'content-disposition': expect.stringMatching(/^attachment; filename=[\w.+-]+\.xpi$/),
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      etag: `"${unlisted.sha256}"`,
    });
    expect(createHash('sha256').update(reply.bytes).digest('hex')).toBe(unlisted.sha256);
  });

  it('ignores the file name and unknown sources', async () => {
    const folder = unlisted.path.slice(0, unlisted.path.lastIndexOf('/'));
    const names = [
      'x',
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e',
      'a.xpi?src=api',
      'a.xpi?src=%00',
      'a.xpi/',
      'a.xpi?src=a&src=b',
    ];
    for (const name of names) {
      const reply = await dev.get(`${folder}/${name}`);
      expect([name, reply.status, reply.bytes.equals(unlisted.bytes)]).toEqual([name, 200, true]);
    }
  });

  it('returns no file outside the store for file names with dots', async () => {
    const id = unlisted.path.split('/')[4];
    for (const path of [`/api/v4/file/${id}/../../x`, `/api/v4/file/${id}/%2e%2e/x`]) {
      expectRefusal(await dev.get(path), { status: 404, json: { detail: 'Not found.' } });
    }
    expectRefusal(await dev.get('/api/v4/file/..%2f..%2fetc/passwd'), signingRefusal(404, 'Not found.'));
  });

  it('responds to HEAD with the same headers', async () => {
    const reply = await dev.head(unlisted.path);
    expect([reply.status, reply.bytes.length]).toEqual([200, 0]);
    expect(reply.headers['content-length']).toBe(String(unlisted.bytes.length));
    expect(reply.headers['content-type']).toBe('application/x-xpinstall');
  });

  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, undefined],
    ['bytes=-10', -10, undefined],
    ['bytes=5-5', 5, 6],
    ['bytes=0-999999999', 0, undefined],
    ['BYTES = 0-9', null, undefined],
    ['bytes=0-0,5-9', null, undefined],
    ['bytes=9-5', null, undefined],
    ['bytes=-', null, undefined],
    ['bytes= 5 - 5 ', 5, 6],
    ['bytes= - 10', -10, undefined],
    [`bytes=${' '.repeat(12_000)}x`, null, undefined],
    ['bytes=a-b', null, undefined],
    ['items=0-9', null, undefined],
  ])('responds to the range %s', async (range, start, end) => {
    const reply = await dev.get(unlisted.path, { Range: range });
    const expected = start === null ? unlisted.bytes : unlisted.bytes.subarray(start, end);
    expect([reply.status, reply.bytes.equals(expected)]).toEqual([start === null ? 200 : 206, true]);
    expect(reply.headers['content-length']).toBe(String(expected.length));
    const size = unlisted.bytes.length;
    const from = start !== null && start < 0 ? size + start : start;
    const described = start === null ? undefined : `bytes ${from}-${(from ?? 0) + expected.length - 1}/${size}`;
    expect(reply.headers['content-range']).toBe(described);
  });

  it('refuses a range after the end', async () => {
    for (const range of [`bytes=${unlisted.bytes.length}-`, 'bytes=-0']) {
      const reply = await dev.get(unlisted.path, { Range: range });
      expectRefusal(reply, {
        status: 416,
        json: { detail: beginningWith('The requested range starts after the end of the file.') },
      });
      expect(reply.headers['content-range']).toBe(`bytes */${unlisted.bytes.length}`);
      expect(reply.headers.etag).toBeUndefined();
    }
  });

  it('resumes only if the ETag matches', async () => {
    const same = await dev.get(unlisted.path, { Range: 'bytes=1-', 'If-Range': `"${unlisted.sha256}"` });
    const other = await dev.get(unlisted.path, { Range: 'bytes=1-', 'If-Range': `"${'0'.repeat(64)}"` });
    expect([same.status, other.status]).toEqual([206, 200]);
  });

  it('returns 304 for a matching ETag, and counts no download', async () => {
    const { path, sha256 } = await signedFile('kept@download.test');
    for (const tag of [`"${sha256}"`, `W/"${sha256}"`, `"x", "${sha256}"`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const headers = { 'If-None-Match': tag, Range: 'bytes=0-9' };
        const reply = await dev.request(method, path, { headers });
        expect([reply.status, reply.text, reply.headers.etag]).toEqual([304, '', `"${sha256}"`]);
      }
    }
    for (const [who, address] of [
      [dev, path.replace('/api/v4/', '/api/v3/')],
      [app.anonymous, listed.path.replace('/api/v4/file/', '/downloads/file/')],
    ] as const) {
      const tag = address.includes('downloads') ? listed.sha256 : sha256;
      expect((await who.get(address, { 'If-None-Match': `"${tag}"` })).status).toBe(304);
    }
    expect((await dev.get(path, { 'If-None-Match': `"${'0'.repeat(64)}"` })).status).toBe(200);
    const others = `select source from download_count where file_id = $1 and source <> 'api'`;
    expect(await app.sql(others, [path.split('/')[4]])).toEqual([]);
  });

  it('serves unlisted files to authors and reviewers, and public files to all authenticated clients', async () => {
    const refusals = {
      401: signingRefusal(401, 'Authentication credentials were not provided.'),
      404: signingRefusal(404, 'Not found.'),
    };
    for (const [who, path, status] of [
      [await app.developer(), unlisted.path, 404],
      [await app.reviewer(), unlisted.path, 200],
      [await app.admin(), unlisted.path, 200],
      [await app.developer(), listed.path, 200],
      [app.anonymous, listed.path, 401],
      [app.anonymous, unlisted.path, 401],
      [dev, '/api/v4/file/2147483647/x.xpi', 404],
      [dev, '/api/v4/file/99999999999999999999/x.xpi', 404],
      [dev, '/api/v4/file/0/x.xpi', 404],
      [dev, '/api/v4/file/-1/x.xpi', 404],
      [dev, '/api/v4/file/1e0/x.xpi', 404],
      [dev, '/api/v4/file/null/x.xpi', 404],
      [app.anonymous, '/api/v4/file/null/x.xpi', 401],
    ] as const) {
      for (const api of ['v3', 'v4', 'v4dev']) {
        const reply = await who.get(path.replace('/api/v4/', `/api/${api}/`));
        if (status === 200) expect([path, reply.status]).toEqual([path, status]);
        else expectRefusal(reply, refusals[status]);
      }
    }
  });

  it('takes the token of the v5 response with its address, and no other token twice', async () => {
    const version = '/api/v5/addons/addon/unlisted@download.test/versions/1.0';
    const send = async (path: string, headers: Record<string, string>) =>
      (await app.anonymous.get(path, headers)).status;
    const shared = dev.authorization();
    const reply = await app.anonymous.get(version, shared);
    const { url } = (reply.json as { file: { url: string } }).file;
    const path = new URL(url).pathname;
    expect(path).toMatch(/^\/downloads\/file\/\d+\/[^/]+\.xpi$/);
    expect([await send(path, shared), await send(version, shared), await send(path, shared)]).toEqual([200, 200, 200]);
    for (const other of [unlisted.path, '/api/v4/addons/addon/unlisted@download.test/']) {
      expect([other, await send(other, shared)]).toEqual([other, 401]);
    }
    const fresh = dev.authorization();
    expect([await send(path, fresh), await send(path, fresh)]).toEqual([200, 401]);
    expect([await send(path, {}), await send(path, (await app.developer()).authorization())]).toEqual([404, 404]);
    const spent = dev.authorization();
    expect([await send(unlisted.path, spent), await send(path, spent)]).toEqual([200, 401]);
  });

  it('counts a download in full under its known source', async () => {
    const { path } = await signedFile('counted@download.test');
    for (const source of ['search', 'search', '<script>']) await dev.get(`${path}?src=${source}`);
    await dev.head(`${path}?src=search`);
    await dev.get(`${path}?src=search`, { Range: 'bytes=0-9' });
    const counts = () =>
      app.sql('select source, count from download_count where file_id = $1 order by source', [path.split('/')[4]]);
    await expect.poll(counts, { timeout: 10_000 }).toEqual([
      { source: '', count: 1 },
      // Made by `signedFile` above.
      { source: 'api', count: 1 },
      { source: 'search', count: 2 },
    ]);
  });
});

describe('with a mirror', () => {
  it('redirects to the mirror with the digest of the file', async () => {
    app.config.MIRROR_URL = 'https://mirror.example/files';
    const reply = await (await app.developer()).get(`${listed.path}?src=api`);
    const name = encodeURIComponent(listed.path.split('/').at(-1) ?? '');
    expect([reply.status, reply.text]).toEqual([302, '']);
    expect(reply.headers.location).toBe(`https://mirror.example/files/${listed.sha256}/${name}`);
    expect(reply.headers['x-target-digest']).toBe(`sha256:${listed.sha256}`);
    expect((await dev.get(unlisted.path)).status).toBe(200);
    app.config.MIRROR_URL = undefined;
  });
});

const UNUSABLE = 'This file is lost or damaged on the server. Contact the operator.';

describe('a damaged store', () => {
  const blob = () => blobFile(app.config.DATA_DIR, unlisted.sha256);

  it('sends no part of a small damaged file, and no range once it is known to be damaged', async () => {
    const changed = Buffer.from(unlisted.bytes);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    await writeFile(blob(), changed);
    const reply = await dev.get(unlisted.path);
    expect([reply.status, reply.json]).toEqual([404, { error: UNUSABLE, detail: UNUSABLE }]);
    expect((await dev.get(unlisted.path, { range: 'bytes=5-' })).status).toBe(404);
    await writeFile(blob(), unlisted.bytes);
    expect((await dev.get(unlisted.path)).status).toBe(200);
  });

  it('responds with 404 to requests for a lost file', async () => {
    await rename(blob(), `${blob()}-aside`);
    const requests: Record<string, string>[] = [
      {},
      { range: 'bytes=0-9' },
      { 'if-none-match': `"${unlisted.sha256}"` },
    ];
    for (const headers of requests) {
      const reply = await dev.get(unlisted.path, headers);
      expect([reply.status, reply.json, reply.headers['cache-control']]).toEqual([
        404,
        { error: UNUSABLE, detail: UNUSABLE },
        'no-store',
      ]);
    }
    await rename(`${blob()}-aside`, blob());
    expect((await dev.get(unlisted.path)).status).toBe(200);
  });

  it('responds with 503 and Retry-After while files cannot be read', async () => {
    await whileUnreadable(blob(), async () => {
      const reply = await dev.get(unlisted.path);
      expect([reply.status, reply.headers['retry-after']]).toEqual([503, '10']);
    });
    expect((await dev.get(unlisted.path)).status).toBe(200);
  });
});
