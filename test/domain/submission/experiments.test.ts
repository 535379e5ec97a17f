import { describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { expectRefusal, signingRefusal } from '../../support/expect-refusal.ts';
import { xpi } from '../../support/packages.ts';
import { path, status } from '../../support/signing-steps.ts';

const app = setUpApp();

const SCHEMA = JSON.stringify([{ namespace: 'clock', functions: [] }]);
const experiment = (guid: string, manifest: object = {}) =>
  xpi({
    guid,
    version: '1.0',
    manifest: {
      permissions: ['mozillaAddons'],
      experiment_apis: {
        clock: { schema: 'schema.json', parent: { scopes: ['addon_parent'], script: 'api.js', paths: [['clock']] } },
      },
      ...manifest,
    },
    files: { 'schema.json': SCHEMA, 'api.js': 'this.clock = class extends ExtensionAPI {};' },
  });

describe('a package with experiment_apis', () => {
  it('is validated and signed for holders of Experiments:Submit', async () => {
    const [guid, holder] = ['experiment@example', await app.memberWith('Experiments:Submit')];
    expect((await holder.put(path(guid), { upload: await experiment(guid) })).status).toBe(201);
    await app.runJobs();
    expect(await status(holder, guid)).toMatchObject({ valid: true, active: true, files: [{ signed: true }] });
  });

  it('is validated by the rules of privileged add-ons', async () => {
    const [guid, holder] = ['careless@example', await app.memberWith('Experiments:Submit')];
    await holder.put(path(guid), { upload: await experiment(guid, { permissions: ['storage'] }) });
    await app.runJobs();
    const { valid, validation_results: results } = await status(holder, guid);
    expect(valid).toBe(false);
    expect(results?.messages.flatMap(({ id }) => id)).toContain('MOZILLA_ADDONS_PERMISSION_REQUIRED');
  });

  it('returns 400 for other accounts', async () => {
    const developer = await app.developer();
    const upload = await experiment('refused@example');
    const refusal = signingRefusal(400, 'You cannot submit this type of add-on');
    expectRefusal(await developer.put(path('refused@example'), { upload }), refusal);
    expectRefusal(await developer.post('/api/v4/addons/', { upload, version: '1.0' }), refusal);
  });

  it('does not change the rules for other packages of holders of Experiments:Submit', async () => {
    const [guid, holder] = ['plain@example', await app.memberWith('Experiments:Submit')];
    const manifest = { permissions: ['mozillaAddons'] };
    await holder.put(path(guid), { upload: await xpi({ guid, version: '1.0', manifest }) });
    await app.runJobs();
    expect(await status(holder, guid)).toMatchObject({ processed: true, valid: false });
  });
});
