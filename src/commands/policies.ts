import { config, LOOPBACK } from '../config.ts';
import { CommandError, type Invocation, print } from './command.ts';

/*
 * The enterprise policies that connect a browser or a mail client to this service. The names of policies and preferences, and
 * the words between percent signs, which the application fills in, are those of its public format.
 */

/** The applications with policies, by the names of the API. */
const POLICY_APPLICATIONS = ['desktop_browser', 'mail_client'] as const;
type PolicyApplication = (typeof POLICY_APPLICATIONS)[number];

interface PolicyOptions {
  /** Base URL of the service without a trailing slash. */
  base: string;
  application: PolicyApplication;
  /** Accept add-ons whose signature the build cannot verify. */
  allowUnsigned?: boolean;
  /** File with the root certificate of the service's own TLS CA, as named on the clients. */
  tlsRoot?: string;
}

interface Preference {
  Value: string | boolean;
  Status: 'locked';
}

/** The content of a `policies.json`. */
export interface PoliciesFile {
  policies: {
    Preferences: Record<string, Preference>;
    InstallAddonsPermission: { Allow: string[] };
    Certificates?: { Install: string[] };
  };
}

/** The query of stock builds: parameter and the word that the application replaces. */
const UPDATE_QUERY = [
  ['reqVersion', 'REQ_VERSION'],
  ['id', 'ITEM_ID'],
  ['version', 'ITEM_VERSION'],
  ['maxAppVersion', 'ITEM_MAXAPPVERSION'],
  ['status', 'ITEM_STATUS'],
  ['appID', 'APP_ID'],
  ['appVersion', 'APP_VERSION'],
  ['appOS', 'APP_OS'],
  ['appABI', 'APP_ABI'],
  ['locale', 'APP_LOCALE'],
  ['currentAppVersion', 'CURRENT_APP_VERSION'],
  ['updateType', 'UPDATE_TYPE'],
  ['compatMode', 'COMPATIBILITY_MODE'],
]
  .map(([name, word]) => `${name}=%${word}%`)
  .join('&');

/** API version of the search by ids: the mail client requires version 3. */
const SEARCH_API: Record<PolicyApplication, string> = { desktop_browser: 'v4', mail_client: 'v3' };

/** The policies for one application. Preferences are locked: users and extensions cannot change them. */
function policiesFile(options: PolicyOptions): PoliciesFile {
  const values = { ...addresses(options), ...recommendations(options), ...ownTrust(options) };
  const preferences = Object.entries(values).map(([name, Value]) => [name, { Value, Status: 'locked' as const }]);
  const { base, tlsRoot } = options;
  return {
    policies: {
      Preferences: Object.fromEntries(preferences),
      InstallAddonsPermission: { Allow: [new URL(base).origin] },
      ...(tlsRoot === undefined ? {} : { Certificates: { Install: [tlsRoot] } }),
    },
  };
}

function addresses({ base, application }: PolicyOptions): Record<string, string> {
  const update = `${base}/update/?${UPDATE_QUERY}`;
  const languages = `app=${application}&type=language&appversion=%VERSION%`;
  return {
    'extensions.update.url': update,
    'extensions.update.background.url': update,
    'extensions.getAddons.get.url': `${base}/api/${SEARCH_API[application]}/addons/search/?guid=%IDS%&lang=%LOCALE%`,
    'extensions.getAddons.langpacks.url': `${base}/api/v4/addons/language-tools/?${languages}`,
    'extensions.getAddons.link.url': `${base}/`,
    'extensions.getAddons.search.browseURL': `${base}/search/?q=%TERMS%`,
    'extensions.abuseReport.amoFormURL': `${base}/report/?guid=%addonID%`,
    'extensions.addonAbuseReport.url': `${base}/api/v5/abuse/report/addon/`,
  };
}

/** Add-ons that the add-ons manager recommends, without an id of the client. The service has none for mail clients. */
function recommendations({ base, application }: PolicyOptions): Record<string, string | boolean> {
  const isServed = application === 'desktop_browser';
  return {
    'extensions.getAddons.discovery.api_url': isServed
      ? `${base}/api/v4/discovery/?lang=%LOCALE%&edition=%DISTRIBUTION%`
      : '',
    'extensions.getAddons.browserMappings.url': isServed
      ? `${base}/api/v5/addons/browser-mappings/?browser=%BROWSER%`
      : '',
    'browser.discovery.enabled': false,
    'extensions.htmlaboutaddons.recommendations.enabled': isServed,
  };
}

function ownTrust({ allowUnsigned = false, tlsRoot }: PolicyOptions): Record<string, boolean> {
  return {
    ...(allowUnsigned
      ? { 'xpinstall.signatures.required': false, 'extensions.langpacks.signatures.required': false }
      : {}),
    ...(tlsRoot === undefined
      ? {}
      : { 'extensions.update.requireBuiltInCerts': false, 'extensions.install.requireBuiltInCerts': false }),
  };
}

/** Prints the `policies.json` of browsers or mail clients for this installation. */
export async function printPolicies(invocation: Invocation): Promise<void> {
  print(policiesText(invocation));
}

/**
 * The text that the command prints, without the last line end; docs/browsers.md contains it.
 * @throws {CommandError} for values that policies cannot contain.
 */
export function policiesText(invocation: Invocation): string {
  const base = readBase(invocation.optionalText('base') ?? config.BASE_URL);
  const application = readApplication(invocation.optionalText('application') ?? 'desktop_browser');
  const tlsRoot = readTlsRoot(invocation.optionalText('tls-root'));
  const allowUnsigned = readAllowUnsigned(invocation.flag('allow-unsigned'), application);
  const file = policiesFile({ base, application, allowUnsigned, ...(tlsRoot === undefined ? {} : { tlsRoot }) });
  return JSON.stringify(file, null, 2);
}

/** The URL without trailing slashes. Over http, anyone on the network could replace updates. */
function readBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandError(`--base: "${text}" is not an address such as https://addons.example.org`);
  }
  if (/[?#%\s\\]/.test(text) || url.username !== '' || url.password !== '') {
    throw new CommandError(`--base: "${text}" contains credentials, a query, a fragment, "%", "\\" or a space`);
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new CommandError(`--base: "${text}" must start with https, which protects updates; http is for loopback`);
  }
  return url.href.replace(/\/+$/, '');
}

function readApplication(text: string): PolicyApplication {
  const known = POLICY_APPLICATIONS.find((name) => name === text);
  if (known === undefined) {
    throw new CommandError(`--application: unknown application "${text}"; use ${POLICY_APPLICATIONS.join(' or ')}`);
  }
  return known;
}

/** A name without `/` or `\` is a file in the folder of certificates that the application searches. */
function readTlsRoot(text: string | undefined): string | undefined {
  if (text?.trim() === '') throw new CommandError('--tls-root: the path or name of the certificate file is missing');
  return text;
}

/** Mail clients do not require signatures and refuse the preference in policies. */
function readAllowUnsigned(flag: boolean, application: PolicyApplication): boolean {
  if (flag && application === 'mail_client') {
    throw new CommandError('--allow-unsigned: only for desktop_browser; mail clients require no signatures');
  }
  return flag;
}
