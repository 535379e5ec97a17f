/*
 * Reference data: application versions and categories. Each change and its audit row are one transaction, and repeating a
 * change has no effect. Callers check permissions.
 */

import { isDeepStrictEqual } from 'node:util';
import { NotFoundError, refusedField } from '../../errors.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { encodeApplicationVersion } from '../../package/application-version.ts';
import type { AddonType, Application } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { type AuditActor, recordAudit } from '../activity/record-audit.ts';
import { mergeTranslations, storedTexts, type TranslationChange } from '../addons/localized-text.ts';
import { publishAddons } from '../listing/publish-addons.ts';

/** Transaction timeout: changing a category rewrites the documents of all its add-ons. */
const TIMEOUT_MS = 10 * 60 * 1000;

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_SLUG = 64;
const MAX_WEIGHT = 1_000_000;

/**
 * Adds a version of an application. Returns false when it exists already.
 * @throws {InvalidInputError} for an invalid version.
 */
export async function addApplicationVersion(actor: AuditActor, app: Application, version: string): Promise<boolean> {
  const code = encodeApplicationVersion(version);
  if (code === null) {
    throw refusedField('version', message('application.invalid_version', { version: printable(version.slice(0, 64)) }));
  }
  return db.$transaction(async (tx) => {
    const { count } = await tx.applicationVersion.createMany({
      data: [{ app, version, code: BigInt(code) }],
      skipDuplicates: true,
    });
    if (count > 0) await recordAudit(tx, actor, 'application-version-added', { app, version });
    return count > 0;
  });
}

/** The versions of an application, lowest first. */
export async function listApplicationVersions(app: Application): Promise<string[]> {
  const rows = await db.applicationVersion.findMany({
    where: { app },
    orderBy: [{ code: 'asc' }, { version: 'asc' }],
    select: { version: true },
  });
  return rows.map(({ version }) => version);
}

/** The categories of an application and add-on type, in display order. */
export async function listCategories(app: Application, type: AddonType) {
  const rows = await db.category.findMany({ where: { app, type }, orderBy: [{ weight: 'desc' }, { id: 'asc' }] });
  return rows.map(({ slug, weight, name }) => ({ slug, weight, name: storedTexts(name) }));
}

export interface ReferenceCategory {
  app: Application;
  type: AddonType;
  slug: string;
}

/**
 * Creates a category, or changes its names and weight; null leaves them unchanged. Returns its id.
 * @throws {InvalidInputError} on the invalid field; a new category needs a name.
 */
export async function setCategory(
  actor: AuditActor,
  key: ReferenceCategory,
  { name, weight, isNew }: { name: readonly TranslationChange[] | null; weight: number | null; isNew?: boolean },
): Promise<number> {
  if (weight !== null && Math.abs(weight) > MAX_WEIGHT)
    throw refusedField('weight', message('category.weight_too_large'));
  const work = async (tx: Transaction) => {
    const known = await findCategory(tx, key);
    if (isNew && known) throw refusedField('slug', message('curation.exists'));
    const merged = mergeTranslations(storedTexts(known?.name ?? {}), name ?? [], 'name');
    if (Object.keys(merged).length === 0) throw refusedField('name', message('category.no_name'));
    const data = { name: merged, ...(weight === null ? {} : { weight }) };
    if (known && isDeepStrictEqual({ ...data, ...known }, { ...known, ...data })) return known.id;
    const { id } = known
      ? await tx.category.update({ where: { id: known.id }, data })
      : await tx.category.create({ data: { ...key, slug: checkSlug(key.slug), ...data } });
    if (known) await publishAddonsIn(tx, id);
    await recordAudit(tx, actor, 'category-set', { ...key, ...data });
    return id;
  };
  return retryAfterConflict(() => db.$transaction(work, { timeout: TIMEOUT_MS }));
}

/**
 * Deletes a category. Returns its former id.
 * @throws {NotFoundError}, {InvalidInputError} for a category that add-ons or featured entries use.
 */
export async function deleteCategory(actor: AuditActor, key: ReferenceCategory): Promise<number> {
  return db.$transaction(async (tx) => {
    const category = await findCategory(tx, key);
    if (category === null) throw new NotFoundError(message('category.unknown'));
    const addons = await tx.addonCategory.count({ where: { categoryId: category.id } });
    const entries = await tx.featuredEntry.count({
      where: { app: key.app, category: category.slug, addon: { type: key.type } },
    });
    if (addons + entries > 0) throw refusedField('slug', message('category.used'));
    await tx.category.delete({ where: { id: category.id } });
    await recordAudit(tx, actor, 'category-deleted', { ...key });
    return category.id;
  });
}

/** Locks the row against concurrent changes and new uses. */
async function findCategory(tx: Transaction, { app, type, slug }: ReferenceCategory) {
  if (slug.includes('\0') || !slug.isWellFormed()) return null;
  const [row] = await tx.$queryRaw<{ id: number; slug: string; name: unknown; weight: number }[]>`
    SELECT id, slug, name, weight FROM category WHERE app = ${app} AND type = ${type} AND lower(slug) = lower(${slug}) FOR UPDATE`;
  return row ?? null;
}

function checkSlug(slug: string): string {
  if (SLUG.test(slug) && slug.length <= MAX_SLUG) return slug;
  throw refusedField('slug', message('category.invalid_slug'));
}

async function publishAddonsIn(tx: Transaction, categoryId: number): Promise<void> {
  const rows = await tx.addonCategory.findMany({ where: { categoryId }, select: { addonId: true } });
  const addonIds = rows.map(({ addonId }) => addonId);
  await publishAddons(tx, addonIds);
}
