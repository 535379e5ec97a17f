import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashOfKey } from '../../../src/domain/updates/address-rows.ts';
import { loggedPath } from '../../../src/http/request-id.ts';
import { setUpApp } from '../../support/app.ts';
import type { Client, Reply } from '../../support/client.ts';
import type { VersionFacts } from '../../support/factories.ts';
import { statementsDuring } from '../../support/statements.ts';
import { storedFiles } from '../../support/stored-files.ts';
import { create, end, entriesAt, makeUnlisted, UNLISTED, withAddress } from '../../support/update-addresses.ts';
import { FILE, LEGACY } from '../../support/updates.ts';

const store = storedFiles('.xpi');
const app = setUpApp();
let author: Client;

beforeAll(async () => {
  author = await app.developer();
});

describe('GET /updates/{guid}/{key}/updates.json', () => {
  it('has the ten newest signed unlisted versions, with links that need no credentials', async () => {
    const bytes = Buffer.from('the signed package');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { blobs } = await import('../../../src/infra/blob-store/blobs.ts');
    await blobs.put({ path: await store(bytes), sha256 });
    const versions: VersionFacts[] = Array.from({ length: 12 }, () => UNLISTED);
    versions.push(
      { ...UNLISTED, compatibility: { mail_client: ['91.0', '140.*'] }, releaseNotes: { 'en-US': 'New' } },
      { ...UNLISTED, compatibility: { desktop_browser: ['60.0', '*'], mobile_browser: ['70.0', '80.*'] } },
      {
        ...UNLISTED,
        files: [{ ...LEGACY, sha256, size: BigInt(bytes.length) }],
        compatibility: { desktop_browser: ['57.0', '60.*'] },
      },
      { ...UNLISTED, stage: 'awaiting_review', files: [{ ...FILE, status: 1 }] },
      { ...UNLISTED, files: [{ ...FILE, status: 5 }] },
      { ...UNLISTED, deletedAt: new Date() },
      { ...UNLISTED, files: [{ isStored: false }] },
      { ...UNLISTED, compatibility: {} },
      { files: [FILE] },
    );
    const { made, url, key } = await withAddress(author, versions);
    const entries = (await entriesAt(app, url, made.guid)) ?? [];
    expect(entries.map(({ version }) => version)).toEqual(Array.from({ length: 10 }, (_, index) => `${15 - index}.0`));
    const base = `${app.url}/updates/${encodeURIComponent(made.guid)}/${key}`;
    const fileOf = (index: number) => made.versions[index]?.files[0];
    expect(entries.slice(0, 3)).toEqual([
      {
        version: '15.0',
        update_link: `${base}/${fileOf(14)?.id}/made_${made.id}-15.0.xpi`,
        applications: { gecko: { strict_min_version: '57.0' } },
        update_hash: `sha256:${sha256}`,
      },
      expect.objectContaining({ applications: { gecko: { strict_min_version: '60.0' } } }),
      {
        version: '13.0',
        update_link: `${base}/${fileOf(12)?.id}/made_${made.id}-13.0.xpi`,
        applications: { gecko: { strict_min_version: '91.0', strict_max_version: '140.*' } },
        update_hash: `sha256:${fileOf(12)?.sha256}`,
      },
    ]);
    const reply = await app.anonymous.get(entries[0]?.update_link ?? '');
    expect([reply.status, reply.bytes, reply.headers]).toMatchObject([
      ...[200, bytes],
      {
        'content-type': 'application/x-xpinstall',
        'content-disposition': `inline; filename="made_${made.id}-15.0.xpi"`.replaceAll('"', ''),
        'cache-control': 'max-age=300',
        'x-robots-tag': 'noindex',
      },
    ]);
  });

  it('keeps the limits of the manifest when the developer has removed the desktop browser from a version', async () => {
    const { made, url } = await withAddress(author, [
      { ...UNLISTED, files: [LEGACY], compatibility: { mobile_browser: ['60.0', '*'] } },
    ]);
    const ranges = { desktop_browser: { min: '57.0', max: '60.*', isLocked: false } };
    await app.sql(
      'update version set manifest_compatibility = $1, is_strict_compatibility_enabled = true where id = $2',
      [{ isStrict: true, ranges }, made.versions[0]?.id],
    );

    const [entry] = (await entriesAt(app, url, made.guid)) ?? [];

    expect(entry?.applications).toEqual({ gecko: { strict_min_version: '57.0', strict_max_version: '60.*' } });
  });

  it('responds in one statement, with an ETag, to HEAD as to GET, and refuses other methods', async () => {
    const { made, url } = await withAddress(author);
    let reply: Reply | undefined;
    const statements = await statementsDuring(async () => {
      reply = await app.anonymous.get(url);
    });
    expect(statements).toHaveLength(1);
    expect([reply?.status, reply?.headers]).toMatchObject([
      200,
      { 'content-type': 'application/json', 'cache-control': 'max-age=300', 'x-robots-tag': 'noindex' },
    ]);
    const { etag = '' } = reply?.headers ?? {};
    const head = await app.anonymous.head(url);
    expect([head.status, head.text, head.headers.etag, head.headers['content-length']]).toEqual([
      ...[200, '', etag, String(reply?.bytes.length)],
    ]);
    const same = await app.anonymous.get(url, { 'If-None-Match': etag });
    expect([same.status, same.text, same.headers['x-robots-tag']]).toEqual([304, '', 'noindex']);
    const [entry] = (await entriesAt(app, url, made.guid)) ?? [];
    for (const address of [url, entry?.update_link ?? '']) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const refused = await app.anonymous.request(method, address);
        expect([method, refused.status, refused.headers.allow]).toEqual([method, 405, 'GET, HEAD']);
      }
    }
    expect(await app.sql('select * from daily_statistics where addon_id = $1', [made.id])).toEqual([]);
  });

  it('has the id as spelled in the address', async () => {
    const { made, url } = await withAddress(author);
    const loud = url.replace(encodeURIComponent(made.guid), encodeURIComponent(made.guid.toUpperCase()));
    const [entry] = (await entriesAt(app, loud, made.guid.toUpperCase())) ?? [];
    expect(entry?.update_link).toContain(`/updates/${encodeURIComponent(made.guid.toUpperCase())}/`);
    const braces = await withAddress(author, undefined, { guid: '{4f3f9d3a-0c4b-4f7e-8f0b-0d8a3a3c1b2a}' });
    expect(await entriesAt(app, braces.url, braces.made.guid)).toHaveLength(1);
    const raw = braces.url.replace('%7B', '{').replace('%7D', '}');
    expect(await entriesAt(app, raw, braces.made.guid)).toHaveLength(1);
  });

  it('is the same empty object for unknown keys and guids, keys of other add-ons, and garbage', async () => {
    const { made, url, key } = await withAddress(author);
    const other = await withAddress(author);
    const address = (guid: string, path: string) => `/updates/${guid}/${path}/updates.json`;
    const guid = encodeURIComponent(made.guid);
    const paths = [
      address(guid, '0'.repeat(32)),
      address('unknown@example', '0'.repeat(32)),
      address('unknown@example', key),
      address(guid, other.key),
      address(guid, key.toUpperCase()),
      address(guid, key.slice(1)),
      address(guid, `${key}%00`),
      address(guid, '%E0%A4%A'),
      address(guid, "'%20OR%20''='"),
      address('%00', key),
      address('%ED%A0%80', key),
      address('%', key),
      address('__proto__', key),
      address('a'.repeat(2_000), key),
      address(guid, hashOfKey(key)),
    ];
    const headersOf = ({ headers }: Reply) => {
      const { date: _date, 'x-request-id': _id, ...rest } = headers;
      return rest;
    };
    const first = await app.anonymous.get(paths[0] ?? '');
    for (const path of paths) {
      const reply = await app.anonymous.get(path);
      expect([path, reply.status, reply.text, headersOf(reply)]).toEqual([path, 200, '{}', headersOf(first)]);
    }
    expect(await entriesAt(app, url, made.guid)).toHaveLength(1);
    for (const path of [`/updates/${guid}/${key}`, `/updates/${guid}/${key}/`, `/updates/${guid}`, '/updates/']) {
      expect((await app.anonymous.get(path)).status).toBe(404);
    }
  });

  it('reads the same pages of the database for every wrong key, however much of it is right', async () => {
    const { made, url, key } = await withAddress(author);
    // Enough rows for an index of several pages.
    await app.sql(
      `INSERT INTO update_address (guid, key_hash, account_id)
      SELECT n || '@guess', encode(sha256(n::text::bytea), 'hex'), $1 FROM generate_series(1, 2000) n`,
      [author.accountId],
    );
    const [statement = ''] = await statementsDuring(() => app.anonymous.get(url));
    const cost = async (guid: string, guess: string) => {
      const [row] = await app.sql<{ 'QUERY PLAN': [{ Plan: Record<string, unknown> }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
        [hashOfKey(guess), guid],
      );
      const { Plan: plan } = row?.['QUERY PLAN'][0] ?? { Plan: {} };
      return [plan['Actual Rows'], Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])];
    };
    const wrong = Array.from({ length: key.length }, (_, right) => {
      const digit = key[right] === '0' ? '1' : '0';
      return key.slice(0, right) + digit + key.slice(right + 1);
    });
    const expected = await cost('unknown@example', '0'.repeat(32));
    expect(expected).toEqual([0, expect.any(Number)]);
    for (const guess of wrong) expect([guess, await cost(made.guid, guess)]).toEqual([guess, expected]);
    expect(await cost(made.guid, key)).toEqual([1, expect.any(Number)]);
  });

  it('is empty, and its links are 404, for ended addresses and disabled add-ons', async () => {
    const { made, url, id } = await withAddress(author, [
      { ...UNLISTED, files: [{ ...FILE, sha256: 'a'.repeat(64) }] },
    ]);
    const second = await create(author, made.guid);
    const [link = '', secondLink = ''] = await Promise.all(
      [url, second.url ?? ''].map(async (each) => (await entriesAt(app, each, made.guid))?.[0]?.update_link),
    );
    // The store does not have the file: the text about a lost file shows that the link works.
    const works = async (address: string) => (await app.anonymous.get(address)).text.includes('lost or damaged');
    expect([await works(link), await works(secondLink)]).toEqual([true, true]);
    for (const [column, value, before] of [
      ['status', 'disabled', 'incomplete'],
      ['is_disabled_by_developer', 'true', 'false'],
    ]) {
      await app.sql(`update addon set ${column} = $1 where id = $2`, [value, made.id]);
      expect([(await app.anonymous.get(url)).text, (await app.anonymous.get(link)).status]).toEqual(['{}', 404]);
      await app.sql(`update addon set ${column} = $1 where id = $2`, [before, made.id]);
    }
    expect(await works(link)).toBe(true);
    await end(author, id);
    expect([(await app.anonymous.get(url)).text, (await app.anonymous.get(link)).status]).toEqual(['{}', 404]);
    expect([await entriesAt(app, second.url ?? '', made.guid), await works(secondLink)]).toMatchObject([[{}], true]);
    await app.sql('update file set status = 5 where version_id = $1', [made.versions[0]?.id]);
    expect([await entriesAt(app, second.url ?? '', made.guid), (await app.anonymous.get(secondLink)).status]).toEqual([
      [],
      404,
    ]);
  });

  it('links no file of another add-on or channel, and none for garbage', async () => {
    const { made, url } = await withAddress(author, [UNLISTED, { files: [FILE] }]);
    const other = await makeUnlisted(author);
    const base = url.slice(0, -'updates.json'.length);
    const ids = [
      other.versions[0]?.files[0]?.id,
      made.versions[1]?.files[0]?.id,
      0,
      9_999_999_999,
      '1e3',
      '-1',
      '%00',
      "'",
    ];
    for (const id of ids) {
      const reply = await app.anonymous.get(`${base}${id}/x.xpi`);
      expect([id, reply.status, reply.json]).toEqual([id, 404, { detail: 'Not found.' }]);
    }
  });

  it('has no key in log lines', () => {
    const key = 'f'.repeat(32);
    for (const path of [
      `/updates/a@b/${key}/updates.json`,
      `/updates/a@b/${key}/1/a.xpi`,
      `/update/a@b/${key}`,
      `//Updates//x/${key}`,
    ]) {
      expect(loggedPath(path)).toMatch(/^\/+updates?\/+(?:a@b|x)\/…/i);
      expect(loggedPath(path)).not.toContain(key);
    }
    expect(loggedPath('/updates.json')).toBe('/updates.json');
  });
});
