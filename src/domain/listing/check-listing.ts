/*
 * Slug, tags and categories of a listing: what they may be, and how they are written down.
 */
import { config } from '../../config.ts';
import { refusedField } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import { checkLength } from './check-texts.ts';

const SLUG = /^(?=.*[a-z_-])[a-z0-9_-]+$/i;
const LONGEST_SLUG = 30;

/** Words of the site's own addresses, which nobody should take for an add-on. */
const DENIED_SLUGS: ReadonlySet<string> = new Set(
  (
    'about account accounts add addon addons admin api app apps browse category categories collection collections contact ' +
    'create dashboard delete developers docs download downloads edit extension extensions faq featured graphql healthz help ' +
    'home index language-tools legal login logout me media metrics new news null outgoing popular privacy queue readyz ' +
    'recommended register reviewers reviews root search settings signing site stats static status submit tag tags terms ' +
    'theme themes top-rated undefined update upload uploads user users validation version versions'
  ).split(' '),
);

/**
 * Holds a slug against the rules; letters, numbers, `_` and `-`, as one of numbers alone would be an id (contract, Add-on
 * detail).
 * @throws {InvalidInputError} for one that is malformed, longer than 30 characters, a word of the site or denied.
 */
export function checkSlug(slug: string): void {
  checkLength('slug', slug, LONGEST_SLUG);
  if (!SLUG.test(slug)) {
    throw refusedField('slug', "Enter a valid 'slug' consisting of letters, numbers, underscores or hyphens.");
  }
  const folded = slug.toLowerCase();
  if (DENIED_SLUGS.has(folded) || config.DENIED_SLUGS.some((denied) => denied.toLowerCase() === folded)) {
    throw refusedField('slug', `The slug cannot be "${slug}". Please choose another.`);
  }
}

/** @throws {InvalidInputError} for a slug that another add-on has. */
export async function requireFreeSlug(tx: Transaction, addonId: number, slug: string): Promise<void> {
  const taken = await tx.addon.count({ where: { slug, id: { not: addonId } } });
  if (taken > 0) throw refusedField('slug', 'This slug is already in use. Please choose another.');
}

const MOST_TAGS = 20;
const SHORTEST_TAG = 2;
const LONGEST_TAG = 128;

/** A tag as it is kept and compared: lower case, letters, numbers, `-`, `_`, `~` and single blanks. */
function foldTag(tag: string): string {
  return tag
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_~-]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * The tags of an add-on as they are kept: each once, without those of which nothing is left.
 * @throws {InvalidInputError} for more than 20, for one that is denied, and for fewer than 2 or more than 128 characters.
 */
export function readTags(written: readonly string[]): string[] {
  const tags = [...new Set(written.map(foldTag))].filter((tag) => tag !== '');
  const denied = tags.filter((tag) => config.DENIED_TAGS.some((word) => foldTag(word) === tag));
  if (denied.length > 0) {
    throw refusedField('tags', `Invalid tag${denied.length === 1 ? '' : 's'}: ${denied.join(', ')}`);
  }
  if (tags.length > MOST_TAGS) throw refusedField('tags', `You have ${tags.length - MOST_TAGS} too many tags.`);
  if (tags.some((tag) => [...tag].length > LONGEST_TAG)) {
    const message = `All tags must be ${LONGEST_TAG} characters or less after invalid characters are removed.`;
    throw refusedField('tags', message);
  }
  if (tags.some((tag) => [...tag].length < SHORTEST_TAG)) {
    throw refusedField('tags', `All tags must be at least ${SHORTEST_TAG} characters.`);
  }
  return tags;
}

/** Replaces the tags of an add-on. */
export async function setTags(tx: Transaction, addonId: number, tags: readonly string[]): Promise<void> {
  await tx.addonTag.deleteMany({ where: { addonId, tag: { notIn: [...tags] } } });
  await tx.addonTag.createMany({ data: tags.map((tag) => ({ addonId, tag })), skipDuplicates: true });
}

/** Of one application. */
const MOST_CATEGORIES = 2;
const MISCELLANEOUS = 'other';

/** What the rules about categories need to know. */
export interface CategorizedAddon {
  id: number;
  type: string;
  /** Whether it may be without a category and whether changes must leave those alone that it is featured in. */
  isListed: boolean;
  mayChangeFeatured: boolean;
}

/** Keeps the categories that a change names for this transaction: before the add-on is locked, as `keepLicense` explains. */
export async function keepCategories(tx: Transaction, ids: readonly number[] = []): Promise<void> {
  if (ids.length > 0) await tx.$queryRaw`SELECT FROM category WHERE id = ANY(${[...ids]}) ORDER BY id FOR KEY SHARE`;
}

/**
 * Replaces the categories of an add-on.
 * @throws {InvalidInputError} for one that does not exist or is of another type, for more than 2 of an application, for the
 * miscellaneous one beside another, for none at all of a listed add-on, and for a change where the add-on is featured.
 */
export async function setCategories(
  tx: Transaction,
  { id: addonId, type, isListed, mayChangeFeatured }: CategorizedAddon,
  ids: readonly number[],
): Promise<void> {
  const wanted = [...new Set(ids)];
  // Locked, so that no operator removes one before this add-on is in it.
  const found = await tx.$queryRaw<{ app: string; slug: string }[]>`
    SELECT app, slug FROM category WHERE id = ANY(${wanted}) AND type = ${type} ORDER BY id FOR KEY SHARE`;
  if (found.length !== wanted.length) {
    throw refusedField('categories', 'A category does not exist, or is of another add-on type.');
  }
  if (isListed && wanted.length === 0) throw refusedField('categories', 'This field is required.');
  for (const app of new Set(found.map((category) => category.app))) {
    checkCategoriesOf(found.filter((category) => category.app === app).map(({ slug }) => slug));
  }
  if (!mayChangeFeatured) await keepFeatured(tx, addonId, wanted);
  await tx.addonCategory.deleteMany({ where: { addonId, categoryId: { notIn: wanted } } });
  await tx.addonCategory.createMany({
    data: wanted.map((categoryId) => ({ addonId, categoryId })),
    skipDuplicates: true,
  });
}

function checkCategoriesOf(slugs: readonly string[]): void {
  if (slugs.length > MOST_CATEGORIES) {
    throw refusedField('categories', `You can have only ${MOST_CATEGORIES} categories.`);
  }
  if (slugs.length > 1 && slugs.includes(MISCELLANEOUS)) {
    const message = 'The miscellaneous category cannot be combined with additional categories.';
    throw refusedField('categories', message);
  }
}

/** Whoever featured the add-on in an application did so where it stood. */
async function keepFeatured(tx: Transaction, addonId: number, wanted: readonly number[]): Promise<void> {
  const changed = await tx.$queryRaw<unknown[]>`
    SELECT FROM category c JOIN featured_entry e ON e.addon_id = ${addonId} AND e.app = c.app
    LEFT JOIN addon_category ac ON ac.addon_id = ${addonId} AND ac.category_id = c.id
    WHERE (ac.category_id IS NOT NULL) <> (c.id = ANY(${wanted})) LIMIT 1`;
  if (changed.length > 0) {
    const message = 'Categories cannot be changed while your add-on is featured for this application.';
    throw refusedField('categories', message);
  }
}
