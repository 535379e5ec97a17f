import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { listingInput, submit, validUpload } from '../../support/uploads.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it('a new add-on has the texts of a package whose default language has no region', async () => {
  const developer = await app.developer();
  const messages = (name: string, text: string) => JSON.stringify({ name: { message: name }, text: { message: text } });
  const upload = await validUpload(
    app,
    developer,
    {
      guid: 'english@example',
      manifest: { default_locale: 'en', name: '__MSG_name__', description: '__MSG_text__' },
      files: {
        '_locales/en/messages.json': messages('Local clock', 'Shows the time.'),
        '_locales/de/messages.json': messages('Ortszeit', 'Zeigt die Zeit.'),
      },
    },
    'LISTED',
  );
  const { addon } = await submit(developer, 'submitAddon', { upload, ...(await listingInput(app)) });
  expect((await developer.get(`/api/v4/addons/addon/${addon?.databaseId}/`)).json).toMatchObject({
    ...{ default_locale: 'en-US', slug: 'local-clock' },
    name: { 'en-US': 'Local clock', de: 'Ortszeit' },
    summary: { 'en-US': 'Shows the time.', de: 'Zeigt die Zeit.' },
  });
});

it('an add-on whose texts have no messages is named by its short name, has no summary and is warned about', async () => {
  const developer = await app.developer();
  const manifest = { default_locale: 'en', name: '__MSG_n__', short_name: 'Clock', description: '__MSG_d__' };
  const files = { '_locales/en/messages.json': '{"other": {"message": "Other"}}' };
  const upload = await validUpload(app, developer, { guid: 'unresolved@example', manifest, files }, 'UNLISTED');
  const { addon } = await submit(developer, 'submitAddon', { upload });
  expect((await developer.get(`/api/v4/addons/addon/${addon?.databaseId}/`)).json).toMatchObject({
    name: { 'en-US': 'Clock' },
    summary: null,
  });
  const [{ validation }] = (await app.sql('SELECT validation FROM upload WHERE addon_id = $1', [
    addon?.databaseId,
  ])) as [{ validation: { success: boolean; messages: { type: string; message: string }[] } }];
  expect(validation.success).toBe(true);
  expect(validation.messages.filter(({ message }) => message.includes('__MSG_'))).toEqual([
    expect.objectContaining({ type: 'warning', message: '"name" refers to a message that does not exist: __MSG_n__' }),
    expect.objectContaining({
      type: 'warning',
      message: '"description" refers to a message that does not exist: __MSG_d__',
    }),
  ]);
});
