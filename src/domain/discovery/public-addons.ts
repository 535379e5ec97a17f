import { isPublicAddon } from '../../auth/public-addon.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { type DocumentKey, loadDocuments } from '../addons/load-documents.ts';

/** What a statement of this folder selects of add-ons `a` to show them, and where it finds it. */
export const KEY_COLUMNS = 'a.id, d.row_version AS "rowVersion"';
export const KEY_JOIN = 'LEFT JOIN addon_document d ON d.addon_id = a.id';

/** The documents of those of these add-ons that anybody may see, in the same order. */
export async function loadPublic(keys: readonly DocumentKey[]): Promise<AddonDocument[]> {
  const documents = await loadDocuments(keys);
  // A document may have been rewritten since its key was read.
  return documents.filter((document) => document !== null).filter((document) => isPublicAddon(document));
}
