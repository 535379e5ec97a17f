/* What curators and administrators of the catalogue read: entries as they were written. Callers check the permission. */
import { OPERATOR_ID } from '../../auth/credential-account.ts';
import type { FeaturedEntry } from '../../generated/prisma/client.ts';
import { type KeysetPage, keysetClause } from '../../graphql/connections.ts';
import { idOf } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import type { Application } from '../../package/enums.ts';
import type { AddonRef } from '../addons/addon-ref.ts';
import { addonOfName } from '../search/similar-addons.ts';

/** The id of an add-on that is not deleted, without a check whether the viewer may see it; null for an unknown one. */
export async function findReferencedAddon({ id, databaseId, slug, guid }: AddonRef): Promise<number | null> {
  const number = id == null ? (databaseId ?? null) : idOf('Addon', id, 'addon');
  if (`${slug ?? ''}${guid ?? ''}`.includes('\0')) return null;
  const [row] = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM addon WHERE deleted_at IS NULL AND (id = ${number}::int
      OR slug = ${slug ?? null}::text::citext OR guid = ${guid ?? null}::text::citext)`;
  return row?.id ?? null;
}

/**
 * As `findReferencedAddon`, for an add-on that must exist. Staff often type the name that they see: a slug that no add-on has is read
 * as the name of an add-on, if exactly one public add-on has it.
 * @throws {InvalidInputError} on `addon` for an unknown one, with add-ons of a similar name.
 */
export async function findExistingAddon(ref: AddonRef): Promise<number> {
  const found = await findReferencedAddon(ref);
  if (found !== null) return found;
  const { id, databaseId, slug, guid } = ref;
  return addonOfName('addon', String(slug ?? guid ?? databaseId ?? id ?? ''));
}

/** A place where an add-on is featured. */
export interface FeaturedRow extends Pick<FeaturedEntry, 'id' | 'addonId' | 'locale' | 'category'> {
  app: Application;
  guid: string;
}

/** One page of the featured entries, in the order of their entry. */
export const listFeaturedEntries = (page: KeysetPage): Promise<FeaturedRow[]> => db.$queryRaw<FeaturedRow[]>`
  SELECT entry.id, addon_id AS "addonId", app, locale, category, addon.guid::text AS guid
  FROM featured_entry AS entry JOIN addon ON addon.id = addon_id WHERE true ${keysetClause('entry.id', 'ASC', page)}`;

/** One page of the collections of the operator, in the order of their entry. */
export const listCollections = (page: KeysetPage): Promise<{ id: number }[]> => db.$queryRaw<{ id: number }[]>`
  SELECT id FROM collection WHERE account_id = ${OPERATOR_ID} ${keysetClause('id', 'ASC', page)}`;

/** Guids of the curated recommendations, best first. */
export async function readRecommendationFallback(): Promise<string[]> {
  const rows = await db.recommendationFallback.findMany({ orderBy: { position: 'asc' }, select: { guid: true } });
  return rows.map(({ guid }) => guid);
}
