/* Add-ons by what staff type or copy from a page: a number, a unique name or a displayed name. Deleted ones are found by what their rows keep. */
import { databaseId } from '../../graphql/global-id.ts';
import { db, Prisma } from '../../infra/db.ts';

/** Add-ons that one text names at most. */
export const MAX_NAMED_ADDONS = 5;

export interface NamedAddon {
  id: number;
  guid: string;
}

// Those that most viewers see are first.
const addonsWhere = (condition: Prisma.Sql) => db.$queryRaw<NamedAddon[]>`
  SELECT id, guid::text FROM addon WHERE ${condition}
  ORDER BY deleted_at IS NOT NULL, status <> 'public', id LIMIT ${MAX_NAMED_ADDONS}`;

/** Add-ons with a number or a unique name, which have indexes. */
export const addonsByKey = (name: string): Promise<NamedAddon[]> =>
  addonsWhere(
    Prisma.sql`(id = ${databaseId(name)}::int OR slug = ${name}::text::citext OR guid = ${name}::text::citext)`,
  );

/** Those with a displayed name, which others may have, too. Reads the names of all add-ons: half a second for 100,000. */
export const addonsByName = (name: string): Promise<NamedAddon[]> =>
  addonsWhere(
    Prisma.sql`EXISTS (SELECT FROM jsonb_each_text(addon.name) AS named WHERE lower(named.value) = lower(${name}))`,
  );
