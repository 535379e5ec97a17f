import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { mutate } from '../../support/mutate.ts';
import { xpi } from '../../support/packages.ts';

const app = setUpApp();
let owner: Client;
let reviewer: Client;

beforeAll(async () => {
  [owner, reviewer] = [await app.developer(), await app.reviewer()];
});

const make = (facts: AddonFacts = {}): Promise<MadeAddon> =>
  addon({ authors: [owner.accountId ?? 0], summary: { 'en-US': 'Shows the time.' }, ...facts });
const TWO = { versions: [{ version: '1.0' }, { version: '2.0' }] };
const disable = (id: number | undefined, isDisabled: boolean, client = owner) =>
  mutate(client, 'updateVersion', { id, isDisabled });
const idOf = ({ versions }: MadeAddon, index = 0) => versions[index]?.id;
const DONE = { __typename: 'UpdateVersionPayload' };

interface Shown {
  status: string;
  current_version: { version: string; files: { status: number }[] } | null;
}
const read = async (id: number, client: Client = owner) => {
  const { status, json } = await client.get(`/api/v4/addons/addon/${id}/`);
  const { current_version: current = null, status: state } = json as Shown;
  return [status, state, current?.version ?? null];
};
const filesOf = (id: number | undefined) =>
  app.sql('select status, status_when_enabled as later from file where version_id = $1', [id]);
const actions = async (id: number) =>
  (await app.sql<{ action: string }>('select action from activity where addon_id = $1 order by id', [id])).map(
    ({ action }) => action,
  );

describe('a version that its developers disable', () => {
  it('is not public, and the one before it becomes the current version', async () => {
    const made = await make(TWO);
    const [, newest] = made.versions;
    const file = `/downloads/file/${newest?.files[0]?.id}/x.xpi`;
    expect(await read(made.id, app.anonymous)).toEqual([200, 'public', '2.0']);
    expect(await disable(newest?.id, true)).toEqual(DONE);
    expect(await read(made.id, app.anonymous)).toEqual([200, 'public', '1.0']);
    const address = `/api/v4/addons/addon/${made.id}/versions/${newest?.id}/`;
    expect((await app.anonymous.get(address)).status).toBe(401);
    expect((await owner.get(address)).json).toMatchObject({ files: [{ status: 5 }] });
    expect((await app.anonymous.get(file)).status).toBe(404);
    expect(await disable(newest?.id, false)).toEqual(DONE);
    expect(await read(made.id, app.anonymous)).toEqual([200, 'public', '2.0']);
    expect((await actions(made.id)).filter((action) => action !== 'version-edited')).toEqual([
      'version-disabled-by-developer',
      'version-enabled-by-developer',
    ]);
  });

  it('takes the add-on out of the catalogue when it is the only one, and out of searches', async () => {
    const made = await make({ name: { 'en-US': 'Quaxolotl' } });
    const found = async () =>
      ((await app.anonymous.get('/api/v4/addons/search/?q=quaxolotl')).json as { count: number }).count;
    expect(await found()).toBe(1);
    await disable(idOf(made), true);
    expect([await read(made.id), await found()]).toEqual([[200, 'incomplete', null], 0]);
    expect((await app.anonymous.get(`/api/v4/addons/addon/${made.id}/`)).status).toBe(401);
    await disable(idOf(made), false);
    expect([await read(made.id), await found()]).toEqual([[200, 'public', '1.0'], 1]);
  });

  it('is changed once: the same again does nothing', async () => {
    const made = await make(TWO);
    await disable(idOf(made), true);
    await disable(idOf(made), true);
    expect(await filesOf(idOf(made))).toEqual([{ status: 5, later: 4 }]);
    await disable(idOf(made), false);
    await disable(idOf(made), false);
    expect(await filesOf(idOf(made))).toEqual([{ status: 4, later: null }]);
    expect((await actions(made.id)).filter((action) => action !== 'version-edited')).toHaveLength(2);
  });

  it('stays disabled when another field of the same change is refused', async () => {
    const made = await make(TWO);
    await disable(idOf(made), true);
    const refused = await mutate(owner, 'updateVersion', { id: idOf(made), isDisabled: false, license: 'nonsense' });
    expect(refused.code).toBe('BAD_USER_INPUT');
    expect(await filesOf(idOf(made))).toEqual([{ status: 5, later: 4 }]);
  });

  it('is shown as disabled to authors and reviewers only', async () => {
    const made = await make(TWO);
    await disable(idOf(made), true);
    const query = `{ version(id: "${globalId('Version', idOf(made, 1))}") { isDisabled } }`;
    const hidden = `{ version(id: "${globalId('Version', idOf(made))}") { isDisabled } }`;
    expect(await app.anonymous.graphql(query)).toEqual({ version: { isDisabled: null } });
    expect(await reviewer.graphql(query)).toEqual({ version: { isDisabled: false } });
    for (const client of [owner, reviewer]) {
      expect(await client.graphql(hidden)).toEqual({ version: { isDisabled: true } });
    }
    const v5 = await owner.get(`/api/v5/addons/addon/${made.id}/versions/1.0/`);
    expect(v5.json).toMatchObject({ is_disabled: true, file: { status: 'disabled' } });
  });

  it('is for developers of the add-on', async () => {
    const made = await make();
    expect((await disable(idOf(made), true, await app.developer())).__typename).toBe('NotPermittedError');
    expect(await disable(idOf(made), true, app.anonymous).catch(() => 'refused')).toBe('refused');
  });

  it('keeps a current version under concurrent changes of all versions', async () => {
    const made = await make({ versions: ['1.0', '2.0', '3.0'].map((version) => ({ version })) });
    await Promise.all([disable(idOf(made, 1), true), disable(idOf(made, 2), true), disable(idOf(made, 0), true)]);
    expect(await read(made.id)).toEqual([200, 'incomplete', null]);
    await Promise.all([disable(idOf(made, 0), false), disable(idOf(made, 1), false)]);
    expect(await read(made.id, app.anonymous)).toEqual([200, 'public', '2.0']);
  });
});

