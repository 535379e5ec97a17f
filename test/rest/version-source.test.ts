import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, FormParts } from '../support/client.ts';
import { encodeForm } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { addon, type VersionFacts } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { rawTar } from '../support/raw-tar.ts';
import { rawZip } from '../support/raw-zip.ts';
import { validUpload } from '../support/uploads.ts';

const UNSUPPORTED = 'Unsupported file type, please upload an archive file (.zip, .tar.gz, .tgz, .tar.bz2).';
/** The documented text, after which the fault follows. */
const BROKEN = expect.stringMatching(/^Invalid or broken archive\. ./);
const REVIEWED = 'Source cannot be changed because this version has been reviewed.';
const NOT_FOUND = { detail: 'Not found.' };

const ZIP = rawZip([{ name: 'src/main.js', content: 'tick();', deflated: true }]);
const TGZ = gzipSync(rawTar([{ name: 'main.js', content: 'tick();' }]));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const part = (bytes: Buffer, fileName: string) => ({ bytes, fileName, type: 'application/octet-stream' });

const app = setUpApp();
let author: Client;
let reviewer: Client;

beforeAll(async () => {
  author = await app.developer();
  reviewer = await app.memberWith('Addons:Review');
});

const WAITING: VersionFacts = { stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };

/** A version of an add-on of the author, and its address. */
async function make(version: VersionFacts = WAITING, status = 'nominated') {
  const made = await addon({ authors: [author.accountId ?? 0], status, versions: [version] });
  const id = made.versions[0]?.id ?? 0;
  return { ...made, version: id, path: `/api/v5/addons/addon/${made.id}/versions/${id}/` };
}

const patchForm = (path: string, form: FormParts, client = author) =>
  client.request('PATCH', path, {
    headers: { 'Content-Type': 'multipart/form-data; boundary=a-boundary' },
    body: encodeForm(form, 'a-boundary'),
  });
