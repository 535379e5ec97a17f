/* How a text in an address names an object, as a value of the inputs of operations. */
import { MAX_INT4 } from '../infra/int4.ts';
import { isGuid } from '../package/manifest/identity.ts';
import { databaseId, globalId } from './global-id.ts';

export type AddonReference = { databaseId: number } | { slug: string } | { guid: string };
type AccountReference = { databaseId: number } | { username: string };

/** Digits are an id, a text in the format of a guid is a guid, anything else is a slug (contract, Add-on catalogue). */
export function addonReference(text: string): AddonReference {
  if (/^\d+$/.test(text)) return { databaseId: databaseId(text) };
  return isGuid(text) ? { guid: text } : { slug: text };
}

/** Digits are an id, anything else is a username in any case (docs/decisions.md D83). */
export function accountReference(text: string): AccountReference {
  return /^\d+$/.test(text) ? { databaseId: databaseId(text) } : { username: text };
}

/** The global id of an entry of home pages; 0 is that of none. */
export const heroEntryId = (id: number): string => globalId('HeroEntry', id === 0 ? MAX_INT4 : id);

/** The global id of a version; 0 is that of none. */
export const versionId = (id: number): string => globalId('Version', id === 0 ? MAX_INT4 : id);

/** The global id of a rating; 0 is that of none. */
export const ratingId = (id: number): string => globalId('Rating', id === 0 ? MAX_INT4 : id);

/** Digits are an id; anything else names no rating. */
export const ratingReference = (text: string): { id: string } => ({ id: ratingId(databaseId(text)) });

/** The global id of the upload with this identifier. */
export const uploadId = (pk: string): string => globalId('Upload', pk);

type CollectionReference = { id: string } | { uuid: string } | { path: string };

/** Digits are an id, 32 hex digits a UUID, anything else is a path: `<username>/<slug>`, or that of a collection of the operator. */
export function collectionReference(text: string): CollectionReference {
  if (/^\d{1,9}$/.test(text) && databaseId(text) > 0) return { id: globalId('Collection', databaseId(text)) };
  return /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text) ? { uuid: text } : { path: text };
}
