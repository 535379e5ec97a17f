import { canEditAddon, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { cleanHtmlTexts, HTML_FIELDS } from './clean-html.ts';
import { mergeTranslations, type TranslationChange, texts } from './localized-text.ts';
import { publishAddons } from './publish-addons.ts';

export type TranslatedField =
  | 'name'
  | 'summary'
  | 'description'
  | 'developerComments'
  | 'homepage'
  | 'supportEmail'
  | 'supportUrl';

/** What `updateAddon` may change; an absent key leaves the field as it is. Ids are database ids. */
export interface AddonChanges {
  translations: Partial<Record<TranslatedField, TranslationChange[]>>;
  slug?: string;
  categories?: number[];
  license?: number;
  isExperimental?: boolean;
  requiresPayment?: boolean;
}

const SLUG = /^(?=.*[a-z_-])[a-z0-9_-]{1,80}$/i;

async function editableAddon(viewer: Viewer, id: number) {
  requireSignedIn(viewer);
  const addon = await db.addon.findUnique({
    where: { id },
    include: { authors: { select: { accountId: true, role: true } } },
  });
  if (addon === null || addon.deletedAt !== null) throw new NotFoundError();
  if (!canEditAddon(viewer, addon.authors)) throw refuse(viewer);
  return addon;
}

/**
 * Changes the listing of an add-on. Translations are merged: languages that are not named stay, null deletes one.
 * @throws {NotFoundError}, {NotPermittedError} for others than its developers, {InvalidInputError} naming the field.
 */
export async function updateAddon(viewer: Viewer, id: number, changes: AddonChanges): Promise<void> {
  const { accountId } = requireSignedIn(viewer);
  const addon = await editableAddon(viewer, id);
  const update: Prisma.AddonUncheckedUpdateInput = {};
  for (const [field, translations] of Object.entries(changes.translations)) {
    const merged = mergeTranslations(texts(addon[field as TranslatedField]), translations, field);
    const hasHtml = (HTML_FIELDS.addon as readonly string[]).includes(field);
    update[field as TranslatedField] = hasHtml ? cleanHtmlTexts(merged) : merged;
  }
  if (changes.slug !== undefined) update.slug = await freeSlug(id, changes.slug);
  if (changes.isExperimental !== undefined) update.isExperimental = changes.isExperimental;
  if (changes.requiresPayment !== undefined) update.requiresPayment = changes.requiresPayment;
  await db.$transaction(async (tx) => {
    if (changes.license !== undefined) update.licenseId = await setLicense(tx, id, changes.license);
    if (changes.categories !== undefined) await setCategories(tx, id, addon.type, changes.categories);
    await tx.addon.update({ where: { id }, data: update });
    await recordActivity(tx, { action: 'addon-edited', accountId, addonId: id, details: { fields: namesOf(changes) } });
    await publishAddons(tx, [id]);
  });
}

function namesOf({ translations, ...others }: AddonChanges): string[] {
  return [...Object.keys(translations), ...Object.keys(others)];
}

async function freeSlug(id: number, slug: string): Promise<string> {
  if (!SLUG.test(slug)) {
    const rule = 'Enter a valid slug of letters, numbers, underscores or hyphens; numbers alone are an id.';
    throw new InvalidInputError(rule, { slug: [rule] });
  }
  const taken = await db.addon.count({ where: { slug, id: { not: id } } });
  if (taken > 0)
    throw new InvalidInputError('This slug is already in use.', { slug: ['This slug is already in use.'] });
  return slug;
}

/** The licence of the next listed version, and of the newest listed one, which carries what the developer last said. */
async function setLicense(tx: Transaction, addonId: number, licenseId: number): Promise<number> {
  if ((await tx.license.count({ where: { id: licenseId } })) === 0) {
    throw new InvalidInputError('There is no such licence.', { license: ['There is no such licence.'] });
  }
  const newest = await tx.version.findFirst({
    where: { addonId, channel: 'listed', deletedAt: null },
    orderBy: { id: 'desc' },
    select: { id: true },
  });
  if (newest) await tx.version.update({ where: { id: newest.id }, data: { licenseId } });
  return licenseId;
}

async function setCategories(tx: Transaction, addonId: number, type: string, ids: number[]): Promise<void> {
  const wanted = [...new Set(ids)];
  const found = await tx.category.count({ where: { id: { in: wanted }, type } });
  if (found !== wanted.length) {
    const problem = 'A category does not exist, or is of another add-on type.';
    throw new InvalidInputError(problem, { categories: [problem] });
  }
  await tx.addonCategory.deleteMany({ where: { addonId } });
  await tx.addonCategory.createMany({ data: wanted.map((categoryId) => ({ addonId, categoryId })) });
}
