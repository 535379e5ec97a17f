import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { Visitor } from '../support/pages.ts';

const app = setUpApp();

const VERSIONS = ['v3', 'v4', 'v4dev'];

beforeAll(async () => {
  const { db } = await import('../../src/infra/db.ts');
  await db.category.deleteMany();
  await db.category.createMany({
    data: [
      {
        ...{ id: 71, app: 'desktop_browser', type: 'extension', slug: 'alerts-updates', weight: 3 },
        name: { en: 'Alerts', de: 'Meldungen' },
      },
      { id: 72, app: 'desktop_browser', type: 'extension', slug: 'other', weight: 0, name: { en: 'Other' } },
      { id: 73, app: 'desktop_browser', type: 'statictheme', slug: 'miscellaneous', weight: 0, name: {} },
    ],
  });
});

describe('GET addons/categories/', () => {
  it('returns all categories as a plain array, with names in the language of the request', async () => {
    const reply = await app.anonymous.get('/api/v4/addons/categories/?lang=de');
    expect(reply.status).toBe(200);
    const common = { application: 'desktop_browser', description: null };
    expect(JSON.stringify(reply.json)).toBe(
      JSON.stringify(
        [
          {
            ...{ id: 71, name: 'Meldungen', slug: 'alerts-updates', application: 'desktop_browser', misc: false },
            ...{ type: 'extension', weight: 3, description: null },
          },
          {
            ...{ id: 72, name: 'Other', slug: 'other', application: 'desktop_browser', misc: true },
            ...{ type: 'extension', weight: 0, description: null },
          },
          {
            ...{ id: 73, name: 'miscellaneous', slug: 'miscellaneous', ...common, misc: true },
            ...{ type: 'statictheme', weight: 0, description: null },
          },
        ].map(({ id, name, slug, application, misc, type, weight, description }) => ({
          ...{ id, name, slug, application, misc, type, weight, description },
        })),
      ),
    );
    const accepted = await app.anonymous.get('/api/v4/addons/categories/', { 'accept-language': 'de' });
    expect(accepted.json).toEqual(reply.json);
  });

  it.each(VERSIONS)('has static themes in each version but v3: %s', async (version) => {
    const reply = await app.anonymous.get(`/api/${version}/addons/categories/`);
    const ids = (reply.json as unknown as { id: number }[]).map(({ id }) => id);
    expect(ids).toEqual(version === 'v3' ? [71, 72] : [71, 72, 73]);
  });
});

describe('GET site/', () => {
  const SET = 'mutation($text: [TranslationInput!]!) { setSiteNotice(input: { text: $text }) { __typename } }';

  it('returns read-only mode and the notice of operators, which pages show too', async () => {
    for (const version of [...VERSIONS, 'v5']) {
      const reply = await app.anonymous.get(`/api/${version}/site/`);
      expect([reply.status, reply.text]).toEqual([200, '{"read_only":false,"notice":null}']);
    }
    const operator = await app.memberWith('Admin:Service');
    const text = [
      { locale: 'en', value: 'Signing is <slow> today.' },
      { locale: 'de', value: 'Heute dauert die Signatur.' },
    ];
    expect(await operator.graphql(SET, { text })).toEqual({ setSiteNotice: { __typename: 'SetSiteNoticePayload' } });

    const notice = async (query: string) => (await app.anonymous.get(`/api/v4/site/${query}`)).json;
    expect(await notice('?lang=de')).toEqual({ read_only: false, notice: 'Heute dauert die Signatur.' });
    expect(await notice('?lang=fr')).toEqual({ read_only: false, notice: 'Signing is <slow> today.' });
    const visitor = new Visitor(app);
    for (const path of ['/', '/no-such-page/']) {
      const { text: page } = await visitor.get(`${path}?lang=de`);
      expect(page).toContain('Heute dauert die Signatur.');
    }
    const hebrew = await visitor.get('/?lang=he');
    expect(hebrew.text).toContain('lang="en">Signing is &lt;slow&gt; today.');

    await operator.graphql(SET, { text: [] });
    expect((await visitor.get('/?lang=de')).text).not.toContain('Heute dauert');
    expect(await notice('')).toEqual({ read_only: false, notice: null });
    const actions = await app.sql("select details from audit_entry where action = 'site-notice-set' order by id");
    expect(actions.map(({ details }) => details)).toEqual([
      { texts: { en: text[0]?.value, de: text[1]?.value } },
      { texts: {} },
    ]);
  });

  it('lets pages show a notice that is announced again while it is read', async () => {
    const { forgetReadOnlyState, lastSiteNotice, siteNotice } = await import('../../src/infra/read-only.ts');
    const operator = await app.memberWith('Admin:Service');
    await operator.graphql(SET, { text: [{ locale: 'en', value: 'Back soon.' }] });
    const read = siteNotice();
    forgetReadOnlyState();
    expect([await read, lastSiteNotice()]).toEqual([{ en: 'Back soon.' }, { en: 'Back soon.' }]);
    await operator.graphql(SET, { text: [] });
  });

  it('refuses a notice of others and one that is too long', async () => {
    const developer = await app.developer();
    const refused = await developer.graphql(
      'mutation { setSiteNotice(input: { text: [] }) { ... on UserError { code } } }',
    );
    expect(refused).toEqual({ setSiteNotice: { code: 'NOT_PERMITTED' } });
    const operator = await app.memberWith('Admin:Service');
    const long = await operator.graphql(SET.replace('__typename', '... on UserError { code }'), {
      text: [{ locale: 'en', value: 'x'.repeat(501) }],
    });
    expect(long).toEqual({ setSiteNotice: { code: 'BAD_USER_INPUT' } });
  });
});

describe('GET blocklist/block/<guid>/', () => {
  it.each([...VERSIONS, 'v5'])('is 404 in %s: nothing is blocked here', async (version) => {
    const reply = await app.anonymous.get(`/api/${version}/blocklist/block/a@example/`);
    expect([reply.status, reply.json]).toEqual([404, { detail: 'Not found.' }]);
  });
});
