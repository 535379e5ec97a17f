/* No path makes a limit of the manifest wider: each way to set the compatibility of a version, with each kind of widening. */
import { describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { globalId } from '../../support/global-ids.ts';
import { legacyExtension, xpi } from '../../support/packages.ts';
import { formFields, textOf, visitorOf } from '../../support/pages.ts';
import { byField, graphqlRefusal } from '../../support/refusals.ts';
import { sendFile } from '../../support/send-file.ts';
import { patchJson, sendJson } from '../../support/submission.ts';
import { type Submitted, submit, validUpload } from '../../support/uploads.ts';

const app = setUpApp();
let developer: Client;

type App = 'desktop_browser' | 'mobile_browser' | 'mail_client';
type Ranges = Partial<Record<App, readonly [min: string, max: string]>>;

const refusal = (app: App | string) =>
  `Can not override compatibility information set in the manifest for this application (${app})`;
const BOTH = 'desktop_browser 58.0 60.*, mobile_browser 58.0 60.*';

let serial = 0;
const newGuid = () => `limits-${++serial}@example.org`;
const packageOf = (guid: string, version = '1.0', gecko: object = {}) => ({
  guid,
  version,
  manifest: {
    browser_specific_settings: {
      gecko: { id: guid, strict_min_version: '58.0', strict_max_version: '60.*', ...gecko },
    },
  },
});

const forRest = (ranges: Ranges) =>
  Object.fromEntries(Object.entries(ranges).map(([app, [min, max]]) => [app, { min, max }]));
const forGraphql = (ranges: Ranges) =>
  Object.entries(ranges).map(([app, [min, max]]) => ({ app: app.toUpperCase(), min, max }));

/** The refusal of ranges; null when they are set. */
type Send = (ranges: Ranges) => Promise<string | null>;

const ofRest = ({ status, json }: { status: number; json: unknown }): string | null =>
  status < 300 ? null : (byField(json as Record<string, unknown>).compatibility?.join() ?? JSON.stringify(json));
const ofGraphql = (result: Submitted): string | null =>
  result.__typename.endsWith('Payload')
    ? null
    : (graphqlRefusal(result).messages.compatibility?.join() ?? JSON.stringify(result));

const RESULT =
  '__typename ... on UserError { code message path } ... on InvalidInputError { fields { name messages } }';
const UPDATE = `mutation($input: UpdateVersionInput!) { result: updateVersion(input: $input) { ${RESULT} } }`;
const SUBMIT = `mutation($input: SubmitVersionInput!) { result: submitVersion(input: $input) { ${RESULT} } }`;

async function update(id: number, input: object): Promise<Submitted> {
  const variables = { input: { id: globalId('Version', id), ...input } };
  return (await developer.graphql<{ result: Submitted }>(UPDATE, variables)).result;
}

const valid = (guid: string, version?: string) => validUpload(app, developer, packageOf(guid, version));

/** Adds a version of a package by the signing API; its database id. */
async function signed(guid: string, bytes: Buffer, version = '1.0'): Promise<number> {
  const reply = await developer.put(`/api/v4/addons/${guid}/versions/${version}/`, { upload: bytes });
  expect(reply.status, reply.text).toBeLessThan(300);
  await app.runJobs();
  const [row] = await app.sql<{ id: number }>(
    'SELECT v.id FROM version v JOIN addon a ON a.id = v.addon_id WHERE a.guid = $1 AND v.version = $2',
    [guid, version],
  );
  return row?.id ?? 0;
}

const present = async (guid: string, gecko: object = {}) => signed(guid, await xpi(packageOf(guid, '1.0', gecko)));

/** The ranges of the newest version of an add-on. */
async function rangesOf(guid: string): Promise<string | null> {
  const [row] = await app.sql<{ ranges: string | null }>(
    `SELECT (SELECT string_agg(concat_ws(' ', c.app, c.min, c.max), ', ' ORDER BY c.app)
       FROM version_compatibility c WHERE c.version_id = v.id) AS ranges
     FROM version v JOIN addon a ON a.id = v.addon_id WHERE a.guid = $1 ORDER BY v.id DESC LIMIT 1`,
    [guid],
  );
  return row?.ranges ?? null;
}

/** The paths that set ranges while a version is submitted. Nothing is left of a refused submission. */
const SUBMISSIONS: Record<string, (guid: string) => Promise<Send>> = {
  'POST addons/addon/': async (guid) => {
    const upload = await valid(guid);
    return async (ranges) =>
      ofRest(await sendJson(developer, 'POST', '/addon/', { version: { upload, compatibility: forRest(ranges) } }));
  },
  'PUT addons/addon/{guid}/': async (guid) => {
    const upload = await valid(guid);
    return async (ranges) =>
      ofRest(
        await sendJson(developer, 'PUT', `/addon/${guid}/`, { version: { upload, compatibility: forRest(ranges) } }),
      );
  },
  'POST addons/addon/{addon}/versions/': async (guid) => {
    await present(guid);
    const upload = await valid(guid, '2.0');
    return async (ranges) =>
      ofRest(await sendJson(developer, 'POST', `/addon/${guid}/versions/`, { upload, compatibility: forRest(ranges) }));
  },
  submitAddon: async (guid) => {
    const upload = await valid(guid);
    return async (ranges) =>
      ofGraphql(await submit(developer, 'submitAddon', { upload, compatibility: forGraphql(ranges) }));
  },
  'submitVersion with an upload': async (guid) => {
    await present(guid);
    const upload = await valid(guid, '2.0');
    return async (ranges) =>
      ofGraphql(await submit(developer, 'submitVersion', { guid, upload, compatibility: forGraphql(ranges) }));
  },
  'submitVersion with a file': async (guid) => {
    const bytes = await xpi(packageOf(guid));
    return async (ranges) => {
      const input = { guid, compatibility: forGraphql(ranges) };
      return ofGraphql(
        (await sendFile(developer, SUBMIT, input, bytes, { fileName: 'a.xpi' })) as unknown as Submitted,
      );
    };
  },
};

/** The paths that change the ranges of a version. */
const CHANGES: Record<string, (guid: string) => Promise<Send>> = {
  'PATCH addons/addon/{addon}/versions/{version}/': async (guid) => {
    const id = await present(guid);
    return async (ranges) =>
      ofRest(await patchJson(developer, `${guid}/versions/${id}/`, { compatibility: forRest(ranges) }));
  },
  updateVersion: async (guid) => {
    const id = await present(guid);
    return async (ranges) => ofGraphql(await update(id, { compatibility: forGraphql(ranges) }));
  },
  "the hub's form": async (guid) => {
    const id = await present(guid);
    const visitor = await visitorOf(app, developer);
    const [addon] = await app.sql<{ id: number }>('SELECT id FROM addon WHERE guid = $1', [guid]);
    const path = `/developers/addon/${addon?.id}/versions/${id}`;
    return async (ranges) => {
      const opened = await formFields(visitor, path, 'hub-version-edit');
      const fields = (['DESKTOP_BROWSER', 'MOBILE_BROWSER', 'MAIL_CLIENT', 'SUITE_APP'] as const).map((name) => {
        const range = ranges[name.toLowerCase() as App];
        return [`compatibility.${name}`, range?.join(' - ') ?? ''] as const;
      });
      const reply = await visitor.submit(path, 'hub-version-edit', { ...opened, ...Object.fromEntries(fields) });
      if (reply.status === 303) return null;
      return /Can not override [^()]*\([a-z_]+\)/.exec(textOf(reply))?.[0] ?? textOf(reply);
    };
  },
};

const KINDS: readonly [kind: string, ranges: Ranges, app: App][] = [
  ['a lower minimum', { desktop_browser: ['57.0', '60.*'] }, 'desktop_browser'],
  ['a higher maximum', { desktop_browser: ['58.0', '61.0'] }, 'desktop_browser'],
  ['no maximum', { desktop_browser: ['58.0', '*'] }, 'desktop_browser'],
  [
    'a lower minimum of another application',
    { desktop_browser: ['58.0', '60.*'], mobile_browser: ['57.0', '60.*'] },
    'mobile_browser',
  ],
  [
    'no maximum of another application',
    { mail_client: ['60.0', '*'], mobile_browser: ['58.0', '*'] },
    'mobile_browser',
  ],
];

/** The result of each kind by a path. */
const results = async (send: Send) => {
  const found: Record<string, string | null> = {};
  for (const [kind, ranges] of KINDS) found[kind] = await send(ranges);
  return found;
};
const REFUSED = Object.fromEntries(KINDS.map(([kind, , app]) => [kind, refusal(app)]));

describe('the limits of the manifest', () => {
  it.each(Object.entries(SUBMISSIONS))('are not made wider by %s', async (_name, open) => {
    developer = await app.developer();
    const guid = newGuid();
    const send = await open(guid);
    expect(await results(send)).toEqual(REFUSED);
    expect(await send({ desktop_browser: ['58.0', '60.*'], mobile_browser: ['59.0', '60.0'] })).toBeNull();
    expect(await rangesOf(guid)).toBe('desktop_browser 58.0 60.*, mobile_browser 59.0 60.0');
    await app.runJobs();
  });

  it.each(Object.entries(CHANGES))('are not made wider by %s, nor lost with the application', async (_name, open) => {
    developer = await app.developer();
    const guid = newGuid();
    const send = await open(guid);
    expect(await results(send)).toEqual(REFUSED);
    expect(await rangesOf(guid)).toBe(BOTH);
    expect(await send({ mail_client: ['60.0', '*'] })).toBeNull();
    expect(await results(send)).toEqual(REFUSED);
    expect(await rangesOf(guid)).toBe('mail_client 60.0 *');
    expect(await send({ desktop_browser: ['59.0', '60.0'], mobile_browser: ['58.0', '60.*'] })).toBeNull();
    expect(await rangesOf(guid)).toBe('desktop_browser 59.0 60.0, mobile_browser 58.0 60.*');
  });

  it('complete ranges of applications that return, by lists and without ends', async () => {
    developer = await app.developer();
    const guid = newGuid();
    const path = `${guid}/versions/${await present(guid)}/`;
    const patched = async (compatibility: unknown) => {
      expect((await patchJson(developer, path, { compatibility })).status).toBe(200);
      return rangesOf(guid);
    };
    expect(await patched(['firefox', 'android'])).toBe(BOTH);
    for (const again of [['firefox', 'android'], { firefox: {}, android: { min: '58.0' } }]) {
      expect(await patched(['thunderbird'])).toMatch(/^mail_client /);
      expect(await patched(again)).toBe(BOTH);
    }
  });

  it('of the desktop hold for the mobile browser that the manifest does not support', async () => {
    developer = await app.developer();
    const guid = newGuid();
    const id = await present(guid, { strict_min_version: '45.0', strict_max_version: '50.*' });
    expect(await rangesOf(guid)).toBe('desktop_browser 45.0 50.*');
    const send = async (ranges: Ranges) => ofGraphql(await update(id, { compatibility: forGraphql(ranges) }));
    expect(await send({ mobile_browser: ['48.0', '*'] })).toBe(refusal('mobile_browser'));
    expect(await send({ mobile_browser: ['48.0', '50.*'] })).toBeNull();
  });

  it('of a legacy package are its minimum, and its maximum with strict compatibility only', async () => {
    developer = await app.developer();
    const id = '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}';
    const targets = [{ id, min: '45.0', max: '50.*' }];
    const made = async (properties: string) => {
      const guid = newGuid();
      return signed(guid, await legacyExtension({ guid, targets, properties }));
    };
    const change = async (version: number, input: object) => {
      const result = await update(version, input);
      return result.__typename.endsWith('Payload') ? null : graphqlRefusal(result).messages;
    };
    const desktop = (min: string, max: string) => ({ compatibility: forGraphql({ desktop_browser: [min, max] }) });
    const [loose, strict] = [await made(''), await made('<em:strictCompatibility>true</em:strictCompatibility>')];
    const text = [refusal('desktop_browser')];
    for (const version of [loose, strict]) {
      expect(await change(version, desktop('44.0', '50.*'))).toEqual({ compatibility: text });
    }
    expect(await change(loose, desktop('45.0', '56.*'))).toBeNull();
    expect(await change(strict, desktop('45.0', '56.*'))).toEqual({ compatibility: text });
    for (const isStrict of [true, false]) {
      expect(await change(loose, { isStrictCompatibilityEnabled: isStrict })).toBeNull();
    }
    const off = { isStrictCompatibilityEnabled: false };
    expect(await change(strict, off)).toEqual({ isStrictCompatibilityEnabled: text });
    expect(await change(strict, { ...off, ...desktop('45.0', '51.0') })).toEqual({
      isStrictCompatibilityEnabled: text,
      compatibility: text,
    });
    expect(await change(strict, { isStrictCompatibilityEnabled: true, ...desktop('46.0', '50.0') })).toBeNull();
  });

  it('of a legacy package exclude applications that it does not target', async () => {
    developer = await app.developer();
    const guid = newGuid();
    const targets = [{ id: '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}', min: '45.0', max: '50.*' }];
    const id = await signed(guid, await legacyExtension({ guid, targets }));
    const desktop = ['45.0', '50.*'] as const;
    for (const [other, range] of [
      ['mobile_browser', ['48.0', '50.0']],
      ['mail_client', ['60.0', '*']],
    ] as const) {
      for (const ranges of [{ [other]: range }, { desktop_browser: desktop, [other]: range }]) {
        expect(ofGraphql(await update(id, { compatibility: forGraphql(ranges) }))).toBe(refusal(other));
        const reply = await patchJson(developer, `${guid}/versions/${id}/`, { compatibility: forRest(ranges) });
        expect(ofRest(reply)).toBe(refusal(other));
      }
    }
    expect(await rangesOf(guid)).toBe('desktop_browser 45.0 50.*');
  });
});
