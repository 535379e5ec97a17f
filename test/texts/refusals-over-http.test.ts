/*
 * What clients are told about each kind of fault of an upload, on each surface that takes it: REST, GraphQL, and the pages in three
 * languages. `package-refusals.test.ts` and `source-refusals.test.ts` have all faults of packages and archives.
 */
import { Buffer } from 'node:buffer';
import { beforeAll, describe, expect, it } from 'vitest';
import { APPLICATIONS } from '../../src/package/enums.ts';
import { messageHtml } from '../../src/pages/messages.ts';
import { LANGUAGES, type Language } from '../../src/texts/languages.ts';
import { englishText, type Message, message } from '../../src/texts/messages.ts';
import { setUpApp } from '../support/app.ts';
import { type Client, encodeForm, type FormParts, type Reply } from '../support/client.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';
import { textOf, type Visitor, visitorOf } from '../support/pages.ts';
import { rawPng } from '../support/pictures.ts';
import { rawZip } from '../support/raw-zip.ts';
import { tryCreateUpload } from '../support/uploads.ts';

const app = setUpApp();
let author: Client;
let visitor: Visitor;
let foreign: string;

beforeAll(async () => {
  author = await app.developer();
  visitor = await visitorOf(app, author);
  await visitor.submit('/developers/submit/', 'hub-agreement');
  foreign = await uploadIn("stage = 'valid'", await app.developer());
});

/** Texts of former releases that say nothing of what was found. */
const CATCH_ALLS = [
  /^Could not parse the manifest file\.$/,
  /^Error decoding signature\.$/,
  /^Malformed multipart form data: (?:unexpected end of form|malformed part header|a field is too long|too many fields)\.$/,
  /^(?:Icons|Images) must be either PNG or JPG\.$/,
  /^Upload a valid image\. The file you uploaded was either not an image or a corrupted image\.$/,
  /^Upload is not valid\. Upload the file again \(web-ext: delete \.amo-upload-uuid\)\.$/,
  /^Invalid "\w+" parameter\.$/,
  /^Invalid (?:app, category and\/or type parameter\(s\)|or missing app parameter|page)\.$/,
];

/** A fault, its message, and requests that have it. */
interface Fault {
  reason: Message;
  rest(): Promise<Reply>;
  graphql?(): Promise<Reply>;
  page?(language: Language): Promise<Reply>;
}

const FORM_TYPE = 'multipart/form-data; boundary=a-boundary';
const asGraphql = { 'X-GraphQL-Yoga-CSRF': '1', Accept: 'application/json' };
const post = (path: string, body: Buffer, headers: Record<string, string> = {}, method = 'POST') =>
  author.request(method, path, { headers: { 'Content-Type': FORM_TYPE, ...headers }, body });

