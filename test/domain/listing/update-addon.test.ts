import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { categoryIds } from '../../support/categories.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../support/factories.ts';
import { inEnglish, mutate, mutationError } from '../../support/mutate.ts';

const app = setUpApp();
let owner: Client;
let developer: Client;

const update = (client: Client, input: Record<string, unknown>) => mutate(client, 'updateAddon', input);
const DONE = { __typename: 'UpdateAddonPayload' };
const make = (facts: AddonFacts = {}): Promise<MadeAddon> =>
  addon({
    authors: [owner.accountId ?? 0, { id: developer.accountId ?? 0, role: 'developer' }],
    summary: { 'en-US': 'Shows the time.' },
    ...facts,
  });
const detail = async (id: number, { version = 'v4', query = '' } = {}) =>
  (await owner.get(`/api/${version}/addons/addon/${id}/${query}`)).json as Record<string, unknown>;

beforeAll(async () => {
  [owner, developer] = [await app.developer(), await app.developer()];
  await addon({
    slug: 'taken',
    categories: ['tools', 'tabs', 'games'].map((slug) => ({ app: 'desktop_browser', slug })),
  });
});

describe('updateAddon', () => {
  it('changes every field of a listing in REST v3, v4 and v4dev', async () => {
    const made = await make();
    const [tools, tabs] = await categoryIds(app, 'extension', 'tools', 'tabs');
    const input = {
      id: made.id,
      name: [...inEnglish('Clock'), { locale: 'de', value: ' Uhr ' }],
      summary: inEnglish('Tells the time.'),
      description: inEnglish(
        '<b>Bold</b><script>alert(1)</script> & <a href="https://clock.example/" onclick="x">here</a>',
      ),
      developerComments: inEnglish('<i>Needs</i> a clock.'),
      homepage: inEnglish('https://clock.example/?a=1&b=2'),
      supportEmail: inEnglish('help@clock.example'),
      supportUrl: inEnglish('http://clock.example/help'),
      eula: inEnglish('<p>Be <b>kind</b>.</p><style>x</style>'),
      privacyPolicy: inEnglish('We keep nothing.'),
      slug: 'clock-1',
      categories: [tools, tabs],
      tags: ['Time', ' world   CLOCK! ', 'time', '???'],
      contributionsUrl: ' https://pay.example/clock ',
      isExperimental: true,
      isSourcePublic: true,
      hasPublicStatistics: true,
      requiresPayment: true,
    };
    expect(await update(owner, input)).toEqual(DONE);
    const expected = {
      name: { 'en-US': 'Clock', de: 'Uhr' },
      summary: { 'en-US': 'Tells the time.' },
      description: {
        'en-US': expect.stringMatching(
          /^<b>Bold<\/b> &amp; <a href="[^"]*\/outgoing\/[^"]*" rel="nofollow">here<\/a>$/,
        ),
      },
      developer_comments: { 'en-US': '<i>Needs</i> a clock.' },
      homepage: { 'en-US': 'https://clock.example/?a=1&b=2' },
      support_email: { 'en-US': 'help@clock.example' },
      support_url: { 'en-US': 'http://clock.example/help' },
      has_eula: true,
      has_privacy_policy: true,
      slug: 'clock-1',
      categories: { desktop_browser: ['tabs', 'tools'] },
      tags: ['time', 'world clock'],
      contributions_url: 'https://pay.example/clock',
      is_experimental: true,
      is_source_public: true,
      public_stats: true,
      requires_payment: true,
    };
    for (const version of ['v3', 'v4', 'v4dev']) expect(await detail(made.id, { version })).toMatchObject(expected);
    for (const version of ['v3', 'v4']) {
      expect(await detail(made.id, { version, query: '?lang=de' })).toMatchObject({
        name: 'Uhr',
        summary: 'Tells the time.',
      });
    }
    expect(await detail(made.id, { version: 'v4dev', query: '?lang=de' })).toMatchObject({ name: { de: 'Uhr' } });
    expect((await owner.get('/api/v4/addons/addon/clock-1/eula_policy/')).json).toEqual({
      eula: { 'en-US': '<p>Be <b>kind</b>.</p>' },
      privacy_policy: { 'en-US': 'We keep nothing.' },
    });
    const log = await app.sql(
      'SELECT action, account_id AS account, details FROM activity WHERE addon_id = $1 ORDER BY id DESC LIMIT 1',
      [made.id],
    );
    expect(log).toEqual([
      {
        action: 'addon-edited',
        account: owner.accountId,
        details: { fields: expect.arrayContaining(['name', 'slug', 'tags', 'requiresPayment', 'privacyPolicy']) },
      },
    ]);
  });

  it('clears optional fields, and keeps fields that are null or absent', async () => {
    const made = await make({
      homepage: { 'en-US': 'https://a.example/' },
      contributionsUrl: 'https://pay.example/',
      tags: ['one'],
    });
    await update(owner, {
      id: made.id,
      homepage: inEnglish(null),
      contributionsUrl: null,
      tags: [],
      eula: inEnglish('x'),
    });
    await update(owner, { id: made.id, eula: inEnglish(' '), slug: null, isExperimental: null, categories: null });
    expect(await detail(made.id)).toMatchObject({
      homepage: null,
      contributions_url: null,
      tags: [],
      has_eula: false,
      slug: made.slug,
      summary: { 'en-US': 'Shows the time.' },
    });
  });

  it.each(['می\u200cخواهم', 'क्\u200dष', 'سلام\u200f!'])(
    'accepts the name %j with invisible characters of its script',
    async (name) => {
      const { id } = await make();
      expect(await update(owner, { id, name: inEnglish(name) })).toMatchObject(DONE);
      expect(await detail(id)).toMatchObject({ name: { 'en-US': name } });
    },
  );

  it('changes the ETags of the add-on and its policies, and the search results', async () => {
    const made = await make();
    const path = `/api/v4/addons/addon/${made.id}/`;
    const before = (await app.anonymous.get(path)).headers.etag ?? '';
    expect((await app.anonymous.get(path, { 'If-None-Match': before })).status).toBe(304);
    await update(owner, { id: made.id, name: inEnglish('Quokkawatch') });
    const after = await app.anonymous.get(path, { 'If-None-Match': before });
    expect([after.status, after.headers.etag === before]).toEqual([200, false]);
    const found = (await app.anonymous.get('/api/v4/addons/search/?q=quokkawatch')).json as {
      results: { id: number }[];
    };
    expect(found.results.map(({ id }) => id)).toEqual([made.id]);
    const policies = `${path}eula_policy/`;
    const tag = (await app.anonymous.get(policies)).headers.etag ?? '';
    await update(owner, { id: made.id, eula: inEnglish('Once') });
    const once = (await app.anonymous.get(policies)).headers.etag ?? '';
    await update(owner, { id: made.id, eula: inEnglish('Twice') });
    expect(new Set([tag, once, (await app.anonymous.get(policies)).headers.etag]).size).toBe(3);
  });

  it('stores a custom licence, sets it on the newest listed version, and refuses it for other add-ons', async () => {
    const made = await make();
    const customLicense = {
      text: [...inEnglish('Do <b>good</b>.<script>x</script>'), { locale: 'de', value: 'Tu Gutes.' }],
      url: 'https://law.example/',
    };
    expect(await update(owner, { id: made.id, customLicense })).toMatchObject(DONE);
    const version = (await app.anonymous.get(`/api/v4/addons/addon/${made.id}/versions/${made.versions[0]?.id}/`)).json;
    expect(version).toMatchObject({
      license: {
        name: { 'en-US': 'Custom License' },
        text: { 'en-US': 'Do <b>good</b>.', de: 'Tu Gutes.' },
        url: 'https://law.example/',
      },
    });
    const { id: own } = (version as { license: { id: number } }).license;
    const other = await make();
    expect(await update(owner, { id: other.id, license: own })).toMatchObject({ path: ['license'] });
    expect(await update(owner, { id: made.id, license: own })).toMatchObject(DONE);
  });

  it('sets the licence of the newest listed version that has not failed', async () => {
    const failed = ['invalid', 'error', 'rejected'].map((stage) => ({ stage, files: [{ status: 5 }] }));
    const made = await make({ versions: [{}, {}, ...failed] });
    expect(await update(owner, { id: made.id, customLicense: { text: inEnglish('New.') } })).toEqual(DONE);
    const licensed = await app.sql('SELECT id FROM version WHERE addon_id = $1 AND license_id IS NOT NULL', [made.id]);
    expect(licensed).toEqual([{ id: made.versions[1]?.id }]);
  });

  it('sets the licence of the version with the newest date, whose id an import may keep', async () => {
    const [older, newer] = [new Date('2018-01-01T00:00:00Z'), new Date('2018-02-01T00:00:00Z')];
    const made = await make({ versions: [{ created: newer }, { created: older }] });
    expect(await update(owner, { id: made.id, customLicense: { text: inEnglish('Own.') } })).toEqual(DONE);
    const licensed = await app.sql('SELECT id FROM version WHERE addon_id = $1 AND license_id IS NOT NULL', [made.id]);
    expect(licensed).toEqual([{ id: made.versions[0]?.id }]);
  });

  it('changes the default language only to one with all required texts', async () => {
    const made = await make({ name: { 'en-US': 'Clock', de: 'Uhr' } });
    const refused = await update(owner, { id: made.id, defaultLocale: 'de' });
    const message =
      "Before changing your default locale you must have a name, summary, and description in that locale. You are missing 'summary', 'description'.";
    expect(refused).toMatchObject({ message, path: ['defaultLocale'] });
    const german = (value: string) => [{ locale: 'de', value }];
    const texts = { summary: german('Zeigt die Zeit.'), description: german('Tick.') };
    expect(await update(owner, { id: made.id, defaultLocale: 'DE', ...texts })).toMatchObject(DONE);
    expect(await detail(made.id)).toMatchObject({ default_locale: 'de' });
    expect(await detail(made.id, { query: '?lang=ja' })).toMatchObject({ name: 'Uhr' });
  });

  it('sets the target language of a dictionary', async () => {
    const made = await make({ type: 'dictionary' });
    const input = { id: made.id, localeDisambiguation: ' Old spelling ', targetLocale: 'de-AT' };
    expect(await update(owner, input)).toMatchObject(DONE);
    const tools = (await app.anonymous.get('/api/v4/addons/language-tools/?app=desktop_browser')).json;
    expect(tools).toMatchObject({
      results: [{ id: made.id, target_locale: 'de-AT', locale_disambiguation: 'Old spelling' }],
    });
  });
});

