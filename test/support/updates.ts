/* Update checks of browsers, and add-ons for them. */
import { type AddonFacts, addon, type MadeAddon, type VersionFacts } from './factories.ts';

export const APPS = {
  desktop_browser: '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}',
  mail_client: '{3550f703-e582-4d05-9a08-453d09bdfdc6}',
  suite_app: '{92650c4d-4b8e-4d2a-b7eb-24ecf4f6b63a}',
  mobile_browser: '{aa3c5121-dab2-40e2-81ca-7ea25febc110}',
} as const;
export type App = keyof typeof APPS;

/** A stored file, as uploads leave it. */
export const FILE = { isStored: true, isWebextension: true };
export const LEGACY = { isStored: true, isWebextension: false };

export const stored = (version: VersionFacts = {}): VersionFacts => ({ files: [FILE], ...version });

/** An add-on with one version. */
export const make = (version: VersionFacts = {}, facts: AddonFacts = {}): Promise<MadeAddon> =>
  addon({ ...facts, versions: [stored(version)] });

export type Query = Record<string, string>;
export const pathOf = (query: Query, path = '/update/'): string => `${path}?${new URLSearchParams(query)}`;

/** The parameters that an update check needs, and others. */
export const queryFor = (id: string, query: Query = {}): Query => ({
  id,
  appID: APPS.desktop_browser,
  appVersion: '120.0',
  ...query,
});

/** All parameters that browsers send. */
export const browserQuery = (id: string): Query => ({
  reqVersion: '2',
  id,
  version: '1.0',
  maxAppVersion: 'null',
  status: 'userEnabled',
  appID: APPS.desktop_browser,
  appVersion: '153.7',
  appOS: 'Linux',
  appABI: 'x86_64-gcc3',
  locale: 'en-US-posix',
  currentAppVersion: '153.7',
  updateType: '112',
  compatMode: 'normal',
});

/** An entry of a response. */
export interface Entry {
  version: string;
  update_link: string;
  applications: { gecko: { strict_min_version: string; strict_max_version?: string } };
  update_hash: string;
  update_info_url?: string;
}
