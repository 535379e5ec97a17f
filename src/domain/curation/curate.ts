/*
 * Curation: featured add-ons, replacements, collections, compat overrides and the fallback of recommendations. Each change and
 * its audit row are one transaction, and repeating a change has no effect. Callers check permissions.
 */

import { isDeepStrictEqual } from 'node:util';
import { OPERATOR_ID } from '../../auth/credential-account.ts';
import { refusedField } from '../../errors.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import type { Application } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { type AuditActor, recordAudit } from '../activity/record-audit.ts';
import { requireLocale } from '../addons/localized-text.ts';
import { recordAddonDecision } from '../addons/record-addon-act.ts';
import type { OverriddenVersions } from '../discovery/find-compat-overrides.ts';
import { requireExpected } from '../listing/expected-values.ts';
import { lockExistingAddon } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { checkGuid, checkGuids, checkOverriddenVersions, checkPath, checkText } from './check-curation.ts';

/** A place where an add-on is featured. `locale` null: all languages. `category` null: outside of categories. */
interface FeaturedPlace {
  app: Application;
  locale: string | null;
  category: string | null;
}

/** The slug as stored. @throws {InvalidInputError} for a category that the application does not have. */
async function checkCategory(tx: Transaction, app: string, slug: string | null): Promise<string | null> {
  if (slug === null) return null;
  const wanted = checkText('category', slug);
  // Prisma's case-insensitive filter would read % and _ as wildcards. The lock keeps the category until the commit.
  const [found] = await tx.$queryRaw<{ slug: string }[]>`
    SELECT slug FROM category WHERE app = ${app} AND lower(slug) = lower(${wanted}) FOR KEY SHARE`;
  if (found === undefined)
    throw refusedField('category', message('category.unknown_slug', { category: printable(wanted), app }));
  return found.slug;
}

/**
 * Features an add-on in a place, or stops that.
 * @throws {NotFoundError} for an unknown or deleted add-on, {InvalidInputError} for an unknown language or category.
 */
export async function setFeatured(
  actor: AuditActor,
  addonId: number,
  { app, ...place }: FeaturedPlace,
  featured: boolean,
): Promise<void> {
  const work = async (tx: Transaction) => {
    // Concurrent changes wait here, so that a place gets one entry.
    await lockExistingAddon(tx, addonId);
    const locale = place.locale === null ? null : requireLocale('locale', place.locale);
    const details = { app, locale, category: await checkCategory(tx, app, place.category) };
    const entry = { addonId, ...details };
    const present = await tx.featuredEntry.count({ where: entry });
    if (featured === present > 0) return;
    if (featured) await tx.featuredEntry.create({ data: entry });
    else await tx.featuredEntry.deleteMany({ where: entry });
    await publishAddons(tx, [addonId]);
    const action = featured ? 'addon-featured' : 'addon-unfeatured';
    const accountId = typeof actor === 'string' ? null : actor.accountId;
    await recordActivity(tx, { action, accountId, addonId, details });
    const notice = featured ? 'addon-featured' : 'addon-unfeatured';
    await recordAddonDecision(tx, actor, { id: addonId }, { action, details, notice });
  };
  await retryAfterConflict(() => db.$transaction(work));
}

/** What replaces a legacy add-on; neither if nothing does. */
interface ReplacementTarget {
  path: string | null;
  guids: readonly string[];
}

/** A list in which the order counts, as a text for `requireExpected`. */
const inOrder = (guids: readonly string[]): string => guids.join('\n');

/**
 * Sets what replaces a legacy add-on: a path or address, or guids. Without either, deletes the replacement.
 * @throws {InvalidInputError} on the invalid field.
 */
