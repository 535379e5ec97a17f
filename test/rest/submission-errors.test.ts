/*
 * Each error of the submission API, from the same input by REST and by GraphQL: the same kind of refusal, on the same field, with the
 * same text, and nothing changed. Uploads get their state by SQL: their validation is tested elsewhere.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { type AddonFacts, addon, type MadeAddon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { dictionary, xpi } from '../support/packages.ts';
import { byField, graphqlRefusal, type Refusal, refused } from '../support/refusals.ts';
import { sendFile } from '../support/send-file.ts';
import { type Submitted, submissionSnapshot, submit, tryCreateUpload } from '../support/uploads.ts';

const app = setUpApp();
let author: Client;
let stranger: Client;
let live: MadeAddon;
let listed: MadeAddon;

beforeAll(async () => {
  [author, stranger] = [await app.developer(), await app.developer()];
  const authors = [author.accountId ?? 0];
  const versions = [{}, { version: '7.0', deletedAt: new Date() }].map((facts) => ({ channel: 'unlisted', ...facts }));
  live = await addon({ guid: 'live@errors', status: 'incomplete', authors, versions } as AddonFacts);
  listed = await addon({ guid: 'listed@errors', authors, categories: [{ app: 'desktop_browser', slug: 'tools' }] });
  await addon({ guid: 'taken@errors', authors: [stranger.accountId ?? 0] });
});

type Json = Record<string, unknown>;

/** The pk of a new upload, in the stage `valid` unless `columns` say something else. */
async function upload(
  manifest: Parameters<typeof xpi>[0],
  { channel = 'UNLISTED', columns = "stage = 'valid'", client = author, bytes = undefined as Buffer | undefined } = {},
): Promise<string> {
  const made = (await tryCreateUpload(client, bytes ?? (await xpi(manifest)), channel)).upload as { pk: string };
  await app.sql(`UPDATE upload SET ${columns} WHERE pk = $1`, [made.pk]);
  return made.pk;
}

async function rest(method: string, path: string, body: Json, client = author) {
  const options = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const { status, json } = await client.request(method, `/api/v5/addons/${path}`, options);
  return { status, json: json as Json };
}

const rows = () => submissionSnapshot(app);

/** A row of the table: the same request in both forms, and the refusal of both. */
interface Case {
  title: string;
  /** The upload that is submitted, when the row needs one. */
  upload?: () => Promise<string>;
  /** `new`: POST of an add-on. `guid`: PUT. Else POST of a version of this add-on. */
  to: 'new' | `${string}@errors` | (() => MadeAddon);
  /** Further keys of the request of an add-on, and of a version, in REST's and in GraphQL's form. */
  addon?: [Json, Json];
  version?: [Json, Json];
  expected: Refusal;
  /** By REST, if the request has no key for the field. */
  byRest?: Refusal;
}

const valid =
  (manifest: Parameters<typeof xpi>[0], channel = 'UNLISTED') =>
  () =>
    upload(manifest, { channel });
const inState = (columns: string) => () => upload({ guid: 'new@errors' }, { columns });

const NOT_VALID = beginningWith('Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid).');
const REQUIRED = 'This field is required for add-ons with listed versions.';
const NO_LICENSE = 'This field, or custom_license, is required for listed versions.';

const ranges = (name: string, app: string, min?: string, max?: string): [Json, Json] => [
  { compatibility: { [name]: { ...(min && { min }), ...(max && { max }) } } },
  { compatibility: [{ app, ...(min && { min }), ...(max && { max }) }] },
];

