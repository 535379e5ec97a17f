/* Edits of one add-on by several people at once, in GraphQL and on the pages, and forms that get another language. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon } from '../../support/factories.ts';
import { globalId, withGlobalIds } from '../../support/global-ids.ts';
import { hubPath } from '../../support/hub.ts';
import { formFields, textOf, type Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let owner: Client;
let visitor: Visitor;
let licenses: { id: number }[];
let categories: { id: number }[];

beforeAll(async () => {
  owner = await app.developer();
  visitor = await visitorOf(app, owner);
  licenses = await app.sql("SELECT id FROM license WHERE builtin IN ('MIT', 'ISC') ORDER BY builtin DESC");
  await addon({ categories: ['tools', 'tabs'].map((slug) => ({ app: 'desktop_browser', slug })) });
  categories = await app.sql("SELECT id FROM category WHERE slug IN ('tools', 'tabs') AND app = 'desktop_browser'");
});

const make = (facts: AddonFacts = {}) => addon({ authors: [owner.accountId ?? 0], ...facts });
const en = (value: string) => ({ 'en-US': value });

interface Refusal {
  __typename: string;
  fields?: { name: string; isChanged: boolean }[];
}

/** Runs a mutation; the names of the refused fields that others have changed, or its payload type. */
async function change(name: string, input: Record<string, unknown>): Promise<unknown> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
  const text = `mutation($input: ${type}) { ${name}(input: $input) { __typename ... on InvalidInputError { fields { name isChanged } } } }`;
  const data = await owner.graphql<Record<string, Refusal>>(text, { input: withGlobalIds(name, input) });
  const { __typename, fields } = data[name] as Refusal;
  const changed = fields?.filter(({ isChanged }) => isChanged).map((field) => field.name);
  return changed?.sort() ?? __typename;
}

describe('expected', () => {
  const license = (index: number) => globalId('License', licenses[index]?.id);
  const category = (index: number) => globalId('Category', categories[index]?.id);

  it('of updateAddon refuses changes of values that others have changed, and nothing is saved', async () => {
    const made = await make({ slug: 'guarded', tags: ['one', 'two'], contributionsUrl: 'https://pay.example/' });
    const update = (input: object) => change('updateAddon', { id: made.id, ...input });
    const read = {
      tags: ['two', 'one'],
      contributionsUrl: 'https://pay.example/',
      hasPublicStatistics: false,
      license: null,
    };
    expect(await update({ tags: ['three'], categories: [category(0)], expected: { ...read, categories: [] } })).toBe(
      'UpdateAddonPayload',
    );
    expect(await update({ license: license(0), hasPublicStatistics: true, expected: { license: null } })).toBe(
      'UpdateAddonPayload',
    );
    const late = { ...read, slug: 'guarded', categories: [] };
    const wanted = {
      slug: 'other',
      tags: ['four'],
      hasPublicStatistics: false,
      license: license(1),
      categories: [category(1)],
    };
    expect(await update({ ...wanted, expected: late })).toEqual([
      'categories',
      'hasPublicStatistics',
      'license',
      'tags',
    ]);
    const [row] = await app.sql('SELECT slug, license_id FROM addon WHERE id = $1', [made.id]);
    expect(row).toEqual({ slug: 'guarded', license_id: licenses[0]?.id });
    // The same change twice is no conflict.
    expect(await update({ license: license(0), expected: { license: null } })).toBe('UpdateAddonPayload');
    expect(await update({ expected: { license: category(0) } })).toEqual([]);
  });

  it('names every text that others have changed', async () => {
    const made = await make({ name: { 'en-US': 'Clock', de: 'Uhr' } });
    const name = ['en-US', 'de', 'fr'].map((locale) => ({ locale, value: 'New', expectedDigest: '' }));
    expect(await change('updateAddon', { id: made.id, name })).toEqual(['name.de', 'name.en-US']);
  });

  it('of updateVersion and updatePersona does the same', async () => {
    const made = await make({ versions: [{ compatibility: { desktop_browser: ['57.0', '*'] } }] });
    const version = made.versions[0]?.id;
    const range = (min: string) => [{ app: 'DESKTOP_BROWSER', min, max: '*' }];
    const update = (input: object) => change('updateVersion', { id: version, ...input });
    const read = {
      compatibility: range('57.0'),
      approvalNotes: '',
      isDisabled: false,
      isStrictCompatibilityEnabled: false,
    };
    const first = { compatibility: range('60.0'), approvalNotes: 'A\nb', isDisabled: true };
    expect(await update({ ...first, expected: read })).toBe('UpdateVersionPayload');
    const second = { ...first, compatibility: range('61.0'), approvalNotes: 'C', isDisabled: false };
    const changed = ['approvalNotes', 'compatibility', 'isDisabled'];
    expect(await update({ ...second, expected: read })).toEqual(changed);
    expect(await update({ ...second, expected: { approvalNotes: 'A\r\nb', compatibility: range('60.0') } })).toBe(
      'UpdateVersionPayload',
    );

    const persona = await make({ type: 'persona', versions: [], persona: { accentColor: 'aabbcc' } });
    const colour = (input: object) => change('updatePersona', { id: persona.id, ...input });
    const mine = { accentColor: '#AABBCC', textColor: null };
    expect(await colour({ accentColor: '#111', expected: mine })).toBe('UpdatePersonaPayload');
    expect(await colour({ accentColor: '#222', expected: mine })).toEqual(['accentColor']);
  });
});

