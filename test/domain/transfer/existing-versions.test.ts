import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { exportedLines, importLines } from '../../support/catalogue/lines.ts';
import type { Client } from '../../support/client.ts';

const app = setUpApp();
let admin: Client;

beforeAll(async () => {
  admin = await app.admin();
});

const file = (facts: object = {}) => ({ hash: `sha256:${'ab'.repeat(32)}`, status: 4, ...facts });
const version = (number: string, facts: object = {}) => ({
  ...{ version: number, channel: 'listed', files: [file()], ...facts },
});
const line = (guid: string, facts: object = {}) => ({
  ...{ kind: 'addon', guid, slug: guid.split('@')[0], type: 'extension', status: 'public' },
  ...{ name: { 'en-US': 'From the file' }, ...facts },
});
const unlisted = (number: string, facts: object = {}) => version(number, { channel: 'unlisted', ...facts });

const path = (guid: string) => `/api/v4/addons/addon/${guid}/`;

async function statusOf(guid: string): Promise<unknown> {
  return ((await admin.get(path(guid))).json as { status: unknown }).status;
}

describe('an imported add-on with unlisted versions only', () => {
  it.each(['public', 'nominated'])('is not public even if its status in the file is %s', async (status) => {
    const guid = `${status}@unlisted`;
    const lines = [line(guid, { status, versions: [unlisted('1.0'), version('0.9', { deleted: true })] })];
    for (let time = 0; time < 2; time += 1) {
      await importLines(lines);
      for (const below of ['', 'versions/', 'feature_compatibility/', 'eula_policy/'])
        expect([below, (await app.anonymous.get(path(guid) + below)).status]).toEqual([below, 401]);
      expect(await statusOf(guid)).toBe('incomplete');
    }
    expect(await exportedLines()).toContainEqual(expect.objectContaining({ guid, status: 'incomplete' }));
  });

  it('has the status of the file once it has a listed version', async () => {
    await importLines([line('later@unlisted', { versions: [unlisted('1.0')] })]);
    expect(await statusOf('later@unlisted')).toBe('incomplete');
    await importLines([line('later@unlisted', { versions: [version('2.0')] })]);
    expect((await app.anonymous.get(path('later@unlisted'))).status).toBe(200);
  });

  it('keeps any other status, and so do add-ons without active versions', async () => {
    await importLines([
      line('disabled@unlisted', { status: 'disabled', versions: [unlisted('1.0')] }),
      line('empty@unlisted'),
      line('deleted@unlisted', { versions: [unlisted('1.0', { deleted: true })] }),
      line('refused@unlisted', { versions: [unlisted('1.0'), version('2.0', { files: [file({ status: 5 })] })] }),
    ]);
    expect(await statusOf('disabled@unlisted')).toBe('disabled');
    for (const name of ['empty', 'deleted', 'refused']) expect(await statusOf(`${name}@unlisted`)).toBe('public');
  });
});

const LICENSES = `query($guid: String!) { addon(by: { guid: $guid }) { license { builtin } currentVersion { license { builtin } } } }`;

interface Licensed {
  license: { builtin: string } | null;
  currentVersion: { license: { builtin: string } | null } | null;
}

/** The licence of an add-on and that of its current version. */
async function licensesOf(guid: string): Promise<unknown[]> {
  const { addon } = await admin.graphql<{ addon: Licensed }>(LICENSES, { guid });
  return [addon.license?.builtin, addon.currentVersion?.license?.builtin];
}