/** The body of a GraphQL request with a file. */
function graphqlForm(mutation: string, input: object, bytes: Buffer, more: FormParts = {}): Buffer {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { result: ${mutation}(input: $input) { ... on UserError { message } } }`;
  const operations = JSON.stringify({ query, variables: { input: { ...input, file: null } } });
  const map = '{"file":["variables.input.file"]}';
  return encodeForm({ operations, map, file: { bytes, fileName: 'a.xpi' }, ...more }, 'a-boundary');
}

/** Requests with a package; `change` changes their bodies. */
function ofPackage(
  reason: Message,
  bytes: Buffer,
  { change = (body: Buffer) => body, more = {} as FormParts } = {},
): Fault {
  const file = { bytes, fileName: 'a.xpi' };
  return {
    reason,
    rest: () =>
      post(
        '/api/v4/addons/a@faults/versions/1.0/',
        change(encodeForm({ upload: file, ...more }, 'a-boundary')),
        {},
        'PUT',
      ),
    graphql: () => post('/graphql', change(graphqlForm('createUpload', { channel: 'LISTED' }, bytes, more)), asGraphql),
    // Browsers send their language, and visitors may choose another.
    page: async (language) => {
      const fields = { form: 'hub-upload', csrf: await visitor.csrfToken(), channel: 'LISTED' };
      const body = change(encodeForm({ ...fields, file, ...more }, 'a-boundary'));
      const headers = {
        'Content-Type': FORM_TYPE,
        'Sec-Fetch-Site': 'same-origin',
        Cookie: `addons_session=${visitor.session}`,
        Accept: 'text/html',
        'Accept-Language': `${language},en;q=0.5`,
      };
      return app.anonymous.request('POST', '/developers/submit/', { headers, body });
    },
  };
}

function ofPicture(reason: Message, bytes: Buffer): Fault {
  return {
    reason,
    rest: () =>
      post(
        `/api/v4/accounts/account/${author.accountId}/`,
        encodeForm({ picture_upload: { bytes, fileName: 'a.png' } }, 'a-boundary'),
        {},
        'PATCH',
      ),
    graphql: () => {
      const id = globalId('Account', author.accountId ?? 0);
      return post('/graphql', graphqlForm('setAccountPicture', { id }, bytes), asGraphql);
    },
    page: (language) => visitor.upload(`/account/?lang=${language}`, 'picture', { file: { bytes, fileName: 'a.png' } }),
  };
}

function ofToken(reason: Message, Authorization: string): Fault {
  const headers = { Authorization, 'Content-Type': 'application/json' };
  return {
    reason,
    rest: () => app.anonymous.request('GET', '/api/v4/accounts/profile/', { headers }),
    graphql: () =>
      app.anonymous.request('POST', '/graphql', { headers, body: JSON.stringify({ query: '{ viewer { id } }' }) }),
  };
}

/** The pk of a new upload with these columns. */
async function uploadIn(columns: string, client: Client): Promise<string> {
  const { upload } = await tryCreateUpload(client, await xpi({ guid: null }));
  const { pk } = upload as { pk: string };
  await app.sql(`UPDATE upload SET ${columns} WHERE pk = $1`, [pk]);
  return pk;
}

/** The submission of an upload, whose pk `make` returns. */
function ofSubmission(reason: Message, make: () => Promise<string>): Fault {
  const query =
    'mutation($input: SubmitAddonInput!) { result: submitAddon(input: $input) { ... on UserError { message } } }';
  const headers = { 'Content-Type': 'application/json' };
  return {
    reason,
    rest: async () =>
      author.request('POST', '/api/v5/addons/addon/', {
        headers,
        body: JSON.stringify({ version: { upload: await make() } }),
      }),
    graphql: async () => {
      const variables = { input: { upload: globalId('Upload', await make()) } };
      return author.request('POST', '/graphql', { headers, body: JSON.stringify({ query, variables }) });
    },
  };
}

const ofParameter = (reason: Message, path: string): Fault => ({
  reason,
  rest: () => app.anonymous.get(`/api/v4/addons/${path}`),
});

const EXPIRED = '2020-01-02T03:04:05.000Z';
const APPS = APPLICATIONS.join(', ');
const cutOff = (body: Buffer) => body.subarray(0, -40);

const FAULTS: [fault: string, make: () => Fault | Promise<Fault>][] = [
  ['an empty package', () => ofPackage(message('package.empty_file'), Buffer.alloc(0))],
  ['a package without files', () => ofPackage(message('package.empty_archive'), rawZip([]))],
  [
    'a form that is cut off',
    () => ofPackage(message('form.truncated', { boundary: '--a-boundary' }), Buffer.alloc(500), { change: cutOff }),
  ],
  [
    'a form with two files',
    async () =>
      ofPackage(message('form.too_many_files'), await xpi(), {
        more: { second: { bytes: Buffer.from('x'), fileName: 'b.xpi' } },
      }),
  ],
  [
    'a picture of another format',
    () => ofPicture(message('image.other_format', { format: 'GIF' }), Buffer.from('GIF89a')),
  ],
  ['a file that is no picture', () => ofPicture(message('picture.no_picture'), Buffer.from('%PDF-1.7\n'))],
  ['a damaged picture', () => ofPicture(message('picture.damaged', { format: 'PNG' }), rawPng(64, 64, { rows: 32 }))],
  [
    'a picture with too many pixels',
    () => ofPicture(message('image.too_many_pixels', { width: 17_000, height: 1_000 }), rawPng(17_000, 1_000)),
  ],
  ['a token of two parts', () => ofToken(message('token.not_three_parts', { parts: 2 }), 'JWT a.b')],
  ['a token of another scheme', () => ofToken(message('token.jwt_under_bearer'), 'Bearer e30.e30.e30')],
  [
    'an unknown upload',
    () => ofSubmission(message('upload.unknown', { pk: '0'.repeat(32) }), async () => '0'.repeat(32)),
  ],
  ['an upload of another account', () => ofSubmission(message('upload.unknown', { pk: foreign }), async () => foreign)],
  [
    'an expired upload',
    () =>
      ofSubmission(message('upload.expired', { time: EXPIRED }), () =>
        uploadIn(`stage = 'valid', expires = '${EXPIRED}'`, author),
      ),
  ],
  [
    'an upload that is being validated',
    () => ofSubmission(message('upload.not_validated'), () => uploadIn("stage = 'validating'", author)),
  ],
  ['an invalid upload', () => ofSubmission(message('upload.invalid'), () => uploadIn("stage = 'invalid'", author))],
  [
    'an upload whose validation broke down',
    () => ofSubmission(message('upload.not_checked'), () => uploadIn("stage = 'error'", author)),
  ],
  [
    'an unknown word',
    () =>
      ofParameter(
        message('parameter.not_one_of', { name: 'app', value: 'browser', words: APPS }),
        'search/?app=browser',
      ),
  ],
  [
    'a malformed version',
    () =>
      ofParameter(
        message('parameter.not_version', { name: 'appversion', value: 'new' }),
        'search/?app=desktop_browser&appversion=new',
      ),
  ],
  ['a page that is no number', () => ofParameter(message('page.not_number', { value: 'x' }), 'search/?page=x')],
  ['a page past the end', () => ofParameter(message('page.past_end', { page: 9, last: 1 }), 'search/?page=9')],
  ['no application', () => ofParameter(message('featured.no_app', { words: APPS }), 'featured/')],
];

/** All texts in a JSON value. */
const textsIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [value];

describe('a refusal', () => {
  it.each(FAULTS)('says the same by REST, in GraphQL and on pages: %s', async (_fault, make) => {
    const { reason, rest, graphql, page } = await make();
    const text = englishText(reason);
    expect(CATCH_ALLS.filter((each) => each.test(text))).toEqual([]);
    expect(textsIn((await rest()).json)).toContain(text);
    if (graphql) expect(textsIn((await graphql()).json)).toContain(text);
    for (const language of page ? LANGUAGES : []) {
      const shown = textOf((await page?.(language)) ?? { text: '' });
      expect(shown).toContain(textOf({ text: String(messageHtml({ language }, reason)) }));
    }
  });
});