const CASES: Case[] = [
  {
    ...{ title: 'an unknown upload', to: 'new', upload: async () => '0'.repeat(32) },
    expected: refused('upload', NOT_VALID),
  },
  {
    ...{
      title: "another account's upload",
      to: 'new',
      upload: () => upload({ guid: 'new@errors' }, { client: stranger }),
    },
    expected: refused('upload', NOT_VALID),
  },
  {
    ...{ title: 'an expired upload', to: 'new' },
    upload: inState("stage = 'valid', expires = now() - interval '1 second'"),
    expected: refused('upload', NOT_VALID),
  },
  {
    ...{ title: 'an upload that is not processed', to: 'new', upload: inState("stage = 'validating'") },
    expected: refused('upload', NOT_VALID),
  },
  {
    ...{ title: 'an invalid upload', to: 'new', upload: inState("stage = 'invalid'") },
    expected: refused('upload', NOT_VALID),
  },
  {
    ...{ title: 'a guid that is taken', to: 'new', upload: valid({ guid: 'taken@errors' }) },
    expected: refused('upload', beginningWith('Duplicate add-on ID found.')),
  },
  {
    ...{ title: 'another guid in the manifest', to: 'new@errors', upload: valid({ guid: 'other@errors' }) },
    expected: refused('none', beginningWith('GUID mismatch between the URL and manifest.')),
  },
  {
    ...{ title: 'no guid in the manifest', to: 'new@errors', upload: valid({ guid: null }) },
    expected: refused('none', 'A GUID must be specified in the manifest.'),
  },
  {
    ...{ title: 'a number that exists', to: () => live, upload: valid({ guid: 'live@errors', version: '1.0' }) },
    expected: { ...refused('version', 'Version 1.0 already exists.'), status: 409 },
  },
  {
    ...{
      title: 'a number that was deleted',
      to: 'live@errors',
      upload: valid({ guid: 'live@errors', version: '7.0' }),
    },
    expected: { ...refused('version', 'Version 7.0 was uploaded before and deleted.'), status: 409 },
  },
  {
    title: 'a listed version without a licence',
    ...{ to: () => listed, upload: valid({ guid: 'listed@errors', version: '2.0' }, 'LISTED') },
    expected: { status: 400, messages: { license: [NO_LICENSE], summary: [REQUIRED] } },
    // The request has no such key.
    byRest: { status: 400, messages: { license: [NO_LICENSE], none: [REQUIRED, 'Fields: summary.'] } },
  },
  {
    title: 'a listed add-on without categories and a licence',
    ...{ to: 'new', upload: valid({ guid: 'bare@errors' }, 'LISTED') },
    expected: { status: 400, messages: { license: [NO_LICENSE], categories: [REQUIRED] } },
  },
  {
    ...{ title: 'a minimum that is unknown', to: 'new', upload: valid({ guid: 'new@errors' }) },
    version: ranges('firefox', 'DESKTOP_BROWSER', '999.0'),
    expected: refused('compatibility', 'Unknown min app version specified'),
  },
  {
    ...{ title: 'a maximum that is unknown', to: 'new', upload: valid({ guid: 'new@errors' }) },
    version: ranges('firefox', 'DESKTOP_BROWSER', undefined, '999.0'),
    expected: refused('compatibility', 'Unknown max app version specified'),
  },
  {
    ...{ title: 'a range that ends before it begins', to: 'new', upload: valid({ guid: 'new@errors' }) },
    version: ranges('firefox', 'DESKTOP_BROWSER', '61.0', '60.0'),
    expected: refused('compatibility', 'Invalid value'),
  },
  {
    title: 'compatibility of a dictionary',
    ...{ to: 'new', upload: async () => upload({}, { bytes: await dictionary({ guid: 'words@errors' }) }) },
    version: ranges('firefox', 'DESKTOP_BROWSER'),
    expected: refused('compatibility', 'This type of add-on does not allow custom compatibility.'),
  },
  {
    ...{ title: 'texts of an unknown language', to: 'new', upload: valid({ guid: 'new@errors' }) },
    addon: [{ summary: { zz: 'x' } }, { summary: [{ locale: 'zz', value: 'x' }] }],
    version: [{ release_notes: { zz: 'x' } }, { releaseNotes: [{ locale: 'zz', value: 'x' }] }],
    expected: {
      status: 400,
      messages: {
        summary: ["The language code 'zz' is invalid."],
        releaseNotes: ["The language code 'zz' is invalid."],
      },
    },
  },
  {
    ...{ title: 'a blank name', to: 'new', upload: valid({ guid: 'new@errors' }) },
    addon: [{ name: { 'en-US': ' ' } }, { name: [{ locale: 'en-US', value: ' ' }] }],
    expected: refused('name', 'This field may not be blank.'),
  },
  {
    ...{ title: 'no name', to: 'new', upload: valid({ guid: 'new@errors' }) },
    addon: [{ name: { 'en-US': null } }, { name: [{ locale: 'en-US', value: null }] }],
    expected: refused('name', 'This field may not be null.'),
  },
  {
    ...{ title: 'notes that are too long', to: 'new', upload: valid({ guid: 'new@errors' }) },
    version: [{ approval_notes: 'x'.repeat(3001) }, { approvalNotes: 'x'.repeat(3001) }],
    expected: refused('approvalNotes', 'Ensure this value has at most 3000 characters (it has 3001).'),
  },
  {
    ...{ title: 'a version of an add-on of others', to: 'taken@errors', upload: valid({ guid: 'taken@errors' }) },
    expected: { status: 403, messages: { none: ['You do not own this addon.'] } },
  },
];

