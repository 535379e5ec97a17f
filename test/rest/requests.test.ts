import { describe, expect, it } from 'vitest';
import { ADDON_REQUEST } from '../../src/rest/requests/addon-request.ts';
import { errorFields, type RequestKeys, readRequest } from '../../src/rest/requests/read-request.ts';
import { VERSION_CHANGES } from '../../src/rest/requests/version-request.ts';
import { englishText } from '../../src/texts/messages.ts';

/** A request with the English texts of its faults. */
function read(declared: RequestKeys, values: Record<string, unknown>) {
  const { input, faults } = readRequest(declared, values);
  const texts = Object.entries(faults ?? {}).map(([field, found]) => [field, found.map(englishText)]);
  return { input, faults: faults && Object.fromEntries(texts) };
}

describe('an Add-on request', () => {
  it('becomes the input of an operation, without unknown keys', () => {
    const { input, faults } = read(ADDON_REQUEST, {
      categories: { firefox: ['tabs'], android: ['other'], desktop_browser: [] },
      contributions_url: null,
      name: { 'en-US': 'Clock', de: null },
      is_disabled: true,
      tags: ['time'],
      eula: { 'en-US': 'No.' },
      version: { upload: 'x' },
    });
    expect(faults).toBeNull();
    expect(input).toEqual({
      namedCategories: [
        { app: 'DESKTOP_BROWSER', slug: 'tabs' },
        { app: 'MOBILE_BROWSER', slug: 'other' },
      ],
      contributionsUrl: null,
      name: [
        { locale: 'en-US', value: 'Clock' },
        { locale: 'de', value: null },
      ],
      isDisabled: true,
      tags: ['time'],
    });
  });

  it('takes a list of categories as those of the desktop browser', () => {
    expect(read(ADDON_REQUEST, { categories: ['tabs'] }).input).toEqual({
      namedCategories: [{ app: 'DESKTOP_BROWSER', slug: 'tabs' }],
    });
  });

  it('names all faults at once', () => {
    const values = {
      name: 'Clock',
      summary: null,
      slug: 7,
      tags: 'time',
      is_disabled: 'yes',
      categories: { netscape: [] },
    };
    expect(read(ADDON_REQUEST, values)).toEqual({
      input: {},
      faults: {
        namedCategories: ['Invalid app specified'],
        isDisabled: ['Must be a valid boolean.'],
        name: ['You must provide an object of {lang-code:value}.'],
        slug: ['Not a valid string.'],
        summary: ['This field may not be null.'],
        tags: ['Expected a list of items.'],
      },
    });
  });

  it.each([
    ['categories', null, 'Invalid value'],
    ['categories', [null], 'Not a valid string.'],
    ['categories', { firefox: null }, 'This field may not be null.'],
    ['categories', { firefox: 'x', netscape: [] }, 'Expected a list of items.'],
    ['name', null, 'This field may not be null.'],
    ['name', [], 'You must provide an object of {lang-code:value}.'],
    ['name', { 'en-US': 1, de: 2 }, 'Not a valid string.'],
    ['slug', null, 'This field may not be null.'],
    ['contributions_url', 1, 'Not a valid string.'],
    ['tags', null, 'This field may not be null.'],
    ['tags', [1, null], 'Not a valid string.'],
  ])('refuses %s: %j with “%s” alone', (key, value, message) => {
    expect(Object.values(read(ADDON_REQUEST, { [key]: value }).faults ?? {})).toEqual([[message]]);
  });

  it('is refused or read for garbage in every key, without an exception', () => {
    const GARBAGE = [
      null,
      0,
      -1,
      1e308,
      true,
      '',
      '\0',
      'x'.repeat(5000),
      [],
      [[]],
      [null],
      {},
      { a: {} },
      { 'en-US': [] },
    ];
    for (const [declared, keys] of [ADDON_REQUEST, VERSION_CHANGES].map((each) => [each, Object.keys(each)] as const)) {
      for (const key of keys) for (const value of GARBAGE) expect(() => read(declared, { [key]: value })).not.toThrow();
    }
  });
});

describe('a Version request', () => {
  it.each([
    [
      ['firefox', 'mail_client'],
      [range('DESKTOP_BROWSER'), range('MAIL_CLIENT')],
    ],
    [
      { android: { min: '60.0' }, thunderbird: { min: '60.0', max: '*' } },
      [range('MOBILE_BROWSER', '60.0'), range('MAIL_CLIENT', '60.0', '*')],
    ],
  ])('takes compatibility as %j', (compatibility, expected) => {
    expect(read(VERSION_CHANGES, { compatibility }).input).toEqual({ compatibility: expected });
  });

  it.each([
    ['firefox', 'Invalid value'],
    [[7], 'Invalid value'],
    [{ firefox: '60' }, 'Invalid value'],
    [{ firefox: { min: 60 } }, 'Invalid value'],
    [['netscape'], 'Invalid app specified'],
    [{ netscape: {} }, 'Invalid app specified'],
    [null, 'Invalid value'],
    [{ firefox: null }, 'Invalid value'],
    [{ netscape: 5 }, 'Invalid app specified'],
  ])('refuses %j as compatibility: %s', (compatibility, message) => {
    expect(read(VERSION_CHANGES, { compatibility }).faults).toEqual({ compatibility: [message] });
  });

  it('names all faults of compatibility and of a custom licence', () => {
    const values = {
      compatibility: { netscape: {}, firefox: 5 },
      custom_license: { name: [], text: { de: 1 } },
    };
    expect(read(VERSION_CHANGES, values).faults).toEqual({
      compatibility: ['Invalid app specified', 'Invalid value'],
      customLicense: ['You must provide an object of {lang-code:value}.', 'Not a valid string.'],
    });
    expect(read(VERSION_CHANGES, { custom_license: null }).faults).toEqual({ customLicense: ['Invalid value'] });
  });

  it('takes a licence by its slug, or a custom one', () => {
    expect(read(VERSION_CHANGES, { license: 'mit' }).input).toEqual({ builtinLicense: 'mit' });
    expect(read(VERSION_CHANGES, { custom_license: { name: { de: 'Eigene' }, text: { de: 'Alles.' } } }).input).toEqual(
      {
        customLicense: { name: [{ locale: 'de', value: 'Eigene' }], text: [{ locale: 'de', value: 'Alles.' }] },
      },
    );
  });
});

it('names the fields of operations by the keys of the request', () => {
  expect(errorFields(ADDON_REQUEST)).toMatchObject({
    categories: 'categories',
    namedCategories: 'categories',
    supportUrl: 'support_url',
  });
  expect(errorFields(VERSION_CHANGES)).toMatchObject({
    license: 'license',
    builtinLicense: 'license',
    releaseNotes: 'release_notes',
  });
});

function range(app: string, min: string | null = null, max: string | null = null) {
  return { app, min, max };
}
