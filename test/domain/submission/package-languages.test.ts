import { expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { listingInput, submit, validUpload } from '../../support/uploads.ts';

const app = setUpApp();

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
  const texts = {
    en: 'refers to a message that does not exist: __MSG_d__',
    de: 'verweist auf einen Text, den es nicht gibt: __MSG_d__',
    he: 'מפנה להודעה שאינה קיימת: __MSG_d__',
  };
  const { visitorOf, textOf } = await import('../../support/pages.ts');
  const visitor = await visitorOf(app, developer);
  const pk = await uploadPk(addon?.databaseId ?? 0);
  for (const [language, text] of Object.entries(texts)) {
    expect(textOf(await visitor.get(`/validation/${pk}/?lang=${language}`))).toContain(text);
  }
  // REST has the documented keys alone.
  const { json } = await developer.get('/api/v4/addons/unresolved@example/versions/1.0/');
  const { validation_results: results } = json as { validation_results: { messages: object[] } };
  for (const each of results.messages) expect(each).not.toHaveProperty('reason');
});

async function uploadPk(addonId: number): Promise<string> {
  const [upload] = await app.sql<{ pk: string }>('SELECT pk FROM upload WHERE addon_id = $1', [addonId]);
  return upload?.pk ?? '';
}