describe('a form whose values others have changed', () => {
  /** Opens a form, lets another editor work, and sends it with changes. */
  async function race(path: string, form: string, other: () => Promise<unknown>, fields: Record<string, string>) {
    const opened = await formFields(visitor, path, form);
    expect(await other()).toMatch(/Payload$/);
    const reply = await visitor.submit(path, form, { ...opened, ...fields });
    return { opened, reply, text: textOf(reply) };
  }

  it('is shown again with both values, and saved after that', async () => {
    const made = await make({ slug: 'raced', summary: en('Short'), tags: ['one'], description: en('Old') });
    const path = `/developers/addon/${made.id}/edit`;
    const other = () =>
      change('updateAddon', {
        id: made.id,
        slug: 'raced-2',
        tags: ['two'],
        description: [{ locale: 'en-US', value: 'B' }],
      });
    const { reply, text } = await race(path, 'hub-edit', other, {
      ...{ slug: 'raced-3', tags: 'one, three', 'summary.en-US': 'Shorter' },
    });
    expect(reply.status).toBe(409);
    expect(reply.text).toContain(`action="${path}#result"`);
    expect(text).toContain('Name in addresses Yours raced-3 Stored now raced-2');
    expect(text).toContain('Tags Yours one, three Stored now two');
    expect(text).not.toContain('Description – English Yours');
    expect((await visitor.get(hubPath(made, 'edit'))).status).toBe(404);
    const [before] = await app.sql('SELECT slug, summary FROM addon WHERE id = $1', [made.id]);
    expect(before).toEqual({ slug: 'raced-2', summary: en('Short') });
    // The page of the refusal replaces what it showed, and still not the description, which only the other editor changed.
    const shown = await formFields(visitor, reply, 'hub-edit');
    expect((await visitor.submit(path, 'hub-edit', shown)).status).toBe(303);
    const [after] = await app.sql('SELECT slug, summary, description FROM addon WHERE id = $1', [made.id]);
    expect(after).toEqual({ slug: 'raced-3', summary: en('Shorter'), description: en('B') });
  });

  it('keeps what others have changed in fields that it did not touch', async () => {
    const made = await make({ slug: 'untouched', summary: en('Short') });
    const other = () => change('updateAddon', { id: made.id, hasPublicStatistics: true, tags: ['theirs'] });
    const { reply } = await race(hubPath(made, 'edit'), 'hub-edit', other, { requiresPayment: 'true' });
    expect(reply.status).toBe(303);
    const [row] = await app.sql(
      'SELECT public_stats, requires_payment, (SELECT tag FROM addon_tag WHERE addon_id = addon.id) AS tag FROM addon WHERE id = $1',
      [made.id],
    );
    expect(row).toEqual({ public_stats: true, requires_payment: true, tag: 'theirs' });
  });

  it('is refused for licence, policies, captions, versions and colours as well', async () => {
    const [mit, isc] = licenses.map(({ id }) => globalId('License', id));
    const made = await make({
      slug: 'all-raced',
      previews: [{ caption: en('Old') } as never],
      versions: [{ compatibility: { desktop_browser: ['57.0', '*'] }, releaseNotes: en('Old') }],
    });
    const persona = await make({ slug: 'raced-theme', type: 'persona', versions: [], persona: {} });
    const [preview] = await app.sql<{ id: number }>('SELECT id FROM preview WHERE addon_id = $1', [made.id]);
    const version = made.versions[0]?.id;
    const text = (value: string) => [{ locale: 'en-US', value }];
    const addonBy = (input: object) => () => change('updateAddon', { id: made.id, ...input });
    const cases: [string, string, () => Promise<unknown>, Record<string, string>, string][] = [
      [hubPath(made, 'license'), 'hub-license', addonBy({ license: mit }), { license: isc ?? '' }, 'Stored now MIT'],
      [
        ...([hubPath(made, 'license'), 'hub-license', addonBy({ customLicense: { text: text('Theirs') } })] as const),
        ...([
          { license: '', 'license.text': 'Mine' },
          'Terms – American English Yours Mine Stored now Theirs',
        ] as const),
      ],
      [
        ...([hubPath(made, 'license'), 'hub-policies', addonBy({ eula: text('Theirs') })] as const),
        ...([{ 'eula.en-US': 'Mine' }, 'Yours Mine Stored now Theirs'] as const),
      ],
      [
        ...([hubPath(made, `media?edit=${preview?.id}`), 'hub-preview-caption'] as const),
        () => change('updatePreview', { id: preview?.id, caption: text('Theirs') }),
        ...([{ 'caption.en-US': 'Mine' }, 'Yours Mine Stored now Theirs'] as const),
      ],
      [
        ...([hubPath(made, `versions/${version}`), 'hub-version-edit'] as const),
        () => change('updateVersion', { id: version, releaseNotes: text('Theirs'), isDisabled: true }),
        ...([{ 'releaseNotes.en-US': 'Mine' }, 'Yours Mine Stored now Theirs'] as const),
      ],
      [
        ...([hubPath(persona, 'media'), 'hub-persona-colours'] as const),
        () => change('updatePersona', { id: persona.id, accentColor: '#111111' }),
        ...([{ accentColor: '#222222' }, 'Yours #222222 Stored now #111111'] as const),
      ],
    ];
    for (const [path, form, other, fields, expected] of cases) {
      const raced = await race(path, form, other, fields);
      expect([form, raced.reply.status]).toEqual([form, 409]);
      expect(raced.text).toContain(expected);
      const shown = await formFields(visitor, raced.reply, form);
      expect([form, (await visitor.submit(path, form, shown)).status]).toEqual([form, 303]);
    }
    const [row] = await app.sql(
      'SELECT eula, v.release_notes, (SELECT count(*)::int FROM file WHERE version_id = v.id AND status_when_enabled IS NOT NULL) AS off FROM addon a JOIN version v ON v.addon_id = a.id WHERE a.id = $1',
      [made.id],
    );
    expect(row).toEqual({ eula: en('Mine'), release_notes: en('Mine'), off: 1 });
  });
});

