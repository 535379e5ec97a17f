import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { beginningWith, expectRefusal, signingRefusal } from '../support/expect-refusal.ts';
import { globalId } from '../support/global-ids.ts';
import { legacyExtension, staticTheme, type WebExtensionOptions, xpi, zip } from '../support/packages.ts';
import { rawZip } from '../support/raw-zip.ts';

const app = setUpApp({
  settings: { SITE_NAME: 'Example add-ons', RESERVED_GUID_SUFFIXES: ['@operator.test'], RESERVED_NAMES: ['Acme'] },
});
let dev: Client;

beforeAll(async () => {
  dev = await app.developer();
});

const address = (guid: string, version = '1.0', api = 'v4') =>
  `/api/${api}/addons/${encodeURIComponent(guid)}/versions/${encodeURIComponent(version)}/`;
const DUPLICATE = signingRefusal(400, beginningWith('Duplicate add-on ID found.'));

const GUID = 'new@errors.test';
const extension = (options: WebExtensionOptions = {}) => xpi({ guid: GUID, version: '1.0', ...options });
const settings = (more: Record<string, string>) => ({ browser_specific_settings: { gecko: { id: GUID, ...more } } });
const manifest = JSON.stringify({ manifest_version: 2, name: 'x', version: '1.0' });
const longGuid = `${'l'.repeat(60)}@errors.test`;
const noise = randomBytes(7.5 * 1024 * 1024);

/** Packages sent to a new address, and the error message. */
const PACKAGES: [name: string, make: () => Promise<Buffer> | Buffer, error: string, guid?: string, version?: string][] =
  [
    [
      'another version than the address',
      () => extension({ version: '1.1' }),
      'Version does not match the manifest file.',
    ],
    ['no archive', () => Buffer.from('text'), 'Could not parse the manifest file.'],
    ['a manifest that is no JSON', () => zip({ 'manifest.json': '{' }), 'Could not parse the manifest file.'],
    ['an install.rdf that is no XML', () => zip({ 'install.rdf': '<RDF' }), 'Could not parse the manifest file.'],
    ['no manifest', () => zip({ 'readme.txt': 'x' }), 'No install.rdf or manifest.json found'],
    ['a name that climbs', () => zip2('../a.js'), 'Invalid file name in archive: ../a.js'],
    ['a name from the root', () => zip2('/a.js'), 'Invalid file name in archive: /a.js'],
    [
      'a name in no encoding',
      () => zip2(Buffer.from([0xff, 0xfe, 0x61])),
      'Invalid file name in archive. Please make sure all filenames are utf-8 or latin1 encoded.',
    ],
    [
      'a size that lies',
      () => rawZip([{ name: 'manifest.json', content: manifest, both: { size: 5 } }]),
      'Invalid archive.',
    ],
    [
      'a file that is too large',
      () =>
        rawZip([
          { name: 'manifest.json', content: manifest },
          { name: 'big', content: 'x', both: { size: 104_857_601 } },
        ]),
      'File exceeding size limit in archive: big',
    ],
    [
      'a theme that is too large',
      () => staticTheme({ guid: GUID, version: '1.0', files: { 'images/noise.bin': noise } }),
      'Maximum size for WebExtension themes is 7.0 MB.',
    ],
    ['no id and none in the address', () => extension({ guid: null }), 'Invalid GUID in URL', 'not-a-guid'],
    [
      'no id and a long address',
      () => extension({ guid: null }),
      "Please specify your Add-on GUID in the manifest if it's longer than 64 characters.",
      longGuid,
    ],
    [
      'another id than the address',
      () => extension({ guid: 'other@errors.test' }),
      'The add-on ID in your manifest.json or install.rdf (other@errors.test) does not match the ID of your add-on on Example add-ons (new@errors.test)',
    ],
    [
      'an old package without an id',
      () => legacyExtension({ guid: null, version: '1.0' }),
      'Could not find an add-on ID.',
    ],
    [
      'a version that is too long',
      () => extension({ version: '1'.repeat(33) }),
      'Version numbers should have fewer than 32 characters.',
      GUID,
      '1'.repeat(33),
    ],
    [
      'a version with other characters',
      () => extension({ version: '1.0 beta' }),
      'Version numbers should only contain letters, numbers, and these punctuation characters: +*.-_.',
      GUID,
      '1.0 beta',
    ],
    [
      'an unknown application version',
      () => extension({ manifest: settings({ strict_min_version: '1.x.y' }) }),
      'Cannot find min/max version. Maybe "strict_min_version" or "strict_max_version" contains an unsupported version?',
    ],
    [
      'an application version from before WebExtensions',
      () => extension({ manifest: settings({ strict_min_version: '41.0' }) }),
      'Lowest supported "strict_min_version" is 42.0.',
    ],
    [
      'no id for applications that need one',
      () =>
        extension({ guid: null, manifest: { browser_specific_settings: { gecko: { strict_min_version: '47.0' } } } }),
      'GUID is required for desktop_browser 47 and below.',
    ],
    ['an experiment', () => extension({ manifest: { experiment_apis: {} } }), 'You cannot submit this type of add-on'],
    [
      'a reserved id',
      () => extension({ guid: 'a@operator.test' }),
      'You cannot submit an add-on with a guid ending @operator.test',
      'a@operator.test',
    ],
    ['a reserved name', () => extension({ name: 'Acme Clock' }), 'Add-on names cannot contain the Acme trademarks.'],
  ];

