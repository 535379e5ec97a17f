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
