import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { NotFoundError } from '../../errors.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db, pool, prepared } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { type DocumentKey, KEY_COLUMNS, KEY_JOIN } from '../addons/load-documents.ts';

/** Public add-ons among these guids, each once, in their order, without some types. */
export const findPublicByGuids = prepared<DocumentKey>(
  pool,
  'public-addons-by-guid',
  `SELECT ${KEY_COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY w(guid, position)
    JOIN addon a ON a.guid = w.guid::citext ${KEY_JOIN}
    WHERE ${IS_PUBLIC_ADDON} AND NOT a.type = ANY($2) GROUP BY a.id, d.row_version ORDER BY min(w.position)`,
);

/**
 * Finds an add-on by id, slug or guid in any case, without access checks, and returns its id.
 * @throws {NotFoundError} for an unknown or deleted add-on.
 */
export async function addonIdOf(name: string): Promise<number> {
  const where = /^\d+$/.test(name) ? { id: databaseId(name) } : { OR: [{ guid: name }, { slug: name }] };
  const found = name.includes('\0') ? null : await db.addon.findFirst({ where: { ...where, deletedAt: null } });
  if (found === null) throw new NotFoundError(message('addon.unknown', { name: printable(name) }));
  return found.id;
}
