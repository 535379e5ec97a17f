import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon, type VersionFacts } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { noise } from '../../support/hostile-archive.ts';
import { BZIP2, rawTar } from '../../support/raw-tar.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { sendFile } from '../../support/send-file.ts';
import { validUpload } from '../../support/uploads.ts';

const UNSUPPORTED = 'Unsupported file type, please upload an archive file (.zip, .tar.gz, .tgz, .tar.bz2).';
/** The documented text, after which the fault follows. */
const BROKEN = expect.stringMatching(/^Invalid or broken archive\. ./);
const REVIEWED = 'Source cannot be changed because this version has been reviewed.';

const ATTACH = `mutation($input: AttachSourceInput!) { result: attachSource(input: $input) {
  ... on UserError { code message path } ... on AttachSourcePayload { version { source { name size hash created url } } } } }`;

const ZIP = rawZip([{ name: 'src/main.js', content: 'tick();', deflated: true }]);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const app = setUpApp();
let author: Client;
let reviewer: Client;

beforeAll(async () => {
  author = await app.developer();
  reviewer = await app.memberWith('Addons:Review');
});

const WAITING: VersionFacts = { stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };

async function make(version: VersionFacts = WAITING, status = 'nominated'): Promise<MadeAddon & { version: number }> {
  const made = await addon({ authors: [author.accountId ?? 0], status, versions: [version] });
  return { ...made, version: made.versions[0]?.id ?? 0 };
}

const inputFor = (version: number) => ({ version: globalId('Version', version), file: null });
const attach = (version: number, bytes = ZIP, { client = author, fileName = 'source.zip' } = {}) =>
  sendFile(client, ATTACH, inputFor(version), bytes, { fileName });
const remove = async (version: number, client = author) =>
  (await client.graphql<{ result: Record<string, unknown> }>(ATTACH, { input: inputFor(version) })).result;

async function sourceFor(client: Client, version: number): Promise<unknown> {
  const query = 'query($id: ID!) { version(id: $id) { source { name size hash url } } }';
  const { data } = await client.graphqlResult<{ version: { source: unknown } | null }>(query, {
    id: globalId('Version', version),
  });
  return data?.version?.source ?? null;
}

const rowsOf = (version: number) =>
  app.sql('select action, account_id as "accountId", details from activity where version_id = $1 order by id', [
    version,
  ]);