export async function setReplacement(
  actor: AuditActor,
  input: ReplacementTarget & { guid: string; expected?: ReplacementTarget | undefined; isNew?: boolean },
): Promise<void> {
  const guid = checkGuid(input.guid);
  const path = checkPath(input.path);
  const guids = checkGuids(input.guids);
  if (path !== null && guids.length > 0) throw refusedField('path', message('replacement.path_or_guids'));
  const work = async (tx: Transaction) => {
    await tx.$queryRaw`SELECT FROM replacement WHERE guid = ${guid}::citext FOR UPDATE`;
    const present = await tx.replacement.findUnique({ where: { guid }, select: { path: true, guids: true } });
    if (input.isNew && present !== null) throw refusedField('guid', message('curation.exists'));
    const wanted = path === null && guids.length === 0 ? null : { path, guids };
    if (isDeepStrictEqual(present, wanted)) return;
    if (input.expected) {
      const valuesOf = ({ path: to, guids: by }: ReplacementTarget) => ({ path: to, guids: inOrder(by) });
      const now = { path: present?.path ?? null, guids: present?.guids ?? [] };
      requireExpected({
        ...{ expected: valuesOf(input.expected), present: valuesOf(now), wanted: valuesOf({ path, guids }) },
      });
    }
    if (wanted === null) await tx.replacement.deleteMany({ where: { guid } });
    else if (present === null) await tx.replacement.create({ data: { guid, path, guids } });
    else await tx.replacement.update({ where: { guid }, data: { path, guids } });
    const act = { action: 'replacement-set', details: { path, guids }, notice: 'addon-replacement-set' } as const;
    await recordAddonDecision(tx, actor, { guid }, act);
  };
  // After another curator has created it, the retried checks see it.
  await retryAfterConflict(() => db.$transaction(work));
}

/** @throws {InvalidInputError} on `guids` if the stored list is neither the expected nor the wanted one. */
function requireExpectedList(
  expected: readonly string[] | undefined,
  present: readonly string[],
  wanted: readonly string[],
): void {
  if (expected === undefined) return;
  const valuesOf = (guids: readonly string[]) => ({ guids: inOrder(guids) });
  requireExpected({ expected: valuesOf(expected), present: valuesOf(present), wanted: valuesOf(wanted) });
}

/**
 * Creates or replaces a collection of the operator and returns its id. Without guids, deletes it and returns null. A trigger makes its items
 * follow the guids.
 * @throws {InvalidInputError} on the invalid field.
 */
export async function setCollection(
  actor: AuditActor,
  input: { path: string; guids: readonly string[]; expected?: readonly string[] | undefined; isNew?: boolean },
): Promise<number | null> {
  const path = checkText('path', input.path).replace(/^\/+|\/+$/g, '');
  if (path === '') throw refusedField('path', message('replacement.no_path'));
  const guids = checkGuids(input.guids);
  const work = async (tx: Transaction) => {
    // Changes of an account wait for each other: a trigger derives the slug from the path, and slugs of an account are unique.
    await tx.$queryRaw`SELECT FROM account WHERE id = ${OPERATOR_ID} FOR NO KEY UPDATE`;
    const present = await tx.collection.findUnique({ where: { path } });
    const isOfOther = present !== null && present.accountId !== OPERATOR_ID;
    if (isOfOther || (input.isNew && present !== null)) throw refusedField('path', message('curation.exists'));
    const wanted = guids.length === 0 ? null : guids;
    if (isDeepStrictEqual(present?.guids ?? null, wanted)) return present?.id ?? null;
    requireExpectedList(input.expected, present?.guids ?? [], guids);
    const select = { id: true } as const;
    let id: number | null = null;
    if (wanted === null) await tx.collection.deleteMany({ where: { path } });
    else ({ id } = await tx.collection.upsert({ where: { path }, create: { path, guids }, update: { guids }, select }));
    await recordAudit(tx, actor, 'collection-set', { path, guids });
    return id;
  };
  return retryAfterConflict(() => db.$transaction(work));
}

/** A stored range of an override. */
interface RangeRow {
  addonMinVersion: string;
  addonMaxVersion: string;
  app: string;
  minVersion: string;
  maxVersion: string;
}

const rowsOf = (ranges: readonly OverriddenVersions[]): RangeRow[] =>
  ranges.flatMap(({ applications, ...versions }) =>
    applications.map(({ app, minVersion, maxVersion }) => ({ ...versions, app, minVersion, maxVersion })),
  );

