import { NotFoundError } from '../../errors.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';

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