describe('attachSource', () => {
  it('stores an archive of each format, and describes it to the author', async () => {
    const { id, version } = await make();
    for (const [fileName, bytes] of [
      ['source.zip', ZIP],
      ['Source 1.0.TAR.GZ', gzipSync(rawTar([{ name: 'a.js' }]))],
      ['source.tgz', gzipSync(rawTar([{ name: 'b.js' }]))],
      ['source.tar.bz2', BZIP2],
    ] as const) {
      const source = {
        name: fileName,
        size: bytes.length,
        hash: `sha256:${sha256(bytes)}`,
        url: `${app.url}/api/v5/addons/addon/${id}/versions/${version}/source/`,
      };
      const created = expect.stringMatching(/^20\d\d-/);
      expect(await attach(version, bytes, { fileName })).toEqual({ version: { source: { ...source, created } } });
      expect(await sourceFor(author, version)).toEqual(source);
      const { blobs } = await import('../../../src/infra/blob-store/blobs.ts');
      expect(await blobs.size(sha256(bytes))).toBe(bytes.length);
    }
    const details = { name: 'source.tar.bz2', size: BZIP2.length, sha256: sha256(BZIP2) };
    const rows = await rowsOf(version);
    expect([rows.length, rows.at(-1)]).toEqual([
      4,
      { action: 'source-code-uploaded', accountId: author.accountId, details },
    ]);
  });

  it('writes a note to the thread, which authors and reviewers read', async () => {
    const { id, version } = await make();
    await attach(version);
    const path = `/api/v4/addons/addon/${id}/versions/${version}/reviewnotes/`;
    for (const client of [author, reviewer]) {
      const { results } = (await client.get(path)).json as { results: object[] };
      expect(results).toMatchObject([
        { action: 'source-code-uploaded', action_label: 'Source code uploaded', user: { id: author.accountId } },
      ]);
    }
    const query = `query($id: ID!) { version(id: $id) { reviewNotes { edges { node { action kind actionLabel } } } } }`;
    expect(await reviewer.graphql(query, { id: globalId('Version', version) })).toEqual({
      version: {
        reviewNotes: {
          edges: [{ node: { action: 'SOURCE_CODE_UPLOADED', kind: 'SOURCE', actionLabel: 'Source code uploaded' } }],
        },
      },
    });
    const queue = '{ reviewQueue(last: 1) { edges { node { version { source { name } } } } } }';
    expect(await reviewer.graphql(queue)).toEqual({
      reviewQueue: { edges: [{ node: { version: { source: { name: 'source.zip' } } } }] },
    });
  });

  it('replaces and removes it; the same archive again, and nothing to remove, are no changes', async () => {
    const { version } = await make();
    await attach(version);
    await attach(version);
    await attach(version, ZIP, { fileName: 'renamed.zip' });
    expect(await remove(version)).toEqual({ version: { source: null } });
    expect(await remove(version)).toEqual({ version: { source: null } });
    expect((await rowsOf(version)).map(({ action }) => action)).toEqual([
      ...['source-code-uploaded', 'source-code-uploaded', 'source-code-removed'],
    ]);
    const absent = `mutation { attachSource(input: { version: "${globalId('Version', version)}" }) { ... on UserError { message path } } }`;
    expect(await author.graphql(absent)).toEqual({
      attachSource: { message: 'This field is required.', path: ['file'] },
    });
  });

  it('is possible until an account decides; decisions of the service do not count', async () => {
    const { version } = await make({ channel: 'unlisted' }, 'incomplete');
    await attach(version);
    const decide = (accountId: number | null) =>
      app.sql(`insert into activity (action, version_id, account_id) values ('approved', $1, $2)`, [
        version,
        accountId,
      ]);
    await decide(-1);
    await decide(null);
    await attach(version, BZIP2, { fileName: 'a.tar.bz2' });
    await decide(reviewer.accountId);
    const refusal = { code: 'BAD_USER_INPUT', message: REVIEWED, path: ['file'] };
    expect([await attach(version), await remove(version)]).toEqual([refusal, refusal]);
    // A repeated request changes nothing.
    expect(await attach(version, BZIP2, { fileName: 'a.tar.bz2' })).toMatchObject({ version: {} });
    expect(await sourceFor(author, version)).toMatchObject({ name: 'a.tar.bz2' });
  });

  it('refuses a version that a reviewer decided through the review queue', async () => {
    const { version } = await make();
    await attach(version);
    const reject = `mutation($id: ID!) { rejectVersion(input: { id: $id, comments: "No." }) { __typename } }`;
    await reviewer.graphql(reject, { id: globalId('Version', version) });
    expect(await remove(version)).toMatchObject({ message: REVIEWED });
  });

  it.each<[string, Buffer, unknown]>([
    ['source.xpi', ZIP, UNSUPPORTED],
    ['source', ZIP, UNSUPPORTED],
    ['source.tar', rawTar([{ name: 'a' }]), UNSUPPORTED],
    ['source.7z', ZIP, UNSUPPORTED],
    ['source.zip', noise(2_000), BROKEN],
    ['source.zip', Buffer.alloc(0), BROKEN],
    ['source.zip', BZIP2, BROKEN],
    ['source.tar.gz', ZIP, BROKEN],
    ['source.tgz', BZIP2, BROKEN],
    ['source.tar.bz2', gzipSync(rawTar([{ name: 'a' }])), BROKEN],
    ['bomb.tar.gz', gzipSync(rawTar([{ name: 'zeros', content: Buffer.alloc(8_000_000) }])), BROKEN],
    ['climber.zip', rawZip([{ name: '../../etc/passwd', content: 'x' }]), BROKEN],
    ['climber.tgz', gzipSync(rawTar([{ name: 'a', type: '2', link: '../../x' }])), BROKEN],
  ])('refuses %s with other content or name', async (fileName, bytes, message) => {
    const { version } = await make();
    expect(await attach(version, bytes, { fileName })).toEqual({
      code: 'BAD_USER_INPUT',
      message,
      path: ['file'],
    });
    expect([await sourceFor(author, version), await rowsOf(version)]).toEqual([null, []]);
  });

  it('refuses others, and versions that are unknown, deleted or failed', async () => {
    const { version } = await make();
    const notPermitted = { code: 'NOT_PERMITTED' };
    expect(await attach(version, ZIP, { client: reviewer })).toMatchObject(notPermitted);
    expect(await attach(version, ZIP, { client: await app.developer() })).toMatchObject(notPermitted);
    const deleted = await make({ ...WAITING, deletedAt: new Date() });
    const failed = await make({ stage: 'invalid', files: [{ status: 5 }] }, 'incomplete');
    for (const id of [deleted.version, failed.version, 2_000_000_000]) {
      expect(await attach(id)).toMatchObject({ code: 'NOT_FOUND' });
    }
    const editor = await app.memberWith('Addons:Edit');
    expect(await attach(version, ZIP, { client: editor })).toMatchObject(notPermitted);
    const shown = await make({}, 'public');
    expect(await attach(shown.version, ZIP, { client: editor })).toMatchObject(notPermitted);
  });
});

