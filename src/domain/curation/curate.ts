/*
 * What operators decide about discovery. Each change and its row of the audit log are one transaction; doing the same again
 * changes nothing. Whether somebody may do it has been asked before.
 */
import { refusedField } from '../../errors.ts';
import { againAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { type Actor, recordAudit } from '../activity/record-audit.ts';
import type { Application } from '../addons/enums.ts';
import type { OverriddenVersions } from '../discovery/find-compat-overrides.ts';
import { lockLivingAddon } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { checkGuid, checkGuids, checkLocale, checkPath, checkRanges, checkText } from './check-curation.ts';

/** One place where an add-on is featured: null stands for every language, and for outside of categories. */
export interface FeaturedPlace {
  app: Application;
  locale: string | null;
  category: string | null;
}

/** @throws {InvalidInputError} for a category that the application does not have. */
async function checkCategory(tx: Transaction, app: string, slug: string | null): Promise<string | null> {
  if (slug === null) return null;
  const wanted = checkText('category', slug);
  // Not Prisma's way of ignoring case: that takes % and _ in the text for a pattern. Locked, so that it is not removed meanwhile.
  const [found] = await tx.$queryRaw<{ slug: string }[]>`
    SELECT slug FROM category WHERE app = ${app} AND lower(slug) = lower(${wanted}) FOR KEY SHARE`;
  if (found === undefined) throw refusedField('category', `There is no category ${JSON.stringify(wanted)} of ${app}.`);
  return found.slug;
}

/**
 * Features an add-on in a place, or ends that.
 * @throws {NotFoundError} for an unknown or deleted add-on, {InvalidInputError} for an unknown language or category.
 */
export async function setFeatured(
  actor: Actor,
  addonId: number,
  { app, ...place }: FeaturedPlace,
  featured: boolean,
): Promise<void> {
  const work = async (tx: Transaction) => {
    // Two curators who feature the same add-on at once make one entry.
    await lockLivingAddon(tx, addonId);
    const locale = checkLocale(place.locale);
    const entry = { addonId, app, locale, category: await checkCategory(tx, app, place.category) };
    const present = await tx.featuredEntry.count({ where: entry });
    if (featured === present > 0) return;
    if (featured) await tx.featuredEntry.create({ data: entry });
    else await tx.featuredEntry.deleteMany({ where: entry });
    await publishAddons(tx, [addonId]);
    const action = featured ? 'addon-featured' : 'addon-unfeatured';
    const { addonId: _, ...details } = entry;
    await recordActivity(tx, {
      action,
      accountId: typeof actor === 'string' ? null : actor.accountId,
      addonId,
      details,
    });
    await recordAudit(tx, actor, action, entry);
  };
  await againAfterConflict(() => db.$transaction(work));
}

/**
 * Says what takes the place of a legacy add-on: a path or address, or guids. Neither of them ends it.
 * @throws {InvalidInputError} naming the field at fault.
 */
export async function setReplacement(
  actor: Actor,
  input: { guid: string; path: string | null; guids: readonly string[] },
): Promise<void> {
  const guid = checkGuid(input.guid);
  const path = checkPath(input.path);
  const guids = checkGuids(input.guids);
  if (path !== null && guids.length > 0) throw refusedField('path', 'Either a path or guids.');
  await db.$transaction(async (tx) => {
    if (path === null && guids.length === 0) await tx.replacement.deleteMany({ where: { guid } });
    else await tx.replacement.upsert({ where: { guid }, create: { guid, path, guids }, update: { path, guids } });
    await recordAudit(tx, actor, 'replacement-set', { guid, path, guids });
  });
}

/**
 * Names an ordered list of add-ons, for replacements. An empty one ends it.
 * @throws {InvalidInputError} naming the field at fault.
 */
export async function setCollection(actor: Actor, input: { path: string; guids: readonly string[] }): Promise<void> {
  const path = checkText('path', input.path).replace(/^\/+|\/+$/g, '');
  if (path === '') throw refusedField('path', 'A list needs a path.');
  const guids = checkGuids(input.guids);
  await db.$transaction(async (tx) => {
    if (guids.length === 0) await tx.collection.deleteMany({ where: { path } });
    else await tx.collection.upsert({ where: { path }, create: { path, guids }, update: { guids } });
    await recordAudit(tx, actor, 'collection-set', { path, guids });
  });
}

/**
 * Says which versions of an add-on do not work in which versions of applications. No ranges end it; a name that is
 * null stays as it is.
 * @throws {InvalidInputError} naming the field at fault.
 */
export async function setCompatOverride(
  actor: Actor,
  input: { guid: string; name: string | null; versionRanges: readonly OverriddenVersions[] },
): Promise<void> {
  const guid = checkGuid(input.guid);
  const name = input.name === null ? null : checkText('name', input.name);
  const rows = checkRanges(input.versionRanges).flatMap(({ applications, addonMinVersion, addonMaxVersion }) =>
    applications.map(({ app, minVersion, maxVersion }) => ({
      addonMinVersion,
      addonMaxVersion,
      app,
      minVersion,
      maxVersion,
    })),
  );
  await db.$transaction(async (tx) => {
    if (rows.length === 0) await tx.compatOverride.deleteMany({ where: { guid } });
    else {
      const overrideId = await putOverride(tx, guid, name);
      await tx.compatOverrideRange.deleteMany({ where: { overrideId } });
      await tx.compatOverrideRange.createMany({ data: rows.map((row) => ({ ...row, overrideId })) });
    }
    await recordAudit(tx, actor, 'compat-override-set', { guid, name, ranges: rows });
  });
}

/** Makes an override or changes its name, and keeps it for this transaction even where the name stays. Returns its id. */
async function putOverride(tx: Transaction, guid: string, name: string | null): Promise<number> {
  const [row] = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO compat_override AS present (guid, name) VALUES (${guid}, coalesce(${name}::text, ''))
    ON CONFLICT (guid) DO UPDATE SET name = coalesce(${name}::text, present.name) RETURNING id`;
  if (row === undefined) throw new Error('no compatibility override was written');
  return row.id;
}

/**
 * Replaces the list that stands in for recommendations, best first.
 * @throws {InvalidInputError} for what is no guid.
 */
export async function setRecommendationFallback(actor: Actor, guids: readonly string[]): Promise<void> {
  const checked = checkGuids(guids);
  await db.$transaction(async (tx) => {
    // One list at a time; readers go on with the one before.
    await tx.$executeRaw`LOCK TABLE recommendation_fallback IN SHARE ROW EXCLUSIVE MODE`;
    await tx.recommendationFallback.deleteMany();
    await tx.recommendationFallback.createMany({ data: checked.map((guid, position) => ({ guid, position })) });
    await recordAudit(tx, actor, 'recommendation-fallback-set', { guids: checked });
  });
}