describe('another language', () => {
  it('is added to a form with everything that was typed, and nothing is saved', async () => {
    const made = await make({ slug: 'wider', summary: en('Short'), previews: [{ caption: {} } as never] });
    const [preview] = await app.sql<{ id: number }>('SELECT id FROM preview WHERE addon_id = $1', [made.id]);
    const forms = [
      [hubPath(made, 'edit'), 'hub-edit', 'name'],
      [hubPath(made, 'license'), 'hub-policies', 'eula'],
      [hubPath(made, `media?edit=${preview?.id}`), 'hub-preview-caption', 'caption'],
      [hubPath(made, `versions/${made.versions[0]?.id}`), 'hub-version-edit', 'releaseNotes'],
    ] as const;
    for (const [path, form, name] of forms) {
      const opened = await formFields(visitor, path, form);
      const add = { add: 'true', 'add-language': 'he' };
      const wider = await visitor.submit(path, form, { ...opened, [`${name}.en-US`]: 'Not saved', ...add });
      expect([form, wider.status]).toEqual([form, 200]);
      expect(wider.text).toContain('<fieldset class="language-fields" id="new-language">');
      const shown = await formFields(visitor, wider, form);
      expect(shown).toMatchObject({ [`${name}.en-US`]: 'Not saved', [`${name}.he`]: '', [`expected.${name}.he`]: '' });
      const more = { ...shown, [`${name}.he`]: 'שלום', add: 'true', 'add-language': 'de' };
      const third = await formFields(visitor, await visitor.submit(path, form, more), form);
      expect(third).toMatchObject({ [`${name}.he`]: 'שלום', [`${name}.de`]: '' });
      const done = await visitor.submit(path, form, third);
      expect([form, done.status]).toEqual([form, 303]);
    }
    const [row] = await app.sql('SELECT name, eula FROM addon WHERE id = $1', [made.id]);
    const both = { 'en-US': 'Not saved', he: 'שלום' };
    expect(row).toEqual({ name: both, eula: both });
    // Buttons that come first would be pressed by the enter key.
    const { text } = await visitor.get(hubPath(made, 'edit'));
    expect(text.indexOf('class="button primary"')).toBeLessThan(text.indexOf('name="add"'));
  });
});

