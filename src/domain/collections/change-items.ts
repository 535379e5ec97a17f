import { OPERATOR_ID } from '../../auth/credential-account.ts';
import { isPublicAddon } from '../../auth/public-addon.ts';
import { NotFoundError } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import type { AddonRef } from '../addons/addon-ref.ts';
import { findServedAddon } from '../addons/find-addon.ts';
import { storedTexts, type TranslationChange } from '../addons/localized-text.ts';
import { FieldErrors, type InputFaults } from '../listing/field-errors.ts';
import { checkedTexts, recordChange } from './change-collections.ts';
import { itemIn } from './collection.ts';
import { type CollectionRef, type CollectionRow, findOwnCollection, lockCollection } from './find-collection.ts';

const MAX_ITEMS = 2000;
const MAX_NOTES = 280;

/** Texts about an add-on of a collection. */
interface ItemValues {
  /** Null removes them in all languages. */
  notes?: readonly TranslationChange[] | null | undefined;
  faults?: InputFaults | undefined;
}

/** A changed item, by its collection and add-on. */
export interface ChangedItem {
  collectionId: number;
  addonId: number;
}

/** The public add-on; null for an unknown one. */
async function publicAddon(context: Context, by: AddonRef): Promise<{ id: number; guid: string } | null> {
  const rights = await findServedAddon(context, by).catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
  if (rights === null || rights.deletedAt !== null || !isPublicAddon(rights)) return null;
  return db.addon.findUnique({ where: { id: rights.id }, select: { id: true, guid: true } });
}

/** Writes that a collection was changed, and for the operator its guids, which follow the items. */
async function touch(tx: Transaction, { id }: CollectionRow): Promise<void> {
  await tx.$executeRaw`
    UPDATE collection SET modified = now(), guids = CASE WHEN account_id = ${OPERATOR_ID} THEN (
      SELECT coalesce(array_agg(guid::text ORDER BY position), '{}') FROM collection_item WHERE collection_id = ${id}
    ) ELSE guids END WHERE id = ${id}`;
}

/**
 * Adds an add-on to a collection.
 * @throws as `findOwnCollection` does, {InvalidInputError} on `addon` for an unknown one, one that is there, and in a full collection, on
 * `notes` for a long text.
 */
export async function addItem(
  context: Context,
  by: CollectionRef,
  addon: AddonRef | null,
  values: ItemValues,
): Promise<ChangedItem> {
  const collection = await findOwnCollection(context, by);
  const errors = new FieldErrors();
  errors.addAll(values.faults ?? {});
  if (addon === null && !errors.has('addon')) errors.add('addon', message('field.required'));
  const found = addon === null ? null : await publicAddon(context, addon);
  if (found === null && !errors.has('addon')) errors.add('addon', message('collection.unknown_addon'));
  const notes = await checkedTexts(errors, 'notes', {}, values.notes, MAX_NOTES);
  errors.throwIfAny();
  const { id: addonId, guid } = found ?? { id: 0, guid: '' };
  await db.$transaction(async (tx) => {
    await lockCollection(tx, collection.id);
    const [count] = await tx.$queryRaw<{ items: number; last: number; isThere: boolean }[]>`
      SELECT count(*)::int AS items, coalesce(max(position), 0)::int AS last, coalesce(bool_or(guid = ${guid}::citext), false) AS "isThere"
      FROM collection_item WHERE collection_id = ${collection.id}`;
    const { items = 0, last = 0, isThere = false } = count ?? {};
    if (isThere) errors.add('addon', message('collection.addon_there'));
    else if (items >= MAX_ITEMS) errors.add('addon', message('collection.full', { count: MAX_ITEMS }));
    errors.throwIfAny();
    await tx.collectionItem.create({
      data: { collectionId: collection.id, guid, position: last + 1, notes: notes ?? {} },
      select: { guid: true },
    });
    await touch(tx, collection);
    await recordChange(tx, context, collection, { change: 'addon-added', guid });
  });
  return { collectionId: collection.id, addonId };
}

/** The item of an own collection. @throws as `findOwnCollection` does, {NotFoundError} for an add-on that is not there. */
async function ownItem(context: Context, by: CollectionRef, addon: AddonRef) {
  const collection = await findOwnCollection(context, by);
  const item = await itemIn(context, collection, addon);
  if (item === null) throw new NotFoundError();
  return { collection, guid: item.guid, changed: { collectionId: collection.id, addonId: item.addon.id } };
}

/** Changes the notes of a collection on an add-on. @throws as `ownItem` does, {InvalidInputError} on `notes`. */
export async function updateItem(
  context: Context,
  by: CollectionRef,
  addon: AddonRef,
  values: ItemValues,
): Promise<ChangedItem> {
  const { collection, guid, changed } = await ownItem(context, by, addon);
  await db.$transaction(async (tx) => {
    await lockCollection(tx, collection.id);
    const where = { collectionId_guid: { collectionId: collection.id, guid } };
    const present = await tx.collectionItem.findUnique({ where, select: { notes: true } });
    if (present === null) throw new NotFoundError();
    const errors = new FieldErrors();
    errors.addAll(values.faults ?? {});
    const notes = await checkedTexts(errors, 'notes', storedTexts(present.notes), values.notes, MAX_NOTES);
    errors.throwIfAny();
    if (values.notes === undefined) return;
    await tx.collectionItem.update({ where, data: { notes: notes ?? {} }, select: { guid: true } });
    await touch(tx, collection);
    await recordChange(tx, context, collection, { change: 'notes-changed', guid });
  });
  return changed;
}

/** Takes an add-on out of a collection. @throws as `ownItem` does. */
export async function removeItem(context: Context, by: CollectionRef, addon: AddonRef): Promise<ChangedItem> {
  const { collection, guid, changed } = await ownItem(context, by, addon);
  await db.$transaction(async (tx) => {
    await lockCollection(tx, collection.id);
    await tx.collectionItem.deleteMany({ where: { collectionId: collection.id, guid } });
    await touch(tx, collection);
    await recordChange(tx, context, collection, { change: 'addon-removed', guid });
  });
  return changed;
}
