/*
 * Lists that curators replace as a whole: the recommendations of browsers, the beginning of home pages, add-ons for extensions of other
 * browsers. Each change and its audit row are one transaction. Callers check permissions.
 */
import { refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import type { AddonType } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { type AuditActor, recordAudit } from '../activity/record-audit.ts';
import type { AddonRef } from '../addons/addon-ref.ts';
import {
  mergeTranslations,
  requireLocale,
  type TextsByLocale,
  type TranslationChange,
} from '../addons/localized-text.ts';
import { BROWSER_NAME, HEX_COLOR, isWebAddress, MAX_ENTRIES, MAX_HERO_MODULES } from '../discovery/curated-limits.ts';
import { HERO_SECONDARY_ROW } from '../discovery/hero.ts';
import { checkGuid, checkText } from './check-curation.ts';
import { findExistingAddon } from './list-curated.ts';

/** Changes of a text by language; null removes all, undefined leaves them. */
export type CuratedTextChanges = readonly TranslationChange[] | null | undefined;

const MAX_TEXT = 1000;

/** @throws {InvalidInputError} on `field` for more than `max` entries. */
export function checkCount(field: string, count: number, max: number): void {
  if (count > max) throw refusedField(field, message('field.too_many_entries', { count: max }));
}

/** Texts by language after a change, each of at most 1,000 characters. */
export function textsIn(field: string, changes: CuratedTextChanges, present: TextsByLocale = {}): TextsByLocale {
  const merged = mergeTranslations(present, changes ?? [], field);
  if (Object.values(merged).some((text) => [...text].length > MAX_TEXT))
    throw refusedField(field, message('field.text_too_long', { count: MAX_TEXT }));
  return merged;
}

/** An http(s) address. @throws {InvalidInputError} on `field`. */
export function checkUrl(field: string, url: string): string {
  const text = checkText(field, url);
  if (!isWebAddress(text)) throw refusedField(field, message('field.not_url'));
  return text;
}

export interface DiscoveryEntryInput {
  addon: AddonRef;
  heading?: CuratedTextChanges;
  description?: CuratedTextChanges;
}

/** Whom a list of recommendations is for; null is all editions, or all languages. */
export interface DiscoveryPlace {
  edition: string | null;
  locale: string | null;
}

/** A place as it is stored. @throws {InvalidInputError} on the invalid field. */
export const checkPlace = ({ edition, locale }: DiscoveryPlace): DiscoveryPlace => ({
  edition: edition === null ? null : checkText('edition', edition),
  locale: locale === null ? null : requireLocale('locale', locale),
});

/** Replaces the recommendations for an edition and a language. An empty list ends them. */
export async function setDiscovery(
  actor: AuditActor,
  { entries, ...named }: DiscoveryPlace & { entries: readonly DiscoveryEntryInput[] },
): Promise<void> {
  checkCount('entries', entries.length, MAX_ENTRIES.discovery);
  const place = checkPlace(named);
  const data: { addonId: number; position: number; heading: TextsByLocale; description: TextsByLocale }[] = [];
  for (const [position, { addon, heading, description }] of entries.entries()) {
    data.push({
      ...{ addonId: await findExistingAddon(addon), position },
      ...{ heading: textsIn('heading', heading), description: textsIn('description', description) },
    });
  }
  if (new Set(data.map(({ addonId }) => addonId)).size < data.length)
    throw refusedField('addon', message('curation.twice'));
  await db.$transaction(async (tx) => {
    await lockList(tx, 'discovery_entry');
    await tx.discoveryEntry.deleteMany({ where: place });
    await tx.discoveryEntry.createMany({ data: data.map((entry) => ({ ...place, ...entry })) });
    await recordAudit(tx, actor, 'discovery-set', { ...place, addons: data.map(({ addonId }) => addonId) });
  });
}

/** Serialises writers; readers see the old list until the commit. `table` is a constant. */
export const lockList = (tx: Transaction, table: string): Promise<number> =>
  tx.$executeRawUnsafe(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);

export interface HeroEntryInput {
  addon?: AddonRef | null;
  external?: { guid?: string | null; homepage: string; name: string; type?: AddonType | null } | null;
  gradientStart: string;
  gradientEnd: string;
  featuredImage?: string | null;
  description?: CuratedTextChanges;
}

/** A colour in lower case. @throws {InvalidInputError} on `field`. */
export function checkColor(field: string, color: string): string {
  if (!HEX_COLOR.test(color)) throw refusedField(field, message('hero.invalid_color'));
  return color.toLowerCase();
}

/** The values of an add-on elsewhere. @throws {InvalidInputError} on the field at fault. */
export function checkExternal({ guid, homepage, name, type }: NonNullable<HeroEntryInput['external']>) {
  const checked = checkText('name', name);
  if (checked === '') throw refusedField('name', message('field.blank'));
  return {
    guid: guid == null || guid === '' ? '' : checkGuid(guid),
    homepage: checkUrl('homepage', homepage),
    name: checked,
    type: type ?? ('extension' as const),
  };
}

/** The row of an entry. `field` is the one for an entry of both kinds, or none. @throws {InvalidInputError} on the field at fault. */
export async function heroRow(entry: HeroEntryInput, position: number, field = 'entries') {
  const { addon, external, gradientStart, gradientEnd, featuredImage, description } = entry;
  if ((addon == null) === (external == null)) throw refusedField(field, message('hero.addon_or_external'));
  return {
    position,
    addonId: addon == null ? null : await findExistingAddon(addon),
    ...(external == null ? {} : { external: checkExternal(external) }),
    gradientStart: checkColor('gradientStart', gradientStart),
    gradientEnd: checkColor('gradientEnd', gradientEnd),
    featuredImage: featuredImage == null ? null : checkUrl('featuredImage', featuredImage),
    description: textsIn('description', description),
  };
}

export interface HeroLinkInput {
  url: string;
  text?: CuratedTextChanges;
}

export interface HeroSecondaryInput {
  headline?: CuratedTextChanges;
  description?: CuratedTextChanges;
  cta?: HeroLinkInput | null;
  modules: readonly { icon: string; description?: CuratedTextChanges; cta?: HeroLinkInput | null }[];
}

const linkOf = (cta: HeroLinkInput | null | undefined) =>
  cta == null ? null : { url: checkUrl('url', cta.url), text: textsIn('text', cta.text) };

function secondaryOf({ headline, description, cta, modules }: HeroSecondaryInput) {
  if (modules.length !== MAX_HERO_MODULES)
    throw refusedField('modules', message('hero.three_modules', { count: MAX_HERO_MODULES }));
  return {
    ...{ headline: textsIn('headline', headline), description: textsIn('description', description), cta: linkOf(cta) },
    modules: modules.map((each) => ({
      ...{ icon: checkUrl('icon', each.icon), description: textsIn('description', each.description) },
      cta: linkOf(each.cta),
    })),
  };
}

/** Replaces what home pages begin with. Absent parts stay; without entries, or with null, the service chooses. */
export async function setHero(
  actor: AuditActor,
  {
    entries,
    secondary,
  }: { entries?: readonly HeroEntryInput[] | undefined; secondary?: HeroSecondaryInput | null | undefined },
): Promise<void> {
  checkCount('entries', entries?.length ?? 0, MAX_ENTRIES.hero);
  const rows = await Promise.all((entries ?? []).map((entry, position) => heroRow(entry, position)));
  const value = secondary == null ? null : secondaryOf(secondary);
  await db.$transaction(async (tx) => {
    await lockList(tx, 'hero_entry');
    if (entries !== undefined) {
      await tx.heroEntry.deleteMany();
      await tx.heroEntry.createMany({ data: rows });
    }
    if (secondary !== undefined) {
      await tx.serviceState.deleteMany({ where: { name: HERO_SECONDARY_ROW } });
      if (value !== null) await tx.serviceState.create({ data: { name: HERO_SECONDARY_ROW, value } });
    }
    const parts = [...(entries === undefined ? [] : ['entries']), ...(secondary === undefined ? [] : ['secondary'])];
    await recordAudit(tx, actor, 'hero-set', { parts });
  });
}

/** Replaces the add-ons for extensions of another browser. */
export async function setBrowserMappings(
  actor: AuditActor,
  { browser, mappings }: { browser: string; mappings: readonly { extensionId: string; addonGuid: string }[] },
): Promise<void> {
  if (!BROWSER_NAME.test(browser)) throw refusedField('browser', message('mapping.invalid_browser'));
  checkCount('mappings', mappings.length, MAX_ENTRIES.mappings);
  const checked = new Map(
    mappings.map(({ extensionId, addonGuid }) => [
      checkText('extensionId', extensionId),
      checkGuid(addonGuid, 'addonGuid'),
    ]),
  );
  await db.$transaction(async (tx) => {
    await lockList(tx, 'browser_mapping');
    await tx.browserMapping.deleteMany({ where: { browser } });
    await tx.browserMapping.createMany({
      data: [...checked].map(([extensionId, addonGuid]) => ({ browser, extensionId, addonGuid })),
    });
    await recordAudit(tx, actor, 'browser-mappings-set', { browser, count: checked.size });
  });
}
