import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client, FormParts } from '../../support/client.ts';
import { beginningWith, expectRefusal, signingRefusal } from '../../support/expect-refusal.ts';
import { legacyExtension, openSearch, xpi } from '../../support/packages.ts';

const app = setUpApp({ settings: { RESERVED_NAMES: ['Acme'] } });
let developer: Client;
beforeAll(async () => {
  developer = await app.developer();
});

const address = (guid: string, version = '1.0', api = 'v4') => `/api/${api}/addons/${guid}/versions/${version}/`;
const searchPlugin = () => ({ bytes: openSearch(), fileName: 'search.xml' });

/** A form sent by PUT to the address of `version`, and the expected error message. */
interface Row {
  text: string;
  version?: string;
  form: () => Promise<FormParts> | FormParts;
}

const manifest =
  (changes: Record<string, unknown>, guid = 'refused@example') =>
  async (): Promise<FormParts> => ({ upload: await xpi({ guid, version: '1.0', manifest: changes }) });

const ROWS: Row[] = [
  {
    text: 'The add-on ID in your manifest.json or install.rdf (Refused@Example) does not match the ID of your add-on on Add-ons (refused@example)',
    form: manifest({}, 'Refused@Example'),
  },
  {
    text: 'Version numbers should only contain letters, numbers, and these punctuation characters: +*.-_.',
    version: '1%200',
    form: () => ({ upload: searchPlugin() }),
  },
  {
    text: 'Invalid file name in archive: META-INF/ADDON.sf/x',
    form: async () => ({ upload: await xpi({ guid: 'refused@example', files: { 'META-INF/ADDON.sf/x': 'x' } }) }),
  },
  {
    text: 'Cannot find min/max version. Maybe "strict_min_version" or "strict_max_version" contains an unsupported version?',
    form: manifest({ browser_specific_settings: { gecko: { id: 'refused@example', strict_min_version: '999.0' } } }),
  },
  { text: 'Add-on names cannot contain the Acme trademarks.', form: manifest({ name: 'Ac\u200bme \u202EHelper' }) },
  {
    text: 'Invalid channel: it must be "listed" or "unlisted".',
    form: async () => ({ ...(await manifest({})()), channel: 'both' }),
  },
];

describe.each(['v3', 'v4', 'v4dev'])('an invalid PUT under %s', (api) => {
  it.each(ROWS)('returns 400: $text', async ({ text, version = '1.0', form }) => {
    expectRefusal(
      await developer.put(address('refused@example', version, api), await form()),
      signingRefusal(400, beginningWith(text)),
    );
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

  it('reports a legacy package before other problems', async () => {
    const text = 'Only WebExtensions can be uploaded without an add-on ID.';
    await expectRefused({ upload: await legacyExtension({ guid: null, version: '1.0' }), version: '9' }, text);
    await expectRefused({ upload: searchPlugin(), version: '1.0' }, text);
  });
});

describe('an existing add-on', () => {
  const guid = 'exists@example';
  beforeAll(async () => {
    await developer.put(address(guid), { upload: await xpi({ guid, version: '1.0' }) });
  });

  it('returns 403 for uploads by other accounts, administrators included', async () => {
    const text = 'You do not own this addon.';
    const notOwner = signingRefusal(403, text);
    for (const other of [await app.developer(), await app.memberWith('Addons:Edit')]) {
      expectRefusal(await other.put(address(guid), { upload: Buffer.from('not a package') }), notOwner);
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
    const reply = await developer.put(address(guid), { upload: Buffer.from('not a package') });
    expectRefusal(reply, signingRefusal(409, 'Version already exists. Latest version is: 1.0.'));
  });
});

it('returns 404 for the status of an unknown add-on', async () => {
  const refusal = signingRefusal(404, 'Could not find add-on with guid "unknown@example".');
  expectRefusal(await developer.get(address('unknown@example')), refusal);
});
