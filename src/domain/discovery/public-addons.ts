import { isPublicAddon } from '../../auth/public-addon.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { type DocumentKey, loadDocuments } from '../addons/load-documents.ts';

/** The columns of a `DocumentKey` for add-ons with alias `a`, and the join that they need. */
export const KEY_COLUMNS = 'a.id, d.row_version AS "rowVersion"';
export const KEY_JOIN = 'LEFT JOIN addon_document d ON d.addon_id = a.id';

/** The documents of the public add-ons among these, in the same order. */
export async function loadPublic(keys: readonly DocumentKey[]): Promise<AddonDocument[]> {
  const documents = await loadDocuments(keys);
  // A document may have been rewritten since its key was read.
  return documents.filter((document) => document !== null).filter((document) => isPublicAddon(document));
}
