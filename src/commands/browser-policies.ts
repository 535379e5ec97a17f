/*
 * The enterprise policies that connect a browser or a mail client to this service. The names of policies and preferences, and
 * the words between percent signs, which the application fills in, are those of its public format.
 */

/** The applications with policies, by the names of the API. */
export const POLICY_APPLICATIONS = ['desktop_browser', 'mail_client'] as const;
export type PolicyApplication = (typeof POLICY_APPLICATIONS)[number];

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
export function policiesFile(options: PolicyOptions): PoliciesFile {
  const values = { ...addresses(options), ...disabledServices(), ...ownTrust(options) };
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

/** Recommendations and mappings that only the vendor's service has. */
function disabledServices(): Record<string, string | boolean> {
  return {
    'extensions.getAddons.discovery.api_url': '',
    'extensions.getAddons.browserMappings.url': '',
    'browser.discovery.enabled': false,
    'extensions.htmlaboutaddons.recommendations.enabled': false,
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
