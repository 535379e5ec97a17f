/* PATCH of add-ons under API v5 (submission API), and what all its writes share. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { type AddonFacts, addon, type MadeAddon } from '../support/factories.ts';
import { ownedAddon, patchJson, patchRefusal, versionPath } from '../support/submission.ts';

const app = setUpApp();
let owner: Client;
let developer: Client;

type Json = Record<string, unknown>;

beforeAll(async () => {
  [owner, developer] = [await app.developer(), await app.developer()];
});
afterEach(() => {
  app.config.RATE_LIMITS = false;
});

const make = (facts: AddonFacts = {}): Promise<MadeAddon> => ownedAddon(owner, developer, facts);
const patch = (path: string, body: unknown, client = owner): Promise<Reply> => patchJson(client, path, body);
const refusal = (path: string, body: unknown) => patchRefusal(owner, path, body);
const actions = async (id: number) =>
  (await app.sql<{ action: string }>('select action from activity where addon_id = $1 order by id', [id])).map(
    ({ action }) => action,
  );

describe('PATCH of an add-on', () => {
  it('changes every key, and returns the add-on as a GET does', async () => {
    const { id } = await make();
    const body = {
      categories: { firefox: ['TABS', 'other'].slice(0, 1), android: ['other'] },
      contributions_url: 'https://pay.example/',
      default_locale: 'en-US',
      description: { 'en-US': '<b>Bold</b><script>x</script>' },
      developer_comments: { 'en-US': 'Needs a clock.' },
      homepage: { 'en-US': 'https://clock.example/' },
      is_experimental: true,
      name: { 'en-US': 'Clock', de: 'Uhr' },
      requires_payment: true,
      slug: `clock-${id}`,
      summary: { 'en-US': 'Tells the time.' },
      support_email: { 'en-US': 'help@clock.example' },
      support_url: { de: 'https://clock.example/hilfe' },
      tags: ['time', 'clock'],
      eula: { 'en-US': 'Ignored.' },
      unknown: [{}],
    };
    await addon({
      categories: ['desktop_browser', 'mobile_browser'].flatMap((name) => category(name, 'tabs', 'other')),
    });
    const reply = await patch(String(id), body);
    expect([reply.status, reply.json]).toMatchObject([
      200,
      {
        categories: { desktop_browser: ['tabs'], mobile_browser: ['other'] },
        contributions_url: { url: 'https://pay.example/', outgoing: expect.stringMatching(/\/outgoing\//) },
        description: { 'en-US': '<b>Bold</b>' },
        developer_comments: { 'en-US': 'Needs a clock.' },
        homepage: { url: { 'en-US': 'https://clock.example/' } },
        ...{ is_experimental: true, requires_payment: true, has_eula: false, slug: `clock-${id}` },
        name: { 'en-US': 'Clock', de: 'Uhr' },
        summary: { 'en-US': 'Tells the time.' },
        support_email: { 'en-US': 'help@clock.example' },
        support_url: { url: { de: 'https://clock.example/hilfe' } },
        tags: ['clock', 'time'],
      },
    ]);
    expect((await owner.get(`/api/v5/addons/addon/clock-${id}`)).json).toEqual(reply.json);
    expect(await actions(id)).toEqual(['addon-edited']);
  });

  it('keeps languages that it does not name, and removes those with null', async () => {
    const { id } = await make({ name: { 'en-US': 'Clock', de: 'Uhr', fr: 'Horloge' } });
    const reply = await patch(`${id}/?lang=de`, { name: { de: null, it: 'Orologio' } });
    expect((reply.json as Json).name).toEqual({ 'en-US': 'Clock', fr: 'Horloge', it: 'Orologio' });
    const emptied = await patch(`${id}/`, { name: {}, contributions_url: null, categories: {}, tags: [] });
    expect(emptied.status).toBe(400);
    expect((await patch(`${id}/`, { name: {}, contributions_url: null, tags: [] })).status).toBe(200);
  });

  it('takes a list as the categories of the desktop browser', async () => {
    const { id } = await make({ categories: category('mobile_browser', 'other') });
    const { json } = await patch(`${id}/`, { categories: ['other'] });
    expect((json as Json).categories).toEqual({ desktop_browser: ['other'] });
  });

  it('disables and enables it in the same transaction as its texts', async () => {
    const { id } = await make();
    const off = await patch(`${id}/`, { is_disabled: true, name: { 'en-US': 'Off' } });
    expect([off.status, off.json]).toMatchObject([200, { is_disabled: true, name: { 'en-US': 'Off' } }]);
    expect((await app.anonymous.get(`/api/v5/addons/addon/${id}/`)).status).toBe(401);
    const refused = await patch(`${id}/`, { is_disabled: false, name: { 'en-US': '!' } });
    expect(refused.status).toBe(400);
    expect((await app.anonymous.get(`/api/v5/addons/addon/${id}/`)).status).toBe(401);
    expect((await patch(`${id}/`, { is_disabled: false })).json).toMatchObject({ is_disabled: false });
    expect((await app.anonymous.get(`/api/v5/addons/addon/${id}/`)).status).toBe(200);
    expect((await actions(id)).filter((action) => action !== 'addon-edited')).toEqual([
      'addon-disabled-by-developer',
      'addon-enabled-by-developer',
    ]);
  });

  it('names all faults at once, those of the request and those of its values, and changes nothing', async () => {
    const { id } = await make();
    const before = (await owner.get(`/api/v5/addons/addon/${id}/`)).json;
    const body = {
      name: 'Clock',
      summary: { 'en-US': '' },
      slug: 'no slug!',
      homepage: { 'en-US': 'javascript:alert(1)' },
      support_email: { xx: 'a@b.example' },
      categories: ['no-such'],
      tags: 'time',
      is_disabled: true,
      contributions_url: 'nonsense',
      description: { 'en-US': 7 },
    };
    expect(await refusal(`${id}/`, body)).toEqual({
      name: ['You must provide an object of {lang-code:value}.'],
      tags: ['Expected a list of items.'],
      description: ['Not a valid string.'],
      summary: ['This field may not be blank.'],
      slug: ["Enter a valid 'slug' consisting of letters, numbers, underscores or hyphens."],
      homepage: ['Enter a valid URL.'],
      support_email: ["The language code 'xx' is invalid."],
      categories: ['A category does not exist, or is of another add-on type.'],
      contributions_url: ['Enter a valid URL.'],
    });
    expect((await owner.get(`/api/v5/addons/addon/${id}/`)).json).toEqual(before);
    expect(await actions(id)).toEqual([]);
  });

  it.each([
    [{ name: null }, { name: ['This field may not be null.'] }],
    [{ name: { 'en-US': null } }, { name: ['This field may not be null.'] }],
    [{ summary: { 'en-US': ' ' } }, { summary: ['This field may not be blank.'] }],
    [{ description: null }, { description: ['This field may not be null.'] }],
    [{ description: ['x'] }, { description: ['You must provide an object of {lang-code:value}.'] }],
    [{ categories: [] }, { categories: ['This field is required for add-ons with listed versions.'] }],
    [{ categories: { netscape: ['x'] } }, { categories: ['Invalid app specified'] }],
    [{ categories: { firefox: 'x' } }, { categories: ['Expected a list of items.'] }],
    [
      { categories: { firefox: ['a\0b'] } },
      { categories: ['A category does not exist, or is of another add-on type.'] },
    ],
    [{ is_disabled: null }, { is_disabled: ['This field may not be null.'] }],
    [{ slug: 7 }, { slug: ['Not a valid string.'] }],
    ['[]', { non_field_errors: ['The request body is not a JSON object.'] }],
    ['{', { non_field_errors: [beginningWith('The request body is not valid JSON.')] }],
    ['{"__proto__": {}}', { non_field_errors: ['The JSON has the key "__proto__".'] }],
  ])('is refused: %j', async (body, expected) => {
    const { id } = await make();
    expect(await refusal(`${id}/`, body)).toEqual(expected);
  });

  it('is for its authors, whom every address of it serves', async () => {
    const { id, slug, guid } = await make();
    for (const ref of [id, slug, encodeURIComponent(guid)])
      expect((await patch(`${ref}/`, {}, developer)).status).toBe(200);
    const stranger = await app.developer();
    expect((await patch(`${id}/`, 'no JSON', stranger)).status).toBe(403);
    const hidden = await make({ isDisabledByDeveloper: true });
    const refused = await patch(`${hidden.id}/`, {}, stranger);
    expect([refused.status, refused.json]).toMatchObject([403, { is_disabled_by_developer: true }]);
    expect((await patch('unknown-add-on/', {})).status).toBe(404);
  });
});

describe('garbage in a body', () => {
  const VALUES = [
    null,
    true,
    0,
    -1,
    1e308,
    '',
    ' ',
    '\0',
    '\ud800',
    'x'.repeat(70_000),
    [],
    {},
    [null],
    [[]],
    [{}],
    { a: 1 },
  ];
  const KEYED: unknown[] = [
    { 'en-US': [] },
    { '': '' },
    { constructor: 'x' },
    { 'en-US': '\0' },
    { firefox: null },
    { firefox: [null] },
  ];
  const ADDON =
    'categories contributions_url default_locale description developer_comments homepage is_disabled is_experimental name ' +
    'requires_payment slug summary support_email support_url tags';
  const VERSION = 'approval_notes compatibility custom_license license release_notes is_disabled source upload';

  it.each([
    ['an add-on', ADDON, (made: MadeAddon) => `${made.id}/`],
    ['a version', VERSION, (made: MadeAddon) => versionPath(made)],
  ])('for %s gets a documented response', async (_what, keys, pathOf) => {
    const path = pathOf(await make());
    // Each key is read on its own, so one request has the value in all of them.
    for (const value of [...VALUES, ...KEYED]) {
      const body = Object.fromEntries(keys.split(' ').map((key) => [key, value]));
      const { status } = await patch(path, body);
      expect([value, status === 200 || status === 400]).toEqual([value, true]);
    }
  });
});

describe('the limit on writes', () => {
  it('is thirty a minute per account, over add-ons and versions, without refused ones', async () => {
    app.config.RATE_LIMITS = true;
    const client = await app.developer();
    const made = await addon({ authors: [client.accountId ?? 0], summary: { 'en-US': 'x' } });
    const write = (index: number) => patch(index % 2 === 0 ? `${made.id}/` : versionPath(made), {}, client);
    const refused = await Promise.all(
      Array.from({ length: 40 }, (_each, index) =>
        patch(index % 2 === 0 ? 'unknown/' : `${made.id}/`, { name: 'x' }, client),
      ),
    );
    // A burst may reach the limit before its refusals are taken back.
    expect(refused.every(({ status }) => [400, 404, 429].includes(status))).toBe(true);
    const statuses = [];
    for (let index = 0; index < 31; index++) statuses.push((await write(index)).status);
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
    const throttled = await write(0);
    expect(throttled.json).toEqual({
      detail: expect.stringMatching(/^Request was throttled\. Expected available in \d+ second/),
    });
    expect(throttled.headers['retry-after']).toMatch(/^\d+$/);
    expect((await client.get(`/api/v5/addons/addon/${made.id}/`)).status).toBe(200);
    expect((await patch(`${(await make()).id}/`, {})).status).toBe(200);
  });
});

function category(name: string, ...slugs: string[]) {
  return slugs.map((slug) => ({ app: name, slug }));
}
