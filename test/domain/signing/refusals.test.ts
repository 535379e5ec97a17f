import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import type { Client, FormParts } from '../../support/client.ts';
import { expectRefusal, signingRefusal } from '../../support/expect-refusal.ts';
import { legacyExtension, openSearch, staticTheme, xpi, zip } from '../../support/packages.ts';

let app: TestApp;
let developer: Client;
beforeAll(async () => {
  app = await startApp({ settings: { RESERVED_GUID_SUFFIXES: ['@reserved.example'], RESERVED_NAMES: ['Acme'] } });
  developer = await app.developer();
});
afterAll(() => app.close());

const address = (guid: string, version = '1.0', api = 'v4') => `/api/${api}/addons/${guid}/versions/${version}/`;
const file = (bytes: Buffer, fileName = 'package.xpi') => ({ bytes, fileName });

/** A form sent by PUT to the address of `guid` and `version`, and the expected error message. */
interface Row {
  text: string;
  guid?: string;
  version?: string;
  form: () => Promise<FormParts> | FormParts;
}

const manifest =
  (changes: Record<string, unknown>, guid: string | null = 'refused@example', version = '1.0') =>
  async (): Promise<FormParts> => ({ upload: await xpi({ guid, version, manifest: changes }) });

const range = (changes: Record<string, string>, id: string | null = 'refused@example') =>
  manifest({ browser_specific_settings: { gecko: { ...(id === null ? {} : { id }), ...changes } } }, id);

const ROWS: Row[] = [
  { text: 'Missing "upload" key in multipart file data.', form: () => ({ channel: 'listed' }) },
  { text: 'Version does not match the manifest file.', version: '2.0', form: manifest({}) },
  {
    text: 'The add-on ID in your manifest.json or install.rdf (refused@example) does not match the ID of your add-on on Add-ons (other@example)',
    guid: 'other@example',
    form: manifest({}),
  },
  {
    text: 'The add-on ID in your manifest.json or install.rdf (Refused@Example) does not match the ID of your add-on on Add-ons (refused@example)',
    form: manifest({}, 'Refused@Example'),
  },
  { text: 'Invalid GUID in URL', guid: 'not-a-guid', form: manifest({}, null) },
  {
    text: "Please specify your Add-on GUID in the manifest if it's longer than 64 characters.",
    guid: `${'x'.repeat(60)}@example`,
    form: manifest({}, null),
  },
  {
    text: 'Could not find an add-on ID.',
    form: async () => ({ upload: await legacyExtension({ guid: null, version: '1.0' }) }),
  },
  {
    text: 'Version numbers should have fewer than 32 characters.',
    version: `${'1.'.repeat(20)}0`,
    form: manifest({}, 'refused@example', `${'1.'.repeat(20)}0`),
  },
  {
    text: 'Version numbers should only contain letters, numbers, and these punctuation characters: +*.-_.',
    version: '1%200',
    form: () => ({ upload: file(openSearch(), 'search.xml') }),
  },
  { text: 'Could not parse the manifest file.', form: () => ({ upload: Buffer.from('not an archive') }) },
  {
    text: 'Could not parse the manifest file.',
    form: async () => ({ upload: await zip({ 'manifest.json': '{"name": ' }) }),
  },
  {
    text: 'Invalid file name in archive: META-INF/ADDON.sf/x',
    form: async () => ({ upload: await xpi({ guid: 'refused@example', files: { 'META-INF/ADDON.sf/x': 'x' } }) }),
  },
  { text: 'No install.rdf or manifest.json found', form: async () => ({ upload: await zip({ 'readme.txt': 'x' }) }) },
  {
    text: 'Cannot find min/max version. Maybe "strict_min_version" or "strict_max_version" contains an unsupported version?',
    form: range({ strict_min_version: '999.0' }),
  },
  { text: 'Lowest supported "strict_min_version" is 42.0.', form: range({ strict_min_version: '41.0' }) },
  {
    text: 'GUID is required for desktop_browser 47 and below.',
    guid: 'fine@example',
    form: range({ strict_min_version: '45.0' }, null),
  },
  {
    text: 'You cannot submit an add-on with a guid ending @reserved.example',
    guid: 'x@reserved.example',
    form: manifest({}, 'x@reserved.example'),
  },
  { text: 'Add-on names cannot contain the Acme trademarks.', form: manifest({ name: 'Acme Helper' }) },
  { text: 'Add-on names cannot contain the Acme trademarks.', form: manifest({ name: 'Ac\u200bme \u202EHelper' }) },
  { text: 'You cannot submit this type of add-on', form: manifest({ experiment_apis: { x: {} } }) },
  {
    text: 'Invalid channel: it must be "listed" or "unlisted".',
    form: async () => ({ ...(await manifest({})()), channel: 'both' }),
  },
];

