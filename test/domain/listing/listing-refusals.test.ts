import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { categoryIds } from '../../support/categories.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../support/factories.ts';
import { inEnglish, mutate } from '../../support/mutate.ts';

const app = setUpApp({
  settings: { RESERVED_NAMES: ['Acme'], DENIED_SLUGS: ['Ours'], DENIED_TAGS: ['spam', 'Bad Word'] },
});
let owner: Client;

const update = (client: Client, input: Record<string, unknown>) => mutate(client, 'updateAddon', input);
const make = (facts: AddonFacts = {}): Promise<MadeAddon> =>
  addon({ authors: [owner.accountId ?? 0], summary: { 'en-US': 'Shows the time.' }, ...facts });
const detail = async (id: number) => (await owner.get(`/api/v4/addons/addon/${id}/`)).json;

beforeAll(async () => {
  owner = await app.developer();
  await addon({
    slug: 'taken',
    categories: ['tools', 'tabs', 'games'].map((slug) => ({ app: 'desktop_browser', slug })),
  });
});

describe('updateAddon refuses', () => {
  const long = (count: number) => 'x'.repeat(count);
  const tooLong = (count: number, has: number) => `Ensure this value has at most ${count} characters (it has ${has}).`;
  const NO_SLUG = "Enter a valid 'slug' consisting of letters, numbers, underscores or hyphens.";
  const NO_WORDS = 'Ensure this field contains at least one letter or number character.';
  const NO_CONTROLS = 'Ensure this field contains no control characters and none that turn the text direction.';
  const NO_URL = 'Enter a valid URL.';
  let made: MadeAddon;
  beforeAll(async () => {
    made = await make();
  });

  it.each<[string, unknown, string]>([
    ['name', inEnglish(long(51)), tooLong(50, 51)],
    ['name', inEnglish('😀'.repeat(51)), tooLong(50, 51)],
    ['name', inEnglish('!?'), NO_WORDS],
    ['name', inEnglish(null), 'This field may not be null.'],
    ['name', inEnglish('A\nB'), NO_CONTROLS],
    ['name', inEnglish('A\u0007B'), NO_CONTROLS],
    ['name', inEnglish('A\u202Eevil'), NO_CONTROLS],
    ['name', [{ locale: 'de', value: 'A\u2066B\u2069' }], NO_CONTROLS],
    ['name', inEnglish('Ac\u200bme Clock'), 'Add-on names cannot contain the Acme trademarks.'],
    ['name', inEnglish('Acme Clock'), 'Add-on names cannot contain the Acme trademarks.'],
    ['name', [{ locale: 'xx', value: 'Clock' }], "The language code 'xx' is invalid."],
    ['name', [{ locale: 'de', value: long(51) }], tooLong(50, 51)],
    ['summary', inEnglish(long(251)), tooLong(250, 251)],
    ['summary', inEnglish('...'), NO_WORDS],
    ['summary', inEnglish(''), 'This field may not be blank.'],
    ['description', inEnglish(long(100_001)), 'Please use no more than 100000 characters.'],
    ['description', inEnglish('&'.repeat(30_000)), tooLong(100_000, 150_000)],
    ['homepage', inEnglish('javascript:alert(1)'), NO_URL],
    ['homepage', inEnglish('clock.example'), NO_URL],
    ['homepage', inEnglish('https://clock'), NO_URL],
    ['homepage', inEnglish('https://a b.example/'), NO_URL],
    ['homepage', inEnglish('ftp://clock.example/'), NO_URL],
    ['homepage', inEnglish('https://user:pw@clock.example/"><script>'), NO_URL],
    ['homepage', inEnglish('https://clock.example/\u0007a'), NO_URL],
    ['supportUrl', inEnglish('https://user@clock.example/'), NO_URL],
    ['supportUrl', inEnglish('https://'), NO_URL],
    ['supportUrl', inEnglish(`https://clock.example/${long(240)}`), tooLong(255, 262)],
    ['supportEmail', inEnglish('help at clock.example'), 'Enter a valid email address.'],
    ['contributionsUrl', 'mailto:pay@clock.example', NO_URL],
    ['contributionsUrl', 'https://pay@clock.example/', NO_URL],
    ['contributionsUrl', 'https://clock.example/\0', NO_URL],
    ['contributionsUrl', `https://clock.example/${long(240)}`, tooLong(255, 262)],
    ['slug', 'a b', NO_SLUG],
    ['slug', '123', NO_SLUG],
    ['slug', '', NO_SLUG],
    ['slug', 'ä', NO_SLUG],
    ['slug', 'a\0', NO_SLUG],
    ['slug', long(31), tooLong(30, 31)],
    ['slug', 'Search', 'The slug cannot be "Search". Please choose another.'],
    ['slug', 'OURS', 'The slug cannot be "OURS". Please choose another.'],
    ['slug', 'TAKEN', 'This slug is already in use. Please choose another.'],
    ['tags', Array.from({ length: 22 }, (_, index) => `tag ${index}`), 'You have 2 too many tags.'],
    ['tags', ['x'], 'All tags must be at least 2 characters.'],
    ['tags', [long(129)], 'All tags must be 128 characters or less after invalid characters are removed.'],
    ['tags', ['SPAM!'], 'Invalid tag: spam'],
    ['tags', ['spam', 'bad word'], 'Invalid tags: spam, bad word'],
    ['categories', [999_999], 'A category does not exist, or is of another add-on type.'],
    ['categories', ['nonsense'], 'Expected a global id of type "Category", got "nonsense".'],
    ['categories', [], 'This field is required for add-ons with listed versions.'],
    ['license', 999_999, 'There is no such licence.'],
    ['license', 'nonsense', 'Expected a global id of type "License", got "nonsense".'],
    ['customLicense', { text: [] }, 'License text is required when choosing Other.'],
    ['customLicense', { text: inEnglish('<script>x</script>') }, 'License text is required when choosing Other.'],
    ['customLicense', { text: inEnglish('Text'), url: 'law' }, NO_URL],
    ['customLicense', { text: inEnglish('Text'), url: 'https://clock.example/\0' }, NO_URL],
    ['customLicense', { text: inEnglish('Text'), name: inEnglish(long(201)) }, tooLong(200, 201)],
    ['defaultLocale', 'xx', "The language code 'xx' is invalid."],
    ['targetLocale', 'de', 'Only dictionaries and language packs have this.'],
    ['localeDisambiguation', 'Old', 'Only dictionaries and language packs have this.'],
  ])('%s: %j', async (field, value, message) => {
    const expected = { __typename: 'InvalidInputError', code: 'BAD_USER_INPUT', message, path: [field] };
    expect(await update(owner, { id: made.id, [field]: value })).toEqual(expected);
  });

  it('license together with customLicense', async () => {
    const input = { id: made.id, license: 1, customLicense: { text: inEnglish('Text') } };
    const message = 'Send only one of license, builtinLicense and customLicense.';
    expect(await update(owner, input)).toMatchObject({ message, path: ['license'] });
  });

  it('more than two categories, the miscellaneous one with others, other types, and changes while featured', async () => {
    const featured = await make({ featured: [{ app: 'desktop_browser' }] });
    const ids = await categoryIds(app, 'extension', 'tools', 'tabs', 'games', 'other');
    const [foreign] = await categoryIds(app, 'theme', 'other');
    const attempt = async (id: number, categories: unknown[], client = owner) =>
      (await update(client, { id, categories })).message;
    expect(await attempt(made.id, ids.slice(0, 3))).toBe('You can have only 2 categories.');
    expect(await attempt(made.id, [ids[0], ids[3]])).toBe(
      'The miscellaneous category cannot be combined with additional categories.',
    );
    expect(await attempt(made.id, [foreign])).toBe('A category does not exist, or is of another add-on type.');
    expect(await attempt(featured.id, [ids[0]])).toBe(
      'Categories cannot be changed while your add-on is featured for this application.',
    );
    expect(await attempt(featured.id, [ids[0]], await app.admin())).toBeUndefined();
    expect(await attempt(featured.id, [ids[0]])).toBeUndefined();
    expect(await attempt(made.id, [ids[0], ids[0], ids[1]])).toBeUndefined();
  });

  it('an empty list of categories, unless all listed uploads failed', async () => {
    const [tools] = await categoryIds(app, 'extension', 'tools');
    const failed = { stage: 'invalid', files: [{ status: 5 }] };
    const [listed, unlisted] = [
      await make({ versions: [failed, { stage: 'validating', files: [{ status: 1 }] }] }),
      await make({ status: 'incomplete', versions: [failed, { channel: 'unlisted' }] }),
    ];
    for (const { id } of [listed, unlisted])
      expect((await update(owner, { id, categories: [tools] })).code).toBeUndefined();
    expect(await update(owner, { id: listed.id, categories: [] })).toMatchObject({ path: ['categories'] });
    expect((await update(owner, { id: unlisted.id, categories: [] })).code).toBeUndefined();
  });

  it('an empty list of categories for a persona', async () => {
    const { id } = await make({ type: 'persona', categories: [{ app: 'desktop_browser', slug: 'nature' }] });
    const expected = { message: 'This field is required for add-ons with listed versions.', path: ['categories'] };
    expect(await update(owner, { id, categories: [] })).toMatchObject(expected);
    expect(await detail(id)).toMatchObject({ categories: { desktop_browser: ['nature'] } });
  });

  it('the whole change if one field is invalid', async () => {
    const before = await detail(made.id);
    await update(owner, { id: made.id, name: inEnglish('Half'), tags: ['half'], categories: [999_999] });
    expect(await detail(made.id)).toEqual(before);
  });

  it('random texts, slugs and tags only with BAD_USER_INPUT', async () => {
    const text = fc.string({ unit: 'binary' });
    const locale = fc.oneof(fc.constantFrom('en-US', 'de', 'DE_de'), text);
    const texts = fc.array(fc.record({ locale, value: fc.option(text) }), { maxLength: 3 });
    const inputs = fc.record(
      {
        name: texts,
        summary: texts,
        description: texts,
        homepage: texts,
        eula: texts,
        slug: text,
        tags: fc.array(text),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        expect([undefined, 'BAD_USER_INPUT']).toContain((await update(owner, { id: made.id, ...input })).code);
      }),
      { numRuns: 40 },
    );
  });
});

describe('updateAddon', () => {
  it('returns all invalid fields at once and then changes nothing', async () => {
    const made = await make();
    const before = await detail(made.id);
    const invalid = { slug: '1', tags: ['x'], contributionsUrl: 'pay', supportEmail: inEnglish('no') };
    const result = await update(owner, { id: made.id, name: inEnglish('New'), ...invalid });
    expect(result).toMatchObject({ __typename: 'InvalidInputError', message: 'Enter a valid email address.' });
    expect([...(result.path ?? [])].sort()).toEqual(Object.keys(invalid).sort());
    expect(await detail(made.id)).toEqual(before);
  });
});
