/* Validates and stores the slug, tags and categories of a listing. */
import { randomBytes } from 'node:crypto';
import { config } from '../../config.ts';
import { refusedField } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import { LOCK_KEYS } from '../../infra/lock-keys.ts';
import { message } from '../../texts/messages.ts';
import { checkLength } from './check-texts.ts';

const SLUG = /^(?=.*[a-z_-])[a-z0-9_-]+$/i;
const MAX_SLUG_LENGTH = 30;

/** Path segments of the site's own URLs. */
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
 * Accepts letters, digits, `_` and `-`, but not digits alone: paths would read those as an id (contract, Add-on detail).
 * @throws {InvalidInputError} for a slug that is malformed, reserved, denied or longer than 30 characters.
 */
export function checkSlug(slug: string): void {
  checkLength('slug', slug, MAX_SLUG_LENGTH);
  if (!SLUG.test(slug)) {
    throw refusedField('slug', message('listing.invalid_slug'));
  }
  if (!isAllowed(slug)) throw refusedField('slug', message('listing.slug_denied', { slug }));
}

function isAllowed(slug: string): boolean {
  const folded = slug.toLowerCase();
  return !DENIED_SLUGS.has(folded) && !config.DENIED_SLUGS.some((denied) => denied.toLowerCase() === folded);
}

/** @throws {InvalidInputError} if another add-on has the slug. */
export async function requireFreeSlug(tx: Transaction, addonId: number, slug: string): Promise<void> {
  const taken = await tx.addon.count({ where: { slug, id: { not: addonId } } });
  if (taken > 0) throw refusedField('slug', message('listing.slug_taken'));
}

/** Numbers that are tried after the words of a name. */
const NAMESAKES = 20;

/**
 * A free slug of the words of a name, numbered if others have it; a random one for names without Latin letters. It stays free until the
 * transaction ends, except for edits of other listings.
 */
export async function slugOfName(tx: Transaction, name: string): Promise<string> {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH - 3)
    .replace(/^-+|-+$/g, '');
  if (!/[a-z]/.test(words)) return randomSlug();
  const candidates = [words, ...Array.from({ length: NAMESAKES }, (_, index) => `${words}-${index + 2}`)].filter(
    isAllowed,
  );
  let free = await untaken(tx, candidates);
  for (;;) {
    const slug = await claimFirst(tx, free);
    if (slug === null) return randomSlug();
    // Another submission may have ended, and with it its claim, since the slugs were read.
    if ((await untaken(tx, [slug])).length > 0) return slug;
    free = free.slice(free.indexOf(slug) + 1);
  }
}

/** The slugs that no add-on has. */
async function untaken(tx: Transaction, slugs: readonly string[]): Promise<string[]> {
  const taken = await tx.addon.findMany({ where: { slug: { in: [...slugs] } }, select: { slug: true } });
  const others = new Set(taken.map(({ slug }) => slug?.toLowerCase()));
  return slugs.filter((slug) => !others.has(slug));
}

/** Claims the first slug that no other transaction claims, until the end of this one. No submission waits for another one. */
async function claimFirst(tx: Transaction, slugs: readonly string[]): Promise<string | null> {
  const [claimed] = await tx.$queryRaw<{ slug: string }[]>`
    SELECT slug FROM unnest(${slugs}::text[]) AS candidates(slug)
    WHERE pg_try_advisory_xact_lock(${LOCK_KEYS.slugs}::int, hashtext(slug)) LIMIT 1`;
  return claimed?.slug ?? null;
}

/** The slug of an add-on without a name: 20 characters. Starts with a letter, because a slug of digits would be read as an id. */
export const randomSlug = (): string => `a${randomBytes(10).toString('hex').slice(1)}`;

const MAX_TAGS = 20;
const MIN_TAG_LENGTH = 2;
const MAX_TAG_LENGTH = 128;

/** Normalizes a tag: lower case; letters, digits, `-`, `_`, `~` and single spaces. */
function foldTag(tag: string): string {
  return tag
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_~-]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The normalized tags without duplicates and empty ones. */
export const foldTags = (written: readonly string[]): string[] =>
  [...new Set(written.map(foldTag))].filter((tag) => tag !== '');

/**
 * Returns the normalized tags.
 * @throws {InvalidInputError} for more than 20 tags, a denied tag, or a tag with fewer than 2 or more than 128 characters.
 */