describe('the form of the listing', () => {
  it('keeps the language of its address', async () => {
    const made = await make({ slug: 'in-german', name: en('Notes'), summary: en('Short') });
    const path = `${hubPath(made, 'edit')}?lang=de`;
    const opened = await visitor.get(path);
    expect(opened.text).toContain(`action="/developers/addon/${made.id}/edit?lang=de#result"`);
    const fields = await formFields(visitor, opened, 'hub-edit');
    const reply = await visitor.submit(path, 'hub-edit', fields);
    expect([reply.status, reply.headers.location]).toEqual([303, `${hubPath(made, 'edit')}?lang=de&done=hub-edit`]);
  });
});

describe('a language tool', () => {
  it('has its language and variant on the page, other add-ons have none', async () => {
    const made = await make({ slug: 'austrian', type: 'dictionary', summary: en('Words'), targetLocale: 'de' });
    const path = hubPath(made, 'edit');
    const opened = await formFields(visitor, path, 'hub-edit');
    expect(opened).toMatchObject({ targetLocale: 'de', 'expected.targetLocale': 'de', localeDisambiguation: '' });
    const wrong = await visitor.submit(path, 'hub-edit', { ...opened, targetLocale: 'no code' });
    expect([wrong.status, wrong.text.includes('id="hub-edit-targetLocale-error"')]).toEqual([422, true]);
    const fields = { ...opened, targetLocale: 'de-AT', localeDisambiguation: 'Old spelling' };
    expect((await visitor.submit(path, 'hub-edit', fields)).status).toBe(303);
    const [row] = await app.sql('SELECT target_locale, locale_disambiguation FROM addon WHERE id = $1', [made.id]);
    expect(row).toEqual({ target_locale: 'de-AT', locale_disambiguation: 'Old spelling' });
    const plain = await make({ slug: 'no-tool', summary: en('Short') });
    expect(await formFields(visitor, hubPath(plain, 'edit'), 'hub-edit')).not.toHaveProperty('targetLocale');
  });
});