const asLine = ({ addonMinVersion, addonMaxVersion, app, minVersion, maxVersion }: RangeRow): string =>
  [addonMinVersion, addonMaxVersion, app, minVersion, maxVersion].join(' ');

/** Does no upsert: the creation fails if another curator has created it since it was read, and is retried with the checks. */
async function storeOverride(
  tx: Transaction,
  { guid, exists }: { guid: string; exists: boolean },
  { name, ranges }: { name: string; ranges: readonly RangeRow[] },
): Promise<void> {
  const select = { id: true };
  const { id: overrideId } = exists
    ? await tx.compatOverride.update({ where: { guid }, data: { name }, select })
    : await tx.compatOverride.create({ data: { guid, name }, select });
  await tx.compatOverrideRange.deleteMany({ where: { overrideId } });
  await tx.compatOverrideRange.createMany({ data: ranges.map((row) => ({ ...row, overrideId })) });
}

/**
 * Sets which versions of an add-on do not work in which versions of applications. Without ranges, deletes the override.
 * `name` null leaves the name unchanged.
 * @throws {InvalidInputError} on the invalid field.
 */
export async function setCompatOverride(
  actor: AuditActor,
  input: {
    guid: string;
    name: string | null;
    versionRanges: readonly OverriddenVersions[];
    expected?: readonly OverriddenVersions[] | undefined;
    isNew?: boolean;
  },
): Promise<void> {
  const guid = checkGuid(input.guid);
  const name = input.name === null ? null : checkText('name', input.name);
  const rows = rowsOf(checkOverriddenVersions(input.versionRanges));
  const work = async (tx: Transaction) => {
    await tx.$queryRaw`SELECT FROM compat_override WHERE guid = ${guid}::citext FOR UPDATE`;
    const present = await tx.compatOverride.findUnique({
      where: { guid },
      select: { name: true, ranges: { omit: { id: true, overrideId: true }, orderBy: { id: 'asc' } } },
    });
    if (input.isNew && present !== null) throw refusedField('guid', message('curation.exists'));
    const wanted = rows.length === 0 ? null : { name: name ?? present?.name ?? '', ranges: rows };
    if (isDeepStrictEqual(present, wanted)) return;
    if (input.expected) {
      const valuesOf = (ranges: readonly RangeRow[]) => ({ versionRanges: ranges.map(asLine) });
      const now = present?.ranges ?? [];
      requireExpected({ expected: valuesOf(rowsOf(input.expected)), present: valuesOf(now), wanted: valuesOf(rows) });
    }
    if (wanted === null) await tx.compatOverride.deleteMany({ where: { guid } });
    else await storeOverride(tx, { guid, exists: present !== null }, wanted);
    const notice = 'addon-compatibility-set';
    await recordAddonDecision(
      tx,
      actor,
      { guid },
      { action: 'compat-override-set', details: { name, ranges: rows }, notice },
    );
  };
  // After another curator has created it, the retried checks see it.
  await retryAfterConflict(() => db.$transaction(work));
}

/**
 * Replaces the fallback list of recommendations, best first. Returns the stored list, without duplicates.
 * @throws {InvalidInputError} for an invalid guid.
 */
export async function setRecommendationFallback(
  actor: AuditActor,
  guids: readonly string[],
  expected?: readonly string[],
): Promise<string[]> {
  const checked = checkGuids(guids);
  await db.$transaction(async (tx) => {
    // Serialises writers; readers see the old list until the commit.
    await tx.$executeRaw`LOCK TABLE recommendation_fallback IN SHARE ROW EXCLUSIVE MODE`;
    const present = await tx.recommendationFallback.findMany({ orderBy: { position: 'asc' } });
    const presentGuids = present.map(({ guid }) => guid);
    if (isDeepStrictEqual(presentGuids, checked)) return;
    requireExpectedList(expected, presentGuids, checked);
    await tx.recommendationFallback.deleteMany();
    await tx.recommendationFallback.createMany({ data: checked.map((guid, position) => ({ guid, position })) });
    await recordAudit(tx, actor, 'recommendation-fallback-set', { guids: checked });
  });
  return checked;
}