describe('source in other mutations', () => {
  const UPDATE = `mutation($input: UpdateVersionInput!) { result: updateVersion(input: $input) {
    ... on UserError { code message } ... on InvalidInputError { fields { name messages } }
    ... on UpdateVersionPayload { version { approvalNotes source { name } } } } }`;
  const SUBMIT = `mutation($input: SubmitVersionInput!) { result: submitVersion(input: $input) {
    ... on UserError { code message path } ... on SubmitVersionPayload { isNewVersion version { source { name } } } } }`;

  it('joins the changes of updateVersion, all of which a refusal undoes', async () => {
    const { version } = await make();
    const input = { id: globalId('Version', version), approvalNotes: 'Run make.', source: null };
    const update = (bytes: Buffer) => sendFile(author, UPDATE, input, bytes, { field: 'source', fileName: 'a.zip' });
    expect(await update(BZIP2)).toMatchObject({ code: 'BAD_USER_INPUT', message: BROKEN });
    expect([await sourceFor(author, version), await rowsOf(version)]).toEqual([null, []]);
    expect(await update(ZIP)).toEqual({ version: { approvalNotes: 'Run make.', source: { name: 'a.zip' } } });
    expect((await author.graphql<{ result: object }>(UPDATE, { input })).result).toMatchObject({
      version: { source: null },
    });
    const refused = await sendFile(reviewer, UPDATE, input, ZIP, { field: 'source', fileName: 'a.zip' });
    expect(refused).toMatchObject({ code: 'NOT_PERMITTED' });
  });

  it('joins a submission, of which a refusal leaves nothing, and its repetition', async () => {
    const guid = 'with-source@example';
    const upload = globalId('Upload', await validUpload(app, author, { guid, version: '1.0' }));
    const submit = (bytes: Buffer) =>
      sendFile(author, SUBMIT, { guid, upload, source: null }, bytes, { field: 'source', fileName: 'a.zip' });
    expect(await submit(BZIP2)).toEqual({ code: 'BAD_USER_INPUT', message: BROKEN, path: ['source'] });
    expect(await app.sql('select from addon where guid = $1', [guid])).toEqual([]);
    const version = { source: { name: 'a.zip' } };
    expect(await submit(ZIP)).toEqual({ isNewVersion: true, version });
    expect(await submit(ZIP)).toEqual({ isNewVersion: false, version });
    const notes = await app.sql(
      `select from activity where action = 'source-code-uploaded' and addon_id = (select id from addon where guid = $1)`,
      [guid],
    );
    expect(notes).toHaveLength(1);
  });
});
