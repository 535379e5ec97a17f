import { OPERATOR_ID } from '../../auth/credential-account.ts';
import { requireSignedIn } from '../../auth/permissions.ts';
import type { Context } from '../../graphql/context.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import type { AccountRef } from '../accounts/account-ref.ts';
import { recordAudit } from '../activity/record-audit.ts';
import {
  mergeTranslations,
  requireLocale,
  storedTexts,
  type TextsByLocale,
  type TranslationChange,
} from '../addons/localized-text.ts';
import { FieldErrors, type InputFaults } from '../listing/field-errors.ts';
import { accountIdOf, admitChange, type CollectionRef, findOwnCollection, lockCollection } from './find-collection.ts';

/** Values of a collection. Absent ones stay as they are. */
export interface CollectionValues {
  slug?: string | undefined;
  name?: readonly TranslationChange[] | undefined;
  /** Null removes it in all languages. */
  description?: readonly TranslationChange[] | null | undefined;
  defaultLocale?: string | undefined;
  isPublic?: boolean | undefined;
  /** Found by the reader of a request. */
  faults?: InputFaults | undefined;
}

const MAX_SLUG = 255;
const MAX_NAME = 255;
const MAX_DESCRIPTION = 10_000;
const SLUG = /^[A-Za-z0-9_-]+$/;

/** The texts after a change, each of at most `max` characters. Null changes remove all. */
export function checkedTexts(
  errors: FieldErrors,
  field: string,
  present: TextsByLocale,
  changes: readonly TranslationChange[] | null | undefined,
  max: number,
): Promise<TextsByLocale | undefined> {
  return errors.collect(() => {
    if (changes === null) return {};
    const merged = mergeTranslations(present, changes ?? [], field);
    const isLong = changes !== undefined && Object.values(merged).some((text) => [...text].length > max);
    if (isLong) errors.add(field, message('field.too_long', { count: max }));
    return merged;
  });
}

function checkSlug(errors: FieldErrors, slug: string): void {
  if (slug === '') errors.add('slug', message('field.blank'));
  else if (slug.length > MAX_SLUG) errors.add('slug', message('field.too_long', { count: MAX_SLUG }));
  else if (!SLUG.test(slug)) errors.add('slug', message('collection.invalid_slug'));
}

/** What is stored of the values. Gathers the fields at fault. */
async function checked(
  errors: FieldErrors,
  present: { name: unknown; description: unknown },
  values: CollectionValues,
) {
  const { slug, defaultLocale, isPublic } = values;
  errors.addAll(values.faults ?? {});
  if (slug !== undefined && !errors.has('slug')) checkSlug(errors, slug.trim());
  const locale =
    defaultLocale === undefined ? undefined : await errors.collect(() => requireLocale('defaultLocale', defaultLocale));
  const name = await checkedTexts(errors, 'name', storedTexts(present.name), values.name, MAX_NAME);
  if (values.name !== undefined && name !== undefined && Object.keys(name).length === 0)
    errors.add('name', message('field.blank'));
  const description = await checkedTexts(
    errors,
    'description',
    storedTexts(present.description),
    values.description,
    MAX_DESCRIPTION,
  );
  return {
    ...(slug === undefined ? {} : { slug: slug.trim() }),
    ...(locale === undefined ? {} : { defaultLocale: locale }),
    ...(isPublic === undefined ? {} : { isPublic }),
    ...(values.name === undefined ? {} : { name: name ?? {} }),
    ...(values.description === undefined ? {} : { description: description ?? {} }),
  };
}

/** Whether the account has another collection with this slug. */
async function isTaken(tx: Transaction, accountId: number, slug: string, but: number): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    SELECT FROM collection WHERE account_id = ${accountId} AND slug = ${slug}::citext AND id <> ${but}`;
  return found.length > 0;
}

const TAKEN = message('collection.slug_taken');

/** Records a change of a collection of the operator, which curators make together. */
export async function recordChange(
  tx: Transaction,
  { viewer }: Context,
  { accountId, slug }: { accountId: number; slug: string },
  details: Record<string, unknown>,
): Promise<void> {
  if (accountId === OPERATOR_ID)
    await recordAudit(tx, requireSignedIn(viewer), 'collection-changed', { slug, ...details });
}

/**
 * Makes a collection of an account, by default that of the viewer. Returns its id.
 * @throws as `admitChange` does, {InvalidInputError} with all fields at fault.
 */
export async function createCollection(
  context: Context,
  by: AccountRef | null,
  values: CollectionValues,
): Promise<number> {
  const own = requireSignedIn(context.viewer).accountId;
  const accountId = by === null ? own : await accountIdOf(by);
  await admitChange(context, accountId);
  const errors = new FieldErrors();
  const required = ['name', 'slug'] as const;
  const stored = await checked(errors, { name: {}, description: {} }, values);
  for (const field of required) {
    if (values[field] === undefined && !errors.has(field)) errors.add(field, message('field.required'));
  }
  return db.$transaction(async (tx) => {
    // Changes of an account wait for each other, so that a slug stays unique.
    await tx.$queryRaw`SELECT FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`;
    const { slug = '' } = stored;
    if (!errors.has('slug') && (await isTaken(tx, accountId, slug, 0))) errors.add('slug', TAKEN);
    errors.throwIfAny();
    const uuid = crypto.randomUUID();
    const { id } = await tx.collection.create({
      data: { ...stored, accountId, uuid, path: uuid },
      select: { id: true },
    });
    await recordChange(tx, context, { accountId, slug }, { change: 'created' });
    return id;
  });
}

/**
 * Changes a collection. Returns its id.
 * @throws as `findOwnCollection` does, {InvalidInputError} with all fields at fault.
 */
export async function updateCollection(context: Context, by: CollectionRef, values: CollectionValues): Promise<number> {
  const { id, accountId, slug } = await findOwnCollection(context, by);
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`;
    const errors = new FieldErrors();
    const stored = await checked(errors, await lockCollection(tx, id), values);
    if (stored.slug !== undefined && !errors.has('slug') && (await isTaken(tx, accountId, stored.slug, id)))
      errors.add('slug', TAKEN);
    errors.throwIfAny();
    if (Object.keys(stored).length === 0) return;
    await tx.collection.update({ where: { id }, data: stored, select: { id: true } });
    await recordChange(tx, context, { accountId, slug }, { change: 'changed', fields: Object.keys(stored) });
  });
  return id;
}

/** Deletes a collection. Returns its id. @throws as `findOwnCollection` does. */
export async function removeCollection(context: Context, by: CollectionRef): Promise<number> {
  const { id, accountId, slug } = await findOwnCollection(context, by);
  await db.$transaction(async (tx) => {
    await lockCollection(tx, id);
    await tx.collection.delete({ where: { id }, select: { id: true } });
    await recordChange(tx, context, { accountId, slug }, { change: 'deleted' });
  });
  return id;
}