/** An archive whose second entry has the given name. */
const zip2 = (name: string | Buffer) =>
  rawZip([
    { name: 'manifest.json', content: manifest },
    { name, content: 'x' },
  ]);

describe.each(['v3', 'v4'])('a package that cannot be accepted under %s', (api) => {
  it.each(PACKAGES)('is refused at once: %s', async (_name, make, error, guid = GUID, version = '1.0') => {
    const reply = await dev.put(address(guid, version, api), { upload: await make() });
    expectRefusal(reply, signingRefusal(400, beginningWith(error)));
    expect(await app.pendingJobs()).toEqual([]);
    expect(await app.sql('select from addon')).toEqual([]);
  });
});

describe.each(['v3', 'v4'])('an add-on that does not accept an upload under %s', (api) => {
  const upload = (guid: string, version = '1.0') => extension({ guid, version });

  async function created(guid: string): Promise<string> {
    await dev.put(address(guid), { upload: await upload(guid) });
    const [addon] = await app.sql<{ id: number }>('select id from addon where guid = $1', [guid]);
    return globalId('Addon', addon?.id);
  }

  it('is disabled by the operator', async () => {
    const guid = `disabled-${api}@errors.test`;
    const id = await created(guid);
    const disable =
      'mutation ($id: ID!) { setAddonDisabled(input: { id: $id, by: OPERATOR, isDisabled: true }) { __typename } }';
    await (await app.admin()).graphql(disable, { id });
    const reply = await dev.put(address(guid, '2.0', api), { upload: await upload(guid, '2.0') });
    const error = 'You cannot add versions to an addon that has status: Disabled by operator.';
    expectRefusal(reply, signingRefusal(400, error));
  });

  it('was deleted by another account', async () => {
    const guid = `deleted-${api}@errors.test`;
    const id = await created(guid);
    await dev.graphql('mutation ($id: ID!) { deleteAddon(input: { id: $id }) { __typename } }', { id });
    const stranger = await app.developer();
    const put = await stranger.put(address(guid, '2.0', api), { upload: await upload(guid, '2.0') });
    const post = await stranger.post(`/api/${api}/addons/`, { upload: await upload(guid, '2.0'), version: '2.0' });
    for (const reply of [put, post]) expectRefusal(reply, DUPLICATE);
  });

  it('lacks what a listed version needs', async () => {
    const guid = `plain-${api}@errors.test`;
    await created(guid);
    const reply = await dev.put(address(guid, '2.0', api), { upload: await upload(guid, '2.0'), channel: 'listed' });
    const error = beginningWith(
      'You cannot add a listed version to this addon via the API due to missing metadata. Please submit via the website',
    );
    expectRefusal(reply, signingRefusal(400, error));
  });

  it('is of another type', async () => {
    const guid = `typed-${api}@errors.test`;
    await created(guid);
    const reply = await dev.put(address(guid, '2.0', api), { upload: await staticTheme({ guid, version: '2.0' }) });
    const error =
      'The type of your package (statictheme) does not match the type of your add-on on Example add-ons (extension)';
    expectRefusal(reply, signingRefusal(400, error));
  });
});

