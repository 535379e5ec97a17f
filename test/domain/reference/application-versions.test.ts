import { beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { beginningWith } from '../../support/expect-refusal.ts';
import { xpi } from '../../support/packages.ts';

const app = setUpApp();
let developer: Client;
beforeAll(async () => {
  developer = await app.developer();
});

async function send(guid: string, min: string) {
  const browser_specific_settings = { gecko: { id: guid, strict_min_version: min } };
  const upload = await xpi({ guid, manifest: { browser_specific_settings } });
  return developer.put(`/api/v4/addons/${guid}/versions/1.0/`, { upload });
}

const rangesOf = (guid: string) =>
  app.sql(
    `SELECT app, min, max FROM version_compatibility JOIN version ON version.id = version_id
     JOIN addon ON addon.id = addon_id WHERE guid = $1 ORDER BY app`,
    [guid],
  );
const applicationsWith = async (version: string) =>
  (await app.sql('SELECT app FROM application_version WHERE version = $1 ORDER BY app', [version])).map(
    ({ app: name }) => name,
  );

it('accepts packages for a version after an operator adds it', async () => {
  expect(await send('later@example', '201.0.2')).toMatchObject({
    status: 400,
    json: {
      error: beginningWith(
        'Cannot find min/max version. Maybe "strict_min_version" or "strict_max_version" contains an unsupported version? "gecko.strict_min_version" is "201.0.2"',
      ),
    },
  });
  const { addApplicationVersion } = await import('../../../src/domain/reference/manage-reference.ts');
  await addApplicationVersion('test', 'desktop_browser', '201.*');
  expect((await send('later@example', '201.0.2')).status).toBe(201);
  expect(await rangesOf('later@example')).toEqual([{ app: 'desktop_browser', min: '201.0.2', max: '*' }]);
  expect(await applicationsWith('201.0.2')).toEqual(['desktop_browser']);
});

it('adds versions of a known major version from packages', async () => {
  expect((await send('point@example', '60.1.3')).status).toBe(201);
  expect(await applicationsWith('60.1.3')).toEqual(['desktop_browser', 'mobile_browser']);
});

it('accepts only the added version if it has no wildcard', async () => {
  const { addApplicationVersion } = await import('../../../src/domain/reference/manage-reference.ts');
  await addApplicationVersion('test', 'desktop_browser', '202.3');
  expect((await send('other@example', '202.4')).status).toBe(400);
  expect((await send('other@example', '202.3')).status).toBe(201);
});