describe('a waiting version that its developers disable', () => {
  const waiting = (): Promise<MadeAddon> =>
    make({ status: 'nominated', versions: [{ stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] }] });

  it('waits again when they enable it', async () => {
    const made = await waiting();
    await disable(idOf(made), true);
    expect([await filesOf(idOf(made)), (await read(made.id))[1]]).toEqual([[{ status: 5, later: 1 }], 'incomplete']);
    await disable(idOf(made), false);
    expect([await filesOf(idOf(made)), (await read(made.id))[1]]).toEqual([[{ status: 1, later: null }], 'nominated']);
  });

  it('stays disabled when a reviewer rejects it', async () => {
    const made = await waiting();
    await disable(idOf(made), true);
    const reject = 'mutation($input: RejectVersionInput!) { rejectVersion(input: $input) { __typename } }';
    const input = { id: globalId('Version', idOf(made)), comments: 'No.' };
    expect(await reviewer.graphql(reject, { input })).toMatchObject({
      rejectVersion: { __typename: 'RejectVersionPayload' },
    });
    expect(await filesOf(idOf(made))).toEqual([{ status: 5, later: 5 }]);
    await disable(idOf(made), false);
    expect([await filesOf(idOf(made)), (await read(made.id))[1]]).toEqual([[{ status: 5, later: null }], 'incomplete']);
  });

  it('is signed, and public once they enable it', async () => {
    const upload = await xpi({ guid: 'disabled@example.org', version: '1.0' });
    await owner.put('/api/v4/addons/disabled@example.org/versions/1.0/', { upload });
    const [version] = await app.sql<{ id: number }>(
      "select v.id from version v join addon a on a.id = v.addon_id where a.guid = 'disabled@example.org'",
    );
    expect(await disable(version?.id, true)).toEqual(DONE);
    await app.runJobs();
    expect(await filesOf(version?.id)).toEqual([{ status: 5, later: 4 }]);
    const status = (await owner.get('/api/v4/addons/disabled@example.org/versions/1.0/')).json;
    expect(status).toMatchObject({ valid: true, reviewed: true, active: false, files: [{ signed: true }] });
    await disable(version?.id, false);
    const enabled = await owner.get('/api/v5/addons/addon/disabled@example.org/versions/1.0/');
    expect(enabled.json).toMatchObject({ is_disabled: false, file: { status: 'public' } });
    const { url } = (enabled.json as { file: { url: string } }).file;
    expect((await owner.get(new URL(url).pathname)).status).toBe(200);
    expect((await app.anonymous.get(new URL(url).pathname)).status).toBe(404);
  });

  it('has locked ranges when the manifest sets them for one application', async () => {
    const settings = { gecko: { id: 'locked@example.org' }, gecko_android: { strict_min_version: '60.0' } };
    const upload = await xpi({
      guid: 'locked@example.org',
      version: '1.0',
      manifest: { browser_specific_settings: settings },
    });
    expect((await owner.put('/api/v4/addons/locked@example.org/versions/1.0/', { upload })).status).toBe(201);
    expect(
      await app.sql(`select v.manifest_compatibility as manifest from version v join addon a on a.id = v.addon_id
        where a.guid = 'locked@example.org'`),
    ).toEqual([
      {
        manifest: {
          isStrict: false,
          ranges: {
            desktop_browser: { min: '42.0', max: '*', isLocked: false },
            mobile_browser: { min: '60.0', max: '*', isLocked: true },
          },
        },
      },
    ]);
  });
});