describe('the licence of an add-on', () => {
  const licensed = (guid: string, builtin: string, number = '1.0') =>
    line(guid, { versions: [version(number, { license: { builtin } })] });

  it('is that of the current version, also after the next import', async () => {
    await importLines([licensed('follows@license', 'MIT')]);
    expect(await licensesOf('follows@license')).toEqual(['MIT', 'MIT']);
    await importLines([licensed('follows@license', 'ISC')]);
    expect(await licensesOf('follows@license')).toEqual(['ISC', 'ISC']);
    await importLines([licensed('follows@license', 'MPL-2.0', '2.0')]);
    expect(await licensesOf('follows@license')).toEqual(['MPL-2.0', 'MPL-2.0']);
  });

  it('stays the same if an author has chosen another one', async () => {
    await importLines([licensed('chosen@license', 'MIT')]);
    await app.sql(
      `UPDATE addon SET license_id = (SELECT id FROM license WHERE builtin = 'Unlicense') WHERE guid = 'chosen@license'`,
    );
    await importLines([licensed('chosen@license', 'ISC')]);
    expect(await licensesOf('chosen@license')).toEqual(['Unlicense', 'ISC']);
  });
});

describe('e10s of an add-on', () => {
  const webExtension = (guid: string, facts: object = {}) =>
    line(guid, { versions: [version('1.0', { files: [file({ is_webextension: true })] })], ...facts });

  async function e10sOf(guid: string): Promise<unknown> {
    return (await app.anonymous.get(`${path(guid)}feature_compatibility/`)).json;
  }

  it('stays compatible-webextension when the next file has no versions', async () => {
    await importLines([webExtension('stays@e10s')]);
    expect(await e10sOf('stays@e10s')).toEqual({ e10s: 'compatible-webextension' });
    await importLines([line('stays@e10s')]);
    expect(await e10sOf('stays@e10s')).toEqual({ e10s: 'compatible-webextension' });
  });

  it('is the value of the file, and unknown without one', async () => {
    await importLines([webExtension('given@e10s', { e10s: 'incompatible' }), line('absent@e10s')]);
    expect(await e10sOf('given@e10s')).toEqual({ e10s: 'incompatible' });
    expect(await e10sOf('absent@e10s')).toEqual({ e10s: 'unknown' });
    await importLines([line('absent@e10s', { e10s: 'compatible' })]);
    expect(await e10sOf('absent@e10s')).toEqual({ e10s: 'compatible' });
    await importLines([line('given@e10s', { versions: [version('1.0')] }), line('absent@e10s')]);
    expect(await e10sOf('given@e10s')).toEqual({ e10s: 'unknown' });
    expect(await e10sOf('absent@e10s')).toEqual({ e10s: 'unknown' });
  });
});

describe('an imported version that awaits review', () => {
  const QUEUE = '{ reviewQueue { edges { node { waitingSince version { channel } addon { guid } } } } }';
  interface Queue {
    reviewQueue: { edges: { node: { waitingSince: string; version: { channel: string }; addon: { guid: string } } }[] };
  }
  const queued = async (guid: string) =>
    (await admin.graphql<Queue>(QUEUE)).reviewQueue.edges
      .filter(({ node }) => node.addon.guid === guid)
      .map(({ node: { waitingSince, version } }) => [waitingSince, version.channel]);

  it('is in the queue since its creation, and not after an import with a decision', async () => {
    const waiting = version('1.0', { created: '2018-10-25T09:30:00Z', files: [file({ status: 1 })] });
    const guid = 'waits@queue';
    const lines = (facts: object) => [line(guid, { status: 'nominated', versions: [{ ...waiting, ...facts }] })];
    for (let time = 0; time < 2; time += 1) {
      await importLines(lines({}));
      expect(await queued(guid)).toEqual([['2018-10-25T09:30:00Z', 'LISTED']]);
    }
    await importLines(lines({ channel: 'unlisted' }));
    expect(await queued(guid)).toEqual([['2018-10-25T09:30:00Z', 'UNLISTED']]);
    await importLines(lines({ files: [file({ status: 5 })] }));
    expect(await queued(guid)).toEqual([]);
  });
});

describe('the account automatic-review', () => {
  it('is in no export', async () => {
    const accounts = (await exportedLines()).filter(({ kind }) => kind === 'account');
    expect(accounts.length).toBeGreaterThan(0);
    expect(accounts.map(({ username }) => username)).not.toContain('automatic-review');
  });
});
