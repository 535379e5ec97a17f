import { expect, it } from 'vitest';
import { message } from '../../../src/texts/messages.ts';
import { setUpApp } from '../../support/app.ts';
import { xpi } from '../../support/packages.ts';

const app = setUpApp();

it('sets stage error with a reason and frees the version number when a package cannot be signed', async () => {
  const { config } = await import('../../../src/config.ts');
  const developer = await app.developer();
  const address = '/api/v4/addons/unsignable@example/versions/1.0/';
  const upload = await xpi({ guid: 'unsignable@example', files: { 'META-INF/other.sf/x': 'x' } });
  expect((await developer.put(address, { upload })).status).toBe(201);
  // The operator renames signature files while the upload waits.
  config.SIGNATURE_BASE_NAME = 'other';
  await app.runJobs();
  expect((await developer.get(address)).json).toMatchObject({
    processed: true,
    valid: false,
    active: false,
    files: [],
  });
  expect(await app.sql('SELECT stage, reason_message AS message FROM version')).toEqual([
    { stage: 'error', message: message('package.name_of_signature', { name: 'META-INF/other.sf/x' }) },
  ]);
  expect(await app.sql('SELECT serial FROM signing_certificate')).toEqual([]);
  config.SIGNATURE_BASE_NAME = 'addon';
  expect((await developer.put(address, { upload })).status).toBe(202);
  await app.runJobs();
  expect((await developer.get(address)).json).toMatchObject({ valid: true, active: true });
});