export function readTags(written: readonly string[]): string[] {
  const tags = foldTags(written);
  const denied = tags.filter((tag) => config.DENIED_TAGS.some((word) => foldTag(word) === tag));
  if (denied.length > 0) {
    throw refusedField('tags', message('tag.denied', { count: denied.length, tags: denied.join(', ') }));
  }
  if (tags.length > MAX_TAGS) throw refusedField('tags', message('tag.too_many', { count: tags.length - MAX_TAGS }));
  if (tags.some((tag) => [...tag].length > MAX_TAG_LENGTH)) {
    throw refusedField('tags', message('tag.too_long', { count: MAX_TAG_LENGTH }));
  }
  if (tags.some((tag) => [...tag].length < MIN_TAG_LENGTH)) {
    throw refusedField('tags', message('tag.too_short', { count: MIN_TAG_LENGTH }));
  }
  return tags;
}

/** Replaces the tags of an add-on by those that `readTags` returned. */
export async function setTags(tx: Transaction, addonId: number, tags: readonly string[]): Promise<void> {
  await tx.addonTag.deleteMany({ where: { addonId, tag: { notIn: [...tags] } } });
  await tx.addonTag.createMany({ data: tags.map((tag) => ({ addonId, tag })), skipDuplicates: true });
}

/** Per application. */
const MAX_CATEGORIES = 2;
const MISCELLANEOUS = 'other';

/** The refusal of a listing that lacks what listed versions need. */
export const REQUIRED_WHEN_LISTED = message('listing.required_when_listed');

interface CategorizedAddon {
  id: number;
  type: string;
  /** Listed add-ons need at least one category. */
  isListed: boolean;
  /** Whether the viewer may change the categories of applications in which the add-on is featured. */
  mayChangeFeatured: boolean;
}

/** A category by database id, or by application and slug in any case. */
export type CategoryChoice = number | { app: string; slug: string };

/** Choices without duplicates. An unstorable slug is one that no category has. */
function readChoices(choices: readonly CategoryChoice[]) {
  const ids = choices.filter((choice) => typeof choice === 'number');
  const named = choices.filter((choice) => typeof choice !== 'number');
  const keys = new Set(named.map(({ app, slug }) => `${app} ${slug.replaceAll('\0', '?').toLowerCase()}`));
  return { ids: [...new Set(ids)], keys: [...keys] };
}

/** Locks the categories of a change. Must run before the add-on is locked; see `lockLicense`. */
export async function lockCategories(tx: Transaction, choices: readonly CategoryChoice[] = []): Promise<void> {
  if (choices.length === 0) return;
  const { ids, keys } = readChoices(choices);
  await tx.$queryRaw`
    SELECT FROM category WHERE id = ANY(${ids}) OR app || ' ' || lower(slug) = ANY(${keys}) ORDER BY id FOR KEY SHARE`;
}

/**
 * Replaces the categories of an add-on.
 * @throws {InvalidInputError} for a category that does not exist or is of another type; for over 2 per application; for the
 * miscellaneous one with another; for none on a listed add-on; for changes in an application that features the add-on.
 */
export async function setCategories(
  tx: Transaction,
  { id: addonId, type, isListed, mayChangeFeatured }: CategorizedAddon,
  choices: readonly CategoryChoice[],
): Promise<void> {
  const { ids, keys } = readChoices(choices);
  // The lock prevents a concurrent deletion of these categories.
  const found = await tx.$queryRaw<{ id: number; app: string; slug: string }[]>`
    SELECT id, app, slug FROM category
    WHERE type = ${type} AND (id = ANY(${ids}) OR app || ' ' || lower(slug) = ANY(${keys})) ORDER BY id FOR KEY SHARE`;
  const wanted = found.map(({ id }) => id);
  if (wanted.length !== ids.length + keys.length) {
    throw refusedField('categories', message('category.not_of_type'));
  }
  if (isListed && wanted.length === 0) throw refusedField('categories', REQUIRED_WHEN_LISTED);
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
  if (slugs.length > MAX_CATEGORIES) {
    throw refusedField('categories', message('category.too_many', { count: MAX_CATEGORIES }));
  }
  if (slugs.length > 1 && slugs.includes(MISCELLANEOUS)) {
    throw refusedField('categories', message('category.miscellaneous'));
  }
}

/** Editors feature an add-on for its categories, so these must not change while it is featured. */
async function keepFeatured(tx: Transaction, addonId: number, wanted: readonly number[]): Promise<void> {
  const changed = await tx.$queryRaw<unknown[]>`
    SELECT FROM category c JOIN featured_entry e ON e.addon_id = ${addonId} AND e.app = c.app
    LEFT JOIN addon_category ac ON ac.addon_id = ${addonId} AND ac.category_id = c.id
    WHERE (ac.category_id IS NOT NULL) <> (c.id = ANY(${wanted})) LIMIT 1`;
  if (changed.length > 0) {
    throw refusedField('categories', message('category.addon_featured'));
  }
}
