import { describe, expect, it } from 'vitest';
import type { AddonType } from '../../../src/package/enums.ts';
import { legacyCompatibility, webExtensionCompatibility } from '../../../src/package/manifest/compatibility.ts';

const UNSUPPORTED =
  'Cannot find min/max version. Maybe "strict_min_version" or "strict_max_version" contains an unsupported version?';
const NONE = { min: null, max: null };

function from(min: string | null, max: string | null = null) {
  return { min, max };
}

describe('webExtensionCompatibility', () => {
  it.each([
    ['extension', true, '42.0', '48.0'],
    ['extension', false, '48.0', '48.0'],
    ['statictheme', true, '53.0', null],
    ['statictheme', false, '53.0', null],
    ['dictionary', true, '61.0', null],
    ['dictionary', false, '61.0', null],
    ['language', true, '42.0', null],
    ['language', false, '48.0', null],
  ] as Array<[AddonType, boolean, string, string | null]>)(
    'has defaults for %s, with id: %s',
    (type, hasId, desktop, mobile) => {
      expect(webExtensionCompatibility(type, hasId, NONE, NONE)).toEqual({
        desktop_browser: { min: desktop, max: '*' },
        ...(mobile === null ? {} : { mobile_browser: { min: mobile, max: '*' } }),
      });
    },
  );

  it('uses the versions given for both browsers', () => {
    expect(webExtensionCompatibility('extension', true, from('57.0a1', '64.*'), NONE)).toEqual({
      desktop_browser: { min: '57.0a1', max: '64.*' },
      mobile_browser: { min: '57.0a1', max: '64.*' },
    });
  });

  it('uses the versions given for the mobile browser only', () => {
    expect(webExtensionCompatibility('extension', true, from('57.0', '64.*'), from('113.0', '*'))).toEqual({
      desktop_browser: { min: '57.0', max: '64.*' },
      mobile_browser: { min: '113.0', max: '*' },
    });
    expect(webExtensionCompatibility('extension', true, from('57.0'), from(null, '64.0'))).toEqual({
      desktop_browser: { min: '57.0', max: '*' },
      mobile_browser: { min: '57.0', max: '64.0' },
    });
  });

  it.each([
    ['begin', from('45.0'), NONE],
    ['end', from(null, '47.*'), NONE],
  ])('omits the mobile browser if the versions %s below 48.0', (_what, desktop, mobile) => {
    expect(Object.keys(webExtensionCompatibility('extension', true, desktop, mobile))).toEqual(['desktop_browser']);
  });

  it('raises a mobile version to the first of that browser', () => {
    const mobile = { min: '48.0', max: '*' };
    for (const set of [from('45.0'), { ...NONE, isSet: true }]) {
      expect(webExtensionCompatibility('extension', true, from('45.0'), set).mobile_browser).toEqual(mobile);
    }
  });

  it.each([
    ['ends before it begins', from('57.0'), from(null, '56.0')],
    ['begins after the end for the desktop', from('57.0', '60.*'), from('113.0')],
    ['ends before the first version', NONE, from(null, '47.*')],
    [
      'has settings without limits and the end for the desktop is too low',
      from(null, '47.*'),
      { ...NONE, isSet: true },
    ],
  ])('refuses a mobile range that %s', (_what, desktop, mobile) => {
    expect(() => webExtensionCompatibility('extension', true, desktop, mobile)).toThrow(UNSUPPORTED);
  });

  it('refuses a mobile range whose end, that for the desktop, is unknown for the mobile browser', () => {
    const isKnown = (app: string, version: string) => app === 'desktop_browser' || version !== '64.*';
    expect(() => webExtensionCompatibility('extension', true, from('57.0', '64.*'), from('57.0'), isKnown)).toThrow(
      UNSUPPORTED,
    );
  });

  it('raises a version to the minimum of the type', () => {
    expect(webExtensionCompatibility('statictheme', true, from('45.0'), NONE).desktop_browser?.min).toBe('53.0');
    expect(webExtensionCompatibility('dictionary', true, from('60.0'), NONE).desktop_browser?.min).toBe('61.0');
    expect(webExtensionCompatibility('dictionary', true, from('61.0.1'), NONE).desktop_browser?.min).toBe('61.0.1');
  });

  const TOO_LOW = 'Lowest supported "strict_min_version" is 42.0.';
  const NEEDS_ID = 'GUID is required for desktop_browser 47 and below.';

  it.each([
    ['an unknown minimum', true, from('201.0'), NONE, UNSUPPORTED],
    ['an unknown maximum', true, from('57.0', '201.*'), NONE, UNSUPPORTED],
    ['a huge number', true, from('9999'), NONE, UNSUPPORTED],
    ['no version at all', true, from('latest'), NONE, UNSUPPORTED],
    ['an unreadable maximum', true, from(null, '57.0.0.0.0'), NONE, UNSUPPORTED],
    ['an unknown mobile minimum', true, NONE, from('201.0'), UNSUPPORTED],
    ['an unreadable mobile maximum', true, NONE, from(null, 'x'), UNSUPPORTED],
    ['100 kB of digits', true, from('5'.repeat(100_000)), NONE, UNSUPPORTED],
    ['a maximum below the minimum', true, from('57.0', '56.*'), NONE, UNSUPPORTED],
    ['a maximum below the default', true, from(null, '41.0'), NONE, UNSUPPORTED],
    ['a minimum below 42.0', true, from('41.9'), NONE, TOO_LOW],
    ['an alpha of 42.0', true, from('42.0a1'), NONE, TOO_LOW],
    ['a minimum of major number 0', true, from('0.8'), NONE, TOO_LOW],
    ['no id and a minimum below 48.0', false, from('47.*'), NONE, NEEDS_ID],
    ['no id and a minimum below 42.0', false, from('41.0'), NONE, NEEDS_ID],
  ])('refuses %s', (_what, hasId, desktop, mobile, message) => {
    const isKnown = (_app: string, version: string) => Number.parseInt(version, 10) !== 201;
    expect(() => webExtensionCompatibility('extension', hasId, desktop, mobile, isKnown)).toThrow(message);
  });

  it('refuses a theme for browsers without themes', () => {
    expect(() => webExtensionCompatibility('statictheme', true, from('45.0', '52.*'), NONE)).toThrow(UNSUPPORTED);
  });

  it('requires no id from 48.0 on', () => {
    expect(webExtensionCompatibility('extension', false, from('48.0'), NONE).desktop_browser?.min).toBe('48.0');
  });
});

