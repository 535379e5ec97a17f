import { NotFoundError } from '../../errors.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';

/**
 * The id of the add-on that an operator names by id, slug or guid, in any case, whoever may see it.
 * @throws {NotFoundError} for an unknown or deleted one.
 */
export async function addonIdOf(name: string): Promise<number> {
  const where = /^\d+$/.test(name) ? { id: databaseId(name) } : { OR: [{ guid: name }, { slug: name }] };
  const found = name.includes('\0') ? null : await db.addon.findFirst({ where: { ...where, deletedAt: null } });
  if (found === null) throw new NotFoundError(`There is no add-on ${JSON.stringify(name)}.`);
  return found.id;
}
