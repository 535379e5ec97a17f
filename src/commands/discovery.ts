import { COMMAND_LINE } from '../domain/activity/record-audit.ts';
import { addonIdOf } from '../domain/addons/find-addon.ts';
import {
  setCompatOverride,
  setFeatured,
  setRecommendationFallback,
  setReplacement,
} from '../domain/curation/curate.ts';
import type { OverriddenApplication, OverriddenVersions } from '../domain/discovery/find-compat-overrides.ts';
import { APPLICATIONS, type Application } from '../package/enums.ts';
import { CommandError, type Invocation, print } from './command.ts';
import { withDatabase } from './with-database.ts';

/** @throws {CommandError} for an unknown application. */
export function readApplication(text: string): Application {
  const app = APPLICATIONS.find((known) => known === text);
  if (app === undefined) throw new CommandError(`unknown application '${text}'; use one of ${APPLICATIONS.join(', ')}`);
  return app;
}

/** Adds or removes a featured add-on. */
async function changeFeatured(invocation: Invocation, featured: boolean): Promise<void> {
  const name = invocation.argument('ADDON');
  const place = {
    app: readApplication(invocation.text('app')),
    locale: invocation.optionalText('locale') ?? null,
    category: invocation.optionalText('category') ?? null,
  };
  await withDatabase(async () => setFeatured(COMMAND_LINE, await addonIdOf(name), place, featured));
  print(`${name} is ${featured ? '' : 'no longer '}featured.`);
}

export const addFeatured = (invocation: Invocation): Promise<void> => changeFeatured(invocation, true);
export const removeFeatured = (invocation: Invocation): Promise<void> => changeFeatured(invocation, false);

/** Sets the replacement of a legacy add-on; without path and guid it is removed. */
export async function changeReplacement(invocation: Invocation): Promise<void> {
  const guid = invocation.argument('GUID');
  const path = invocation.optionalText('path') ?? null;
  const guids = invocation.list('by');
  await withDatabase(() => setReplacement(COMMAND_LINE, { guid, path, guids }));
  print(path === null && guids.length === 0 ? `${guid} has no replacement.` : `${guid} has a replacement.`);
}

const RANGE = /^(\S+)\.\.(\S+) (\S+) (\S+)\.\.(\S+)$/;

/**
 * Reads a range such as `1.0..1.5 desktop_browser 40.0..*`: versions of the add-on, an application, versions of that.
 * @throws {CommandError} for anything else.
 */
export function readRange(text: string): OverriddenVersions {
  const [match, addonMinVersion = '', addonMaxVersion = '', app = '', minVersion = '', maxVersion = ''] =
    RANGE.exec(text) ?? [];
  if (match === undefined) {
    throw new CommandError(`--range: '${text}' does not look like '1.0..1.5 desktop_browser 40.0..*'`);
  }
  const application: OverriddenApplication = { app: readApplication(app), minVersion, maxVersion };
  return { addonMinVersion, addonMaxVersion, applications: [application] };
}

/** Sets the compatibility override of an add-on; without ranges it is removed. */
export async function changeOverride(invocation: Invocation): Promise<void> {
  const guid = invocation.argument('GUID');
  const name = invocation.optionalText('name') ?? null;
  const versionRanges = invocation.list('range').map(readRange);
  await withDatabase(() => setCompatOverride(COMMAND_LINE, { guid, name, versionRanges }));
  print(versionRanges.length === 0 ? `${guid} has no override.` : `${guid} has an override.`);
}

/** Replaces the curated fallback list of recommendations. */
export async function changeFallback(invocation: Invocation): Promise<void> {
  const guids = invocation.list('guid');
  const stored = await withDatabase(() => setRecommendationFallback(COMMAND_LINE, guids));
  print(`The curated list has ${stored.length} add-ons.`);
}