describe.each(['v3', 'v4', 'v4dev'])('an invalid PUT under %s', (api) => {
  it.each(ROWS)('returns 400: $text', async ({ text, guid = 'refused@example', version = '1.0', form }) => {
    expectRefusal(await developer.put(address(guid, version, api), await form()), signingRefusal(400, text));
  });

  it('creates no add-on, version, upload or job', async () => {
    const counts = await app.sql(
      'SELECT (SELECT count(*)::int FROM addon) AS addons, (SELECT count(*)::int FROM version) AS versions, (SELECT count(*)::int FROM upload) AS uploads',
    );
    expect(counts).toEqual([{ addons: 0, versions: 0, uploads: 0 }]);
    expect(await app.pendingJobs()).toEqual([]);
  });
});

describe.each(['v3', 'v4', 'v4dev'])('an invalid POST under %s', (api) => {
  const expectRefused = async (form: FormParts, text: string) =>
    expectRefusal(await developer.post(`/api/${api}/addons/`, form), signingRefusal(400, text));

  it('reports a missing file before a missing version', async () => {
    await expectRefused({}, 'Missing "upload" key in multipart file data.');
    await expectRefused({ version: '1.0' }, 'Missing "upload" key in multipart file data.');
    const upload = await xpi({ guid: 'p@example', version: '1.0' });
    await expectRefused({ upload }, 'Missing "version" key in multipart form data.');
  });

  it('reports a legacy package before other problems', async () => {
    const text = 'Only WebExtensions can be uploaded without an add-on ID.';
    await expectRefused({ upload: await legacyExtension({ guid: null, version: '1.0' }), version: '9' }, text);
    await expectRefused({ upload: file(openSearch(), 'search.xml'), version: '1.0' }, text);
  });
});

describe('an existing add-on', () => {
  const guid = 'exists@example';
  beforeAll(async () => {
    await developer.put(address(guid), { upload: await xpi({ guid, version: '1.0' }) });
  });

  it('returns 400 for a package of another type', async () => {
    const reply = await developer.put(address(guid, '2.0'), { upload: await staticTheme({ guid, version: '2.0' }) });
    expectRefusal(
      reply,
      signingRefusal(
        400,
        'The type of your package (statictheme) does not match the type of your add-on on Add-ons (extension)',
      ),
    );
  });

  it('returns 400 for its id in a POST without an id in the address', async () => {
    const reply = await developer.post('/api/v4/addons/', {
      upload: await xpi({ guid, version: '2.0' }),
      version: '2.0',
    });
    expectRefusal(reply, signingRefusal(400, 'Duplicate add-on ID found.'));
  });

  it('returns 403 for uploads by other accounts, administrators included', async () => {
    const text = 'You do not own this addon.';
    const notOwner = signingRefusal(403, text);
    for (const other of [await app.developer(), await app.memberWith('Addons:Edit')]) {
      expectRefusal(await other.put(address(guid), { upload: Buffer.from('nonsense') }), notOwner);
    }
    const stranger = await app.developer();
    expectRefusal(await stranger.get(address(guid)), notOwner);
    const posted = await stranger.post('/api/v4/addons/', {
      upload: await xpi({ guid, version: '3.0' }),
      version: '3.0',
    });
    expectRefusal(posted, notOwner);
    expect((await (await app.memberWith('Addons:Edit')).get(address(guid))).status).toBe(200);
  });

  it('returns 409 for the number of an upload in progress', async () => {
    const reply = await developer.put(address(guid), { upload: Buffer.from('nonsense') });
    expectRefusal(reply, signingRefusal(409, 'Version already exists. Latest version is: 1.0.'));
  });

  it('matches the id in the address case-insensitively', async () => {
    expect((await developer.get(address('EXISTS@Example'))).status).toBe(200);
    await app.runJobs();
  });
});

describe('the status of an unknown upload', () => {
  it.each([
    [address('unknown@example'), 'Could not find add-on with guid "unknown@example".'],
    [address('exists@example', '9.9'), 'No uploaded file for that addon and version.'],
    [`${address('exists@example')}uploads/${'0'.repeat(32)}/`, 'No uploaded file for that addon and version.'],
  ])('returns 404 for %s', async (path, text) => {
    expectRefusal(await developer.get(path), signingRefusal(404, text));
  });

  it('returns 401 for anonymous clients', async () => {
    const reply = await app.anonymous.get(address('exists@example'));
    const text = 'Authentication credentials were not provided.';
    expectRefusal(reply, signingRefusal(401, text));
  });
});
