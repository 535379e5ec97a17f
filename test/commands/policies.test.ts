import { describe, expect, it } from 'vitest';
import { CommandError, readInvocation, UsageError } from '../../src/commands/command.ts';
import { commands } from '../../src/commands/commands.ts';
import { type PoliciesFile, policiesText } from '../../src/commands/policies.ts';
import { config } from '../../src/config.ts';
import { addons } from '../support/program.ts';

const BASE = 'https://addons.example.org';

const policies = (...words: string[]): PoliciesFile['policies'] => {
  const command = commands.find(({ name }) => name === 'policies');
  if (!command) throw new Error('there is no command policies');
  return (JSON.parse(policiesText(readInvocation(command, words))) as PoliciesFile).policies;
};

/** The values of the preferences, all of which must be locked. */
const preferences = (...words: string[]): Record<string, string | boolean> =>
  Object.fromEntries(
    Object.entries(policies(...words).Preferences).map(([name, { Value, Status }]) => {
      expect(Status, name).toBe('locked');
      return [name, Value];
    }),
  );

const UPDATE =
  `${BASE}/update/?reqVersion=%REQ_VERSION%&id=%ITEM_ID%&version=%ITEM_VERSION%&maxAppVersion=%ITEM_MAXAPPVERSION%` +
  '&status=%ITEM_STATUS%&appID=%APP_ID%&appVersion=%APP_VERSION%&appOS=%APP_OS%&appABI=%APP_ABI%&locale=%APP_LOCALE%' +
  '&currentAppVersion=%CURRENT_APP_VERSION%&updateType=%UPDATE_TYPE%&compatMode=%COMPATIBILITY_MODE%';

const COMMON = {
  'extensions.update.url': UPDATE,
  'extensions.update.background.url': UPDATE,
  'extensions.getAddons.link.url': `${BASE}/`,
  'extensions.getAddons.search.browseURL': `${BASE}/search/?q=%TERMS%`,
  'browser.discovery.enabled': false,
  'extensions.abuseReport.amoFormURL': `${BASE}/report/?guid=%addonID%`,
  'extensions.addonAbuseReport.url': `${BASE}/api/v5/abuse/report/addon/`,
};

const BROWSER = {
  ...COMMON,
  'extensions.getAddons.get.url': `${BASE}/api/v4/addons/search/?guid=%IDS%&lang=%LOCALE%`,
  'extensions.getAddons.langpacks.url': `${BASE}/api/v4/addons/language-tools/?app=desktop_browser&type=language&appversion=%VERSION%`,
  'extensions.getAddons.discovery.api_url': `${BASE}/api/v4/discovery/?lang=%LOCALE%&edition=%DISTRIBUTION%`,
  'extensions.getAddons.browserMappings.url': `${BASE}/api/v5/addons/browser-mappings/?browser=%BROWSER%`,
  'extensions.htmlaboutaddons.recommendations.enabled': true,
};

const MAIL_CLIENT = {
  ...COMMON,
  'extensions.getAddons.get.url': `${BASE}/api/v3/addons/search/?guid=%IDS%&lang=%LOCALE%`,
  'extensions.getAddons.langpacks.url': `${BASE}/api/v4/addons/language-tools/?app=mail_client&type=language&appversion=%VERSION%`,
  'extensions.getAddons.discovery.api_url': '',
  'extensions.getAddons.browserMappings.url': '',
  'extensions.htmlaboutaddons.recommendations.enabled': false,
};

describe('addons policies', () => {
  it('sets the preferences of a browser, locked, and nothing that weakens its checks', () => {
    expect(preferences('--base', BASE)).toEqual(BROWSER);
    expect(policies('--base', BASE)).toEqual({
      Preferences: expect.anything(),
      InstallAddonsPermission: { Allow: [BASE] },
    });
  });

  it('sets those of a mail client, which searches with version 3', () => {
    expect(preferences('--base', BASE, '--application', 'mail_client')).toEqual(MAIL_CLIENT);
  });

  it('accepts unverified signatures only with --allow-unsigned', () => {
    expect(preferences('--base', BASE, '--allow-unsigned')).toEqual({
      ...BROWSER,
      'xpinstall.signatures.required': false,
      'extensions.langpacks.signatures.required': false,
    });
  });

  it('installs a TLS root only with --tls-root', () => {
    const words = ['--base', BASE, '--application', 'mail_client', '--tls-root', '/etc/ssl/own-root.pem'];

    expect(preferences(...words)).toEqual({
      ...MAIL_CLIENT,
      'extensions.update.requireBuiltInCerts': false,
      'extensions.install.requireBuiltInCerts': false,
    });
    expect(policies(...words).Certificates).toEqual({ Install: ['/etc/ssl/own-root.pem'] });
  });

  it.each([
    ['https://addons.example.org/', 'https://addons.example.org'],
    ['https://Addons.Example.org:443//', 'https://addons.example.org'],
    ['https://example.org:8443/addons/', 'https://example.org:8443/addons'],
    ['https://dévs.example', 'https://xn--dvs-bma.example'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
    ['http://localhost', 'http://localhost'],
  ])('writes %s as %s', (given, written) => {
    const { Preferences, InstallAddonsPermission } = policies('--base', given);

    expect(InstallAddonsPermission.Allow).toEqual([new URL(written).origin]);
    expect(Preferences['extensions.getAddons.link.url']?.Value).toBe(`${written}/`);
  });

  it('uses BASE_URL by default', () => {
    expect(policies().InstallAddonsPermission.Allow).toEqual([config.BASE_URL]);
  });

  it.each([
    [[''], 'is not an address such as https://addons.example.org'],
    [['addons.example.org'], 'is not an address'],
    [['ftp://addons.example.org'], 'is not an address'],
    [['javascript:alert(1)'], 'is not an address'],
    [['https://'], 'is not an address'],
    [['http://addons.example.org'], 'must start with https'],
    [['http://127.0.0.1.example.org'], 'must start with https'],
    [['https://me:secret@addons.example.org'], 'contains credentials'],
    [['https://addons.example.org/?a=b'], 'a query'],
    [['https://addons.example.org/#a'], 'a fragment'],
    [['https://addons.example.org/%ITEM_ID%'], '"%"'],
    [['https://addons.example.org/a b'], 'a space'],
    [['https:\\\\addons.example.org'], '"\\"'],
    [[BASE, '--application', 'firefox'], 'unknown application "firefox"; use desktop_browser or mail_client'],
    [[BASE, '--tls-root', ' '], 'the path or name of the certificate file is missing'],
    [[BASE, '--application', 'mail_client', '--allow-unsigned'], 'only for desktop_browser'],
  ])('refuses --base %j', (words, message) => {
    expect(() => policies('--base', ...words)).toThrow(CommandError);
    expect(() => policies('--base', ...words)).toThrow(message);
  });

  it('refuses arguments', () => {
    expect(() => policies(BASE)).toThrow(new UsageError(`policies: unexpected argument '${BASE}'`));
  });

  it('is printed by the program, without a database', async () => {
    const { code, stdout, stderr } = await addons(['policies', '--base', BASE], {
      DATABASE_URL: 'postgresql://none.invalid/none',
    });

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ policies: policies('--base', BASE) });
    expect(stdout).toMatch(/^\{\n {2}"policies": \{\n[\s\S]*\n\}\n$/);
  });
});