const patch = (path: string, body: object, client = author) =>
  client.request('PATCH', path, { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/** A version with this source code. */
async function withSource(version?: VersionFacts, status?: string, bytes = ZIP) {
  const made = await make(version, status);
  expect((await patchForm(made.path, { source: part(bytes, 'source.zip') })).status).toBe(200);
  return made;
}

const sourceOf = async (path: string, client = author) => ((await client.get(path)).json as { source?: string }).source;
const reads = () => app.sql(`select actor, details from audit_entry where action = 'source-read' order by id`);
const actionsOf = async (version: number) =>
  (await app.sql<{ action: string }>('select action from activity where version_id = $1 order by id', [version])).map(
    ({ action }) => action,
  );

describe('PATCH /api/v5/addons/addon/{addon}/versions/{version}/ with source', () => {
  it('attaches, replaces and removes the source code, together with other changes', async () => {
    const { path, version } = await make();
    expect(await sourceOf(path)).toBeNull();
    const first = await patchForm(path, { source: part(ZIP, 'source.zip'), approval_notes: 'Run make.' });
    expect([first.status, first.json]).toMatchObject([
      ...[200, { source: `${app.url}${path}source/`, approval_notes: 'Run make.' }],
    ]);
    await patchForm(path, { source: part(TGZ, 'source.tgz') });
    expect((await author.get(`${path}source/`)).bytes.equals(TGZ)).toBe(true);
    expect((await patchForm(path, { source: '', approval_notes: 'Run make all.' })).json).toMatchObject({
      source: `${app.url}${path}source/`,
    });
    expect((await patch(path, { source: null })).json).toMatchObject({ source: null });
    const others = (action: string) => action !== 'version-edited';
    expect((await actionsOf(version)).filter(others)).toEqual([
      ...['source-code-uploaded', 'source-code-uploaded', 'source-code-removed'],
    ]);
  });

  it('changes nothing when the archive or another field is refused, and returns all refusals', async () => {
    const { path, version } = await make();
    const long = 'n'.repeat(3_001);
    const broken = await patchForm(path, { source: part(TGZ, 'source.zip'), approval_notes: long });
    expect([broken.status, broken.json]).toMatchObject([
      400,
      { source: [BROKEN], approval_notes: [expect.any(String)] },
    ]);
    const unsupported = await patchForm(path, { source: part(ZIP, 'source.rar') });
    expect([unsupported.status, unsupported.json]).toEqual([400, { source: [UNSUPPORTED] }]);
    const license = await patchForm(path, { source: part(ZIP, 'source.zip'), license: 'unknown' });
    expect([license.status, Object.keys(license.json as object)]).toEqual([400, ['license']]);
    expect([await sourceOf(path), await actionsOf(version)]).toEqual([null, []]);
    const text = [beginningWith('The submitted data was not a file.')];
    for (const value of ['source.zip', 7, {}, [], { file: { staged: { path: '/etc/passwd' } } }, true]) {
      expect([value, (await patch(path, { source: value })).json]).toEqual([value, { source: text }]);
    }
    expect((await patchForm(path, { source: 'source.zip' })).json).toEqual({ source: text });
  });

  it('is refused once a person has decided', async () => {
    const { path, version } = await withSource();
    await reviewer.graphql('mutation($id: ID!) { rejectVersion(input: { id: $id, comments: "No." }) { __typename } }', {
      id: globalId('Version', version),
    });
    for (const reply of [await patch(path, { source: null }), await patchForm(path, { source: part(TGZ, 'a.tgz') })]) {
      expect([reply.status, reply.json]).toEqual([400, { source: [REVIEWED] }]);
    }
  });

  it('is refused for others', async () => {
    const { path } = await make();
    const form = { source: part(ZIP, 'source.zip') };
    expect((await patchForm(path, form, reviewer)).status).toBe(403);
    expect((await patchForm(path, form, app.anonymous)).status).toBe(401);
  });
});

describe('a submission with source', () => {
  const versionsOf = (guid: string) =>
    app.sql<{ version: string; name: string | null }>(
      `select v.version, s.name from version v join addon a on a.id = v.addon_id left join version_source s on s.version_id = v.id
       where a.guid = $1 order by v.id`,
      [guid],
    );

  it('makes the version with its source code, or nothing, and can be repeated', async () => {
    const guid = 'submitted-with-source@example';
    const [first, second] = [
      await validUpload(app, author, { guid }),
      await validUpload(app, author, { guid, version: '2.0' }),
    ];
    const json = { 'Content-Type': 'application/json' };
    const put = (version: object) =>
      author.request('PUT', `/api/v5/addons/addon/${guid}/`, { headers: json, body: JSON.stringify({ version }) });
    const refused = await put({ upload: first, source: 'source.zip' });
    expect([refused.status, refused.json]).toEqual([
      400,
      { version: { source: [beginningWith('The submitted data was not a file.')] } },
    ]);
    expect((await put({ upload: first, source: null })).status).toBe(201);
    const post = (form: FormParts) =>
      author.post(`/api/v5/addons/addon/${guid}/versions/`, { upload: second, ...form });
    for (const [bytes, fileName, message] of [
      [TGZ, 'source.zip', BROKEN],
      [ZIP, 'source.exe', UNSUPPORTED],
    ] as const) {
      const reply = await post({ source: part(bytes, fileName), approval_notes: 'n'.repeat(3_001) });
      expect([reply.status, reply.json]).toEqual([400, { source: [message], approval_notes: [expect.any(String)] }]);
    }
    expect(await versionsOf(guid)).toEqual([{ version: '1.0', name: null }]);
    const made = await post({ source: part(ZIP, 'source.zip') });
    expect([made.status, made.json]).toMatchObject([
      201,
      { source: expect.stringMatching(/\/versions\/\d+\/source\/$/) },
    ]);
    const again = await post({ source: part(ZIP, 'source.zip') });
    expect([again.status, again.json]).toMatchObject([200, { source: (made.json as { source: string }).source }]);
    expect((await post({ source: '' })).status).toBe(200);
    expect(await versionsOf(guid)).toEqual([
      { version: '1.0', name: null },
      { version: '2.0', name: 'source.zip' },
    ]);
  });
});

describe('GET /api/v5/addons/addon/{addon}/versions/{version}/source/', () => {
  it('sends the archive to an author, by every reference to the version', async () => {
    const { guid, slug, path } = await withSource({ ...WAITING, version: '7' });
    const references = [
      `${path}source/`,
      `${path}source`,
      `/api/v5/addons/addon/${slug}/versions/v7/source/`,
      `/api/v5/addons/addon/${guid}/versions/v7/source/`,
    ];
    for (const reference of references) {
      const reply = await author.get(reference);
      expect([reference, reply.status, reply.bytes.equals(ZIP)]).toEqual([reference, 200, true]);
      expect(reply.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename=source.zip',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        etag: `"${sha256(ZIP)}"`,
      });
    }
    const head = await author.head(`${path}source/`);
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, String(ZIP.length)]);
    const range = await author.get(`${path}source/`, { Range: 'bytes=0-3' });
    const past = await author.get(`${path}source/`, { Range: 'bytes=9999999-' });
    const known = await author.get(`${path}source/`, { 'If-None-Match': head.headers.etag ?? '' });
    expect([past.status, known.status]).toEqual([416, 304]);
    expect([range.status, range.text]).toEqual([206, 'PK\x03\x04']);
    expect(await app.sql('select * from download_count')).toEqual([]);
  });

  it('sends it to reviewers of the channel with an audit row, and is 404 for others', async () => {
    const listed = await withSource();
    const unlisted = await withSource({ ...WAITING, channel: 'unlisted' }, 'incomplete');
    const bare = await make();
    const before = (await reads()).length;
    expect((await author.get(`${listed.path}source/`)).status).toBe(200);
    expect((await reads()).length).toBe(before);
    expect((await reviewer.get(`${listed.path}source/`)).bytes.equals(ZIP)).toBe(true);
    expect((await reads()).slice(before)).toMatchObject([
      {
        actor: expect.stringContaining(`account ${reviewer.accountId} `),
        details: { addonId: listed.id, versionId: listed.version, sha256: sha256(ZIP) },
      },
    ]);
    expect(await sourceOf(listed.path, reviewer)).toBe(`${app.url}${listed.path}source/`);
    for (const [client, path] of [
      [reviewer, unlisted.path],
      [await app.developer(), listed.path],
      [await app.memberWith('Addons:Edit'), listed.path],
      [author, bare.path],
      [author, `/api/v5/addons/addon/${listed.id}/versions/${unlisted.version}/`],
      [author, '/api/v5/addons/addon/unknown/versions/1.0/'],
      [author, `/api/v5/addons/addon/${listed.id}/versions/abc/`],
      [author, `/api/v5/addons/addon/${listed.id}/versions/2147483648/`],
    ] as const) {
      const reply = await client.get(`${path}source/`);
      expect([path, reply.status, reply.json]).toEqual([path, 404, NOT_FOUND]);
    }
    expect((await app.anonymous.get(`${listed.path}source/`)).status).toBe(401);
    expect((await author.get(`${listed.path}source/`.replace('v5', 'v4'))).status).toBe(404);
    expect((await reads()).length).toBe(before + 1);
  });

  it('does not name the source to viewers of a public version', async () => {
    const { path } = await withSource({}, 'public');
    const publicKeys = Object.keys((await app.anonymous.get(path)).json as object);
    expect(publicKeys).not.toContain('source');
    expect(publicKeys).toContain('version');
    expect(Object.keys((await author.get(path)).json as object).slice(-2)).toEqual(['source', 'version']);
  });

  it('is refused for reviewers in read-only mode, when no read can be recorded', async () => {
    const { path } = await withSource();
    app.config.READ_ONLY = true;
    const statuses = [(await reviewer.get(`${path}source/`)).status, (await author.get(`${path}source/`)).status];
    app.config.READ_ONLY = false;
    expect(statuses).toEqual([503, 200]);
  });

  it('hides the source of a deleted add-on but from reviewers of deleted ones, and keeps it as long as its row', async () => {
    const bytes = rawZip([{ name: 'only.js', content: 'here' }]);
    const { id, version, path } = await withSource(WAITING, 'nominated', bytes);
    const { collectBlobs } = await import('../../src/domain/maintenance/collect-blobs.ts');
    const { blobs } = await import('../../src/infra/blob-store/blobs.ts');
    await author.graphql('mutation($id: ID!) { deleteAddon(input: { id: $id }) { __typename } }', {
      id: globalId('Addon', id),
    });
    for (const client of [author, reviewer]) expect((await client.get(`${path}source/`)).status).toBe(404);
    const archivist = await app.memberWith('Addons:Review', 'Addons:ViewDeleted');
    expect((await archivist.get(`${path}source/`)).status).toBe(200);
    await collectBlobs({ graceMs: -1 });
    expect(await blobs.size(sha256(bytes))).toBe(bytes.length);
    await app.sql('delete from version_source where version_id = $1', [version]);
    await collectBlobs({ graceMs: -1 });
    expect(await blobs.size(sha256(bytes))).toBeNull();
  });
});