describe('versions known for some applications only', () => {
  const onlyDesktop = (app: string) => app === 'desktop_browser';

  it('omit the mobile browser if they are unknown for it', () => {
    expect(webExtensionCompatibility('extension', true, from('57.0'), NONE, onlyDesktop)).toEqual({
      desktop_browser: { min: '57.0', max: '*' },
    });
    expect(webExtensionCompatibility('extension', true, NONE, NONE, onlyDesktop).mobile_browser).toEqual({
      min: '48.0',
      max: '*',
    });
  });

  it('are refused if given for another application', () => {
    expect(() => webExtensionCompatibility('extension', true, NONE, from('57.0'), onlyDesktop)).toThrow(UNSUPPORTED);
    expect(() => webExtensionCompatibility('extension', true, from('57.0'), NONE, () => false)).toThrow(UNSUPPORTED);
  });

  it('must be well-formed, whichever are known', () => {
    expect(() => webExtensionCompatibility('extension', true, from('latest'), NONE, () => true)).toThrow(UNSUPPORTED);
    const target = { id: '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}', min: 'first', max: '201.*' };
    expect(() => legacyCompatibility([target], () => true)).toThrow('first to 201.*');
    expect(legacyCompatibility([{ ...target, min: '45.0' }], () => true)).toEqual({
      desktop_browser: { min: '45.0', max: '201.*' },
    });
  });
});

describe('legacyCompatibility', () => {
  const DESKTOP = '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}';
  const MAIL = '{3550f703-e582-4d05-9a08-453d09bdfdc6}';

  it('recognises the four applications, in any case', () => {
    const targets = [DESKTOP, MAIL, '{92650C4D-4B8E-4D2A-B7EB-24ECF4F6B63A}', '{aa3c5121-dab2-40e2-81ca-7ea25febc110}'];
    const range = { min: '2.0', max: '45.*' };
    expect(legacyCompatibility(targets.map((id) => ({ id, ...range })))).toEqual({
      desktop_browser: range,
      mail_client: range,
      suite_app: range,
      mobile_browser: range,
    });
  });

  it('ends an open range at 56.*', () => {
    expect(legacyCompatibility([{ id: DESKTOP, min: '45.0', max: '*' }])).toEqual({
      desktop_browser: { min: '45.0', max: '56.*' },
    });
  });

  it('ignores unknown applications, unusable ranges before a usable one, and repeated applications', () => {
    const targets = [
      { id: 'toolkit@example.org', min: '45.0', max: '56.*' },
      { id: DESKTOP, min: '', max: '56.*' },
      { id: DESKTOP, min: '45.0', max: '999.0' },
      { id: DESKTOP, min: '45.0', max: '40.*' },
      { id: DESKTOP, min: '45.0', max: '50.*' },
      { id: DESKTOP, min: '40.0', max: '56.*' },
    ];
    expect(legacyCompatibility(targets, (_app, version) => version !== '999.0')).toEqual({
      desktop_browser: { min: '45.0', max: '50.*' },
    });
  });

  it.each([
    ['other applications only', [{ id: 'player@example.org', min: '1.0', max: '2.*' }], 'player@example.org'],
    ['an unknown version', [{ id: DESKTOP, min: '45.0', max: '999.0' }], 'The range 45.0 to 999.0 of desktop_browser'],
    ['no lower end', [{ id: DESKTOP, min: '', max: '56.*' }], 'The range  to 56.* of desktop_browser'],
    ['an end before its start', [{ id: DESKTOP, min: '50.0', max: '45.*' }], 'The range 50.0 to 45.* of'],
    ['an open range after the last version', [{ id: DESKTOP, min: '57.0', max: '*' }], 'The range 57.0 to * of'],
    [
      'an unknown version next to a usable range of another application',
      [
        { id: MAIL, min: 'x'.repeat(100_000), max: '56.*' },
        { id: DESKTOP, min: '45.0', max: '56.*' },
      ],
      `The range ${'x'.repeat(100)} to 56.* of mail_client`,
    ],
  ])('refuses targets with %s', (_what, targets, text) => {
    const isKnown = (_app: string, version: string) => version !== '999.0';
    expect(() => legacyCompatibility(targets, isKnown)).toThrow(text);
  });

  it('sets no range without targets', () => {
    expect(legacyCompatibility([])).toEqual({});
  });
});
