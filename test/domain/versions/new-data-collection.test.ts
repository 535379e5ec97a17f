import { expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { submit, validUpload } from '../../support/uploads.ts';

const app = setUpApp();

const GUID = 'collects@example.org';

it('names collected data as new only if the data of the previous version is known', async () => {
  const developer = await app.developer();
  const collecting = (kinds: string[]) => ({
    browser_specific_settings: { gecko: { id: GUID, data_collection_permissions: { required: kinds } } },
  });
  const newOf = async () => {
    const found = await developer.graphql<{ addon: { version: { newDataCollectionPermissions: string[] | null } } }>(
      `{ addon(by: { guid: "${GUID}" }) { version(by: { number: "2.0" }) { newDataCollectionPermissions } } }`,
    );
    return found.addon.version.newDataCollectionPermissions;
  };
  const first = await validUpload(app, developer, { guid: GUID, version: '1.0' }, 'UNLISTED');
  await submit(developer, 'submitAddon', { upload: first });
  await app.runJobs();
  const manifest = collecting(['locationInfo']);
  const second = await validUpload(app, developer, { guid: GUID, version: '2.0', manifest }, 'UNLISTED');
  await submit(developer, 'submitVersion', { guid: GUID, upload: second });
  await app.runJobs();
  expect(await newOf()).toEqual(['locationInfo']);

  // An import has versions without their uploads, and files whose packages were not read.
  await app.sql("DELETE FROM upload WHERE version_id IN (SELECT id FROM version WHERE version = '1.0')");
  expect(await newOf()).toBeNull();
  const of = "version_id IN (SELECT id FROM version WHERE version = '1.0')";
  await app.sql(`UPDATE file SET data_collection_permissions = '{none}' WHERE ${of}`);
  expect(await newOf()).toEqual(['locationInfo']);
});