describe('the permission for updateAddon', () => {
  const ownersOnly = [{ eula: inEnglish('x') }, { privacyPolicy: inEnglish('x') }, { license: 1 }];

  it('is given to authors and administrators; EULA, privacy policy and licence need an owner, and releases an author', async () => {
    const made = await make();
    const editor = await app.memberWith('Addons:Edit');
    for (const client of [owner, developer, editor, await app.admin()]) {
      expect(await update(client, { id: made.id, hasPublicStatistics: true })).toMatchObject(DONE);
    }
    for (const part of ownersOnly) {
      expect(await update(owner, { id: made.id, ...part })).toMatchObject(DONE);
      for (const client of [developer, editor, await app.admin()]) {
        expect(await update(client, { id: made.id, ...part })).toMatchObject({ code: 'NOT_PERMITTED' });
      }
    }
    expect(await update(developer, { id: made.id, isSourcePublic: true })).toMatchObject(DONE);
    expect(await update(editor, { id: made.id, isSourcePublic: false })).toMatchObject({ code: 'NOT_PERMITTED' });
  });

  it('is not given to other accounts', async () => {
    const made = await make();
    for (const client of [await app.developer(), await app.reviewer(), await app.memberWith('Users:Edit')]) {
      expect(await update(client, { id: made.id, hasPublicStatistics: true })).toMatchObject({
        code: 'NOT_PERMITTED',
        path: [],
      });
    }
    const input = { id: made.id, hasPublicStatistics: true };
    expect(await mutationError(app.anonymous, 'updateAddon', input)).toBe('NOT_AUTHENTICATED');
    expect(await detail(made.id)).toMatchObject({ public_stats: false });
  });

  it('is not given to authors of an add-on that the operator disabled, nor to any viewer of a deleted one', async () => {
    const made = await make({ status: 'disabled' });
    expect(await update(owner, { id: made.id, hasPublicStatistics: true })).toMatchObject({ code: 'NOT_PERMITTED' });
    expect(await update(await app.admin(), { id: made.id, hasPublicStatistics: true })).toMatchObject(DONE);
    const deleted = await make({ status: 'deleted', deletedAt: new Date(), slug: null });
    expect(await update(await app.admin(), { id: deleted.id, hasPublicStatistics: true })).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await update(owner, { id: 999_999, hasPublicStatistics: true })).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('concurrent changes', () => {
  it('of different fields and languages are all kept', async () => {
    const made = await make();
    const locales = ['de', 'fr', 'ja', 'es', 'ru'];
    const changes = [
      ...locales.map((locale) => update(owner, { id: made.id, name: [{ locale, value: `Clock ${locale}` }] })),
      ...locales.map((locale) =>
        update(developer, { id: made.id, description: [{ locale, value: `Text ${locale}` }] }),
      ),
      update(owner, { id: made.id, tags: ['one', 'two'] }),
      update(developer, { id: made.id, isExperimental: true }),
    ];
    expect((await Promise.all(changes)).map(({ __typename }) => __typename)).toEqual(
      changes.map(() => DONE.__typename),
    );
    const shown = await detail(made.id);
    expect(Object.keys(shown.name as object).sort()).toEqual(['de', 'en-US', 'es', 'fr', 'ja', 'ru']);
    expect(Object.keys(shown.description as object)).toHaveLength(5);
    expect(shown).toMatchObject({ tags: ['one', 'two'], is_experimental: true });
  });

  it('give a slug to one add-on', async () => {
    const all = await Promise.all([make(), make(), make(), make()]);
    const results = await Promise.all(all.map(({ id }) => update(owner, { id, slug: 'contended' })));
    expect(results.map(({ message }) => message ?? 'done').sort()).toEqual([
      ...Array(3).fill('This slug is already in use. Please choose another.'),
      'done',
    ]);
  });
});