describe.each(['v3', 'v4', 'v4dev'])('invalid credentials under %s', (api) => {
  const paths = [address(GUID, '1.0', api), `${address(GUID, '1.0', api)}uploads/${'0'.repeat(32)}/`];
  const missing = signingRefusal(401, 'Authentication credentials were not provided.');

  const UNREADABLE_HEADER =
    'Error decoding signature. The header of the token, its first part, is not a JSON object in base64url.';
  const NO_ACCESS_TOKEN =
    'Error decoding signature. The text after "Bearer" is no access token: those begin with "addons_token_".';
  const BASIC =
    'Authentication credentials were not provided. The Authorization header has the scheme "Basic"; send "JWT" and a token of an API key, or "Bearer" and an access token.';

  it.each([
    ['JWT', 'Invalid Authorization header. No credentials provided.', 'ERROR_INVALID_HEADER'],
    ['JWT a b', 'Invalid Authorization header. Credentials string should not contain spaces.', 'ERROR_INVALID_HEADER'],
    ['JWT a.b.c', UNREADABLE_HEADER, 'ERROR_DECODING_SIGNATURE'],
    ['Bearer nonsense', NO_ACCESS_TOKEN, 'ERROR_DECODING_SIGNATURE'],
    ['Basic YTpi', BASIC, undefined],
  ])('are refused: %s', async (Authorization, text, code) => {
    const refusal = signingRefusal(401, text, code);
    const headers = { Authorization };
    for (const path of paths) expectRefusal(await app.anonymous.get(path, headers), refusal);
    expectRefusal(await app.anonymous.request('PUT', address(GUID, '1.0', api), { headers }), refusal);
    expectRefusal(await app.anonymous.request('POST', `/api/${api}/addons/`, { headers }), refusal);
    expectRefusal(await app.anonymous.get(`/api/${api}/file/1/x.xpi`, headers), refusal);
  });

  it('are refused without reading the body', async () => {
    const form = { upload: Buffer.alloc(100_000), version: '1.0' };
    expectRefusal(await app.anonymous.put(address(GUID, '1.0', api), form), missing);
    expectRefusal(await app.anonymous.post(`/api/${api}/addons/`, form), missing);
  });
});

describe.each(['v3', 'v4', 'v4dev'])('too many uploads under %s', (api) => {
  it('get 429 with the time to wait', async () => {
    app.config.RATE_LIMITS = true;
    const busy = await app.developer();
    const upload = Buffer.from('x');
    for (let count = 0; count < 6; count++) {
      const reply = await busy.put(address(GUID, '1.0', api), { upload });
      expectRefusal(reply, signingRefusal(400, beginningWith('Could not parse the manifest file.')));
    }
    for (const reply of [
      await busy.put(address(GUID, '1.0', api), { upload }),
      await busy.post(`/api/${api}/addons/`, { upload, version: '1.0' }),
    ]) {
      const seconds = Number(reply.headers['retry-after']);
      const text = `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? '' : 's'}.`;
      expectRefusal(reply, { ...signingRefusal(429, text), headers: { 'retry-after': String(seconds) } });
      expect(seconds).toBeGreaterThan(0);
    }
    app.config.RATE_LIMITS = false;
  });
});
