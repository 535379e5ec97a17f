import type { Context } from '../../graphql/context.ts';
import { isFound } from '../../graphql/per-request.ts';
import type { AddonDocument } from './addon-document.ts';
import { addonRights, requireVisible } from './find-addon.ts';
import { loadDocuments } from './load-documents.ts';

/**
 * The add-ons with these ids in the same order, with an error for each one that the viewer may not see. One statement reads
 * permissions and row versions, a second one the documents that are not cached.
 */
export async function loadVisibleAddons(ids: readonly number[], context: Context): Promise<(AddonDocument | Error)[]> {
  const rights = await addonRights(context).loadMany([...ids]);
  const checked = rights.map((addon) => {
    if (addon instanceof Error) return addon;
    try {
      requireVisible(context.viewer, addon);
      return addon;
    } catch (error) {
      return error as Error;
    }
  });
  const visible = checked.filter((addon) => isFound(addon));
  const documents = await loadDocuments(visible);
  const byId = new Map(visible.map(({ id }, index) => [id, documents[index]]));
  return checked.map((addon) => {
    if (addon instanceof Error) return addon;
    return byId.get(addon.id) ?? new Error(`add-on ${addon.id} has no document`);
  });
}
