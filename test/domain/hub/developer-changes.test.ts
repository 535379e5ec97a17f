/* What the developer hub changes: checks of packages, submissions of files, deleted versions, the developer agreement. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { mutate } from '../../support/mutate.ts';
import { openSearch, xpi } from '../../support/packages.ts';
import { sendFile } from '../../support/send-file.ts';
import { versionRows } from '../../support/uploads.ts';

const app = setUpApp();
let author: Client;
let stranger: Client;
beforeAll(async () => {
  [author, stranger] = [await app.developer(), await app.developer()];
});

const WAITING = { stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };
const HOUR = 3_600_000;
const make = (facts: AddonFacts, owner = author) => addon({ authors: [owner.accountId ?? 0], ...facts });

const CHECK = `mutation($input: CreateUploadInput!) { result: createUpload(input: $input) { __typename
  ... on UserError { code message } ... on CreateUploadPayload { upload { id guid type isOwn addon { slug }
    isSubmitted stage expires } } } }`;
const check = (client: Client, bytes: Buffer, fileName = 'package.zip') =>
  sendFile(client, CHECK, { channel: 'UNLISTED', purpose: 'CHECK' }, bytes, { fileName });

describe('createUpload for a check', () => {
  it('checks a package without taking its number, and keeps it for a day', async () => {
    await make({ slug: 'checked', guid: 'checked@example' });
    const { upload } = (await check(author, await xpi({ guid: 'Checked@Example', version: '9.0' }))) as {
      upload: { id: string; expires: string };
    };
    const pk = Buffer.from(upload.id, 'base64').toString().slice('Upload:'.length);
    const own = { type: 'EXTENSION', isOwn: true, addon: { slug: 'checked' }, isSubmitted: false, stage: 'RECEIVED' };
    expect(upload).toMatchObject(own);
    expect(Math.round((Date.parse(upload.expires) - Date.now()) / HOUR)).toBe(24);
    expect(await versionRows(app, 'checked@example')).toHaveLength(1);
    const seen = `query($id: ID!) { upload(by: { id: $id }) { isOwn addon { slug } } }`;
    expect(await stranger.graphql(seen, { id: upload.id })).toEqual({ upload: { isOwn: false, addon: null } });
    const { removeExpiredUploads } = await import('../../../src/domain/uploads/remove-uploads.ts');
    await app.sql(`UPDATE upload SET expires = expires - interval '25 hours' WHERE pk = $1`, [pk]);
    await removeExpiredUploads();
    expect(await app.sql('SELECT FROM upload WHERE pk = $1', [pk])).toEqual([]);
  });

  it('refuses what is no package', async () => {
    const refused = { __typename: 'PackageError', code: 'INVALID_PACKAGE' };
    expect(await check(author, Buffer.from('x'))).toMatchObject(refused);
    expect(await check(author, await xpi({}), 'package.txt')).toMatchObject(refused);
  });
});

const SUBMIT = `mutation($input: SubmitVersionInput!) { result: submitVersion(input: $input) { __typename
  ... on UserError { code message path } ... on SubmitVersionPayload { version { version } upload { addon { guid } } } } }`;
const send = (guid: string, bytes: Buffer, fileName?: string) =>
  sendFile(author, SUBMIT, { guid }, bytes, { fileName: fileName ?? 'package.zip' });

describe('a submission of a file', () => {
  it('has the version number of its manifest', async () => {
    expect(await send('bare@example', await xpi({ guid: 'bare@example', version: '1.4' }))).toMatchObject({
      version: { version: '1.4' },
      upload: { addon: { guid: 'bare@example' } },
    });
    expect(await send('bare@example', await xpi({ guid: 'bare@example', version: '1.4' }))).toEqual({
      __typename: 'VersionExistsError',
      code: 'VERSION_EXISTS',
      message: 'Version already exists. Latest version is: 1.4.',
      path: [],
    });
  });

  it('needs one where the package has none', async () => {
    const refused = await send('search@example', Buffer.from(openSearch()), 'search.xml');
    expect(refused).toMatchObject({ code: 'BAD_USER_INPUT', path: ['version'] });
  });
});

describe('deleteVersion', () => {
  const remove = (client: Client, id: number | undefined) => mutate(client, 'deleteVersion', { id: id ?? 0 });

  it('deletes a version of its developers, whose number stays taken, and the next one is current', async () => {
    const made = await make({
      slug: 'shrinks',
      guid: 'shrinks@example',
      versions: [{ version: '1.0' }, { version: '2.0' }],
    });
    const current = async () =>
      (
        await author.graphql<{ addon: object }>(
          '{ addon(by: { slug: "shrinks" }) { status currentVersion { version } } }',
        )
      ).addon;
    expect(await current()).toEqual({ status: 'PUBLIC', currentVersion: { version: '2.0' } });
    expect(await remove(author, made.versions[1]?.id)).toMatchObject({ __typename: 'DeleteVersionPayload' });
    expect(await current()).toEqual({ status: 'PUBLIC', currentVersion: { version: '1.0' } });
    expect(await remove(author, made.versions[1]?.id)).toMatchObject({ code: 'NOT_FOUND' });
    const again = await send('shrinks@example', await xpi({ guid: 'shrinks@example', version: '2.0' }));
    expect(again).toMatchObject({ code: 'VERSION_EXISTS' });
    expect(await remove(author, made.versions[0]?.id)).toMatchObject({ __typename: 'DeleteVersionPayload' });
    expect(await current()).toEqual({ status: 'INCOMPLETE', currentVersion: null });
    const log = await app.sql(
      `SELECT details FROM activity WHERE action = 'version-deleted' AND addon_id = $1 ORDER BY id`,
      [made.id],
    );
    expect(log[0]).toEqual({ details: { version: '2.0', channel: 'listed', stage: 'signed' } });
    expect(log).toHaveLength(2);
  });

  it('takes a waiting version out of the review queue', async () => {
    const made = await make({ status: 'nominated', versions: [WAITING] });
    expect(await remove(author, made.versions[0]?.id)).toMatchObject({ __typename: 'DeleteVersionPayload' });
    expect(await app.sql('SELECT FROM review_queue WHERE addon_id = $1', [made.id])).toEqual([]);
  });

  it('is refused to others, while the operator disables the add-on, and for failed versions', async () => {
    const made = await make({ versions: [{}, { stage: 'invalid', files: [{ status: 5 }] }] });
    const [id, failed] = made.versions.map((version) => version.id);
    expect(await remove(stranger, id)).toMatchObject({ code: 'NOT_PERMITTED' });
    const anonymous = 'mutation($id: ID!) { deleteVersion(input: { id: $id }) { __typename } }';
    const { errors } = await app.anonymous.graphqlResult(anonymous, { id: globalId('Version', id) });
    expect(errors?.[0]?.extensions?.code).toBe('NOT_AUTHENTICATED');
    expect(await remove(author, failed)).toMatchObject({ code: 'NOT_FOUND' });
    const blocked = await make({ status: 'disabled' });
    expect(await remove(author, blocked.versions[0]?.id)).toMatchObject({ code: 'NOT_PERMITTED' });
  });
});

describe('acceptDeveloperAgreement', () => {
  it('records the acceptance once', async () => {
    const [row] = await app.sql<{ id: number }>(
      "INSERT INTO account (username, email) VALUES ('agrees', 'agrees@example.org') RETURNING id",
    );
    const { db } = await import('../../../src/infra/db.ts');
    const { openSession } = await import('../../../src/domain/sessions/open-session.ts');
    const { token } = await db.$transaction((tx) => openSession(tx, row?.id ?? 0, { label: 'Test' }));
    const client = app.client({ token });
    const ACCEPT = `mutation { acceptDeveloperAgreement { ... on AcceptDeveloperAgreementPayload {
      account { private { developerAgreementAccepted } } } } }`;
    const accepted = {
      acceptDeveloperAgreement: { account: { private: { developerAgreementAccepted: expect.any(String) } } },
    };
    expect(await client.graphql('{ viewer { private { developerAgreementAccepted } } }')).toEqual({
      viewer: { private: { developerAgreementAccepted: null } },
    });
    for (let times = 0; times < 2; times++) expect(await client.graphql(ACCEPT)).toEqual(accepted);
    const log = `SELECT FROM activity WHERE action = 'developer-agreement-accepted' AND account_id = $1`;
    expect(await app.sql(log, [row?.id])).toHaveLength(1);
  });
});