async function byRest({ to, addon: [listing] = [{}, {}], version: [version] = [{}, {}] }: Case, pk?: string) {
  const made = pk === undefined ? version : { ...version, upload: pk };
  const { status, json } =
    typeof to === 'function'
      ? await rest('POST', `addon/${to().id}/versions/`, made)
      : await rest(to === 'new' ? 'POST' : 'PUT', to === 'new' ? 'addon/' : `addon/${to}/`, {
          ...listing,
          version: made,
        });
  const messages = typeof json.detail === 'string' ? { none: [json.detail] } : byField(json);
  return { status, messages };
}

async function byGraphql({ to, addon: [, listing] = [{}, {}], version: [, version] = [{}, {}] }: Case, pk?: string) {
  const target = typeof to === 'function' ? { addon: globalId('Addon', to().id) } : to === 'new' ? {} : { guid: to };
  const input = { ...target, ...listing, ...version, ...(pk === undefined ? {} : { upload: pk }) };
  return graphqlRefusal(await submit(author, to === 'new' ? 'submitAddon' : 'submitVersion', input));
}

/** A result of a mutation that takes a file. */
const withFile = (query: string, input: object, bytes: Buffer, field: string, fileName: string) =>
  sendFile(author, query, input, bytes, { field, fileName }) as Promise<unknown> as Promise<Submitted>;

const REFUSAL = '... on UserError { code message path } ... on InvalidInputError { fields { name messages } }';

describe('a submission is refused alike by REST and by GraphQL, and changes nothing, with', () => {
  it.each(CASES)('$title', async (one) => {
    const pk = await one.upload?.();
    const before = await rows();
    expect(await byRest(one, pk)).toEqual(one.byRest ?? one.expected);
    expect(await byGraphql(one, pk)).toEqual(one.expected);
    expect(await rows()).toEqual(before);
  });

  it('no upload', async () => {
    expect(await rest('POST', 'addon/', {})).toMatchObject({ json: { version: ['This field is required.'] } });
    expect(graphqlRefusal(await submit(author, 'submitAddon', {}))).toEqual(
      refused('upload', 'This field is required.'),
    );
  });

  it('an upload that was submitted to another add-on', async () => {
    const pk = await upload({ guid: 'first@errors' });
    expect((await rest('PUT', 'addon/first@errors/', { version: { upload: pk } })).status).toBe(201);
    const before = await rows();
    const expected = refused('upload', beginningWith('This upload has already been submitted.'));
    const one: Case = { title: '', to: () => live, expected };
    expect([await byRest(one, pk), await byGraphql(one, pk)]).toEqual([expected, expected]);
    expect(await rows()).toEqual(before);
  });

  it.each([
    ['a package that is none', 'x.xpi', Buffer.from('nothing')],
    ['another ending', 'x.exe', Buffer.from('nothing')],
  ])('%s', async (_title, fileName, bytes) => {
    const before = await rows();
    const type = 'application/octet-stream';
    const reply = await author.post('/api/v5/addons/upload/', {
      upload: { bytes, fileName, type },
      channel: 'unlisted',
    });
    const byRest: Refusal = { status: reply.status, messages: byField(reply.json as Json) };
    const result = (await tryCreateUpload(author, bytes, 'UNLISTED', fileName)) as unknown as Submitted;
    expect(graphqlRefusal(result)).toEqual(byRest);
    expect(byRest).toMatchObject({ status: 400, messages: { upload: [expect.any(String)] } });
    expect(await rows()).toEqual(before);
  });

  it.each([
    [
      'source code of another type',
      'source.7z',
      'Unsupported file type, please upload an archive file (.zip, .tar.gz, .tgz, .tar.bz2).',
    ],
    [
      'source code that is broken',
      'source.zip',
      'Invalid or broken archive. The content of the file is no archive of type zip.',
    ],
  ])('%s', async (_title, fileName, message) => {
    const pk = await upload({ guid: 'live@errors', version: '8.0' });
    const before = await rows();
    const bytes = Buffer.from('nothing');
    const source = { bytes, fileName, type: 'application/octet-stream' };
    const reply = await author.post(`/api/v5/addons/addon/${live.id}/versions/`, { upload: pk, source });
    expect({ status: reply.status, messages: byField(reply.json as Json) }).toEqual(refused('source', message));
    const query = `mutation($input: SubmitVersionInput!) { result: submitVersion(input: $input) { __typename ${REFUSAL} } }`;
    const input = { addon: globalId('Addon', live.id), upload: globalId('Upload', pk) };
    expect(graphqlRefusal(await withFile(query, input, bytes, 'source', fileName))).toEqual(refused('source', message));
    expect(await rows()).toEqual(before);
  });
});
