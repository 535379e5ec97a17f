import { db } from '../infra/db.ts';
import { openWith, sealWith } from './secret-box.ts';

const BATCH = 500;

/** What a run found: rows that it sealed again, rows that the secret key had sealed already, and rows that no key opens. */
interface Resealed {
  resealed: number;
  current: number;
  unopenable: number;
}

/** Columns with sealed secrets; each table has a key `id`. */
export const SEALED_COLUMNS = [
  { table: 'api_key', column: 'sealed_secret' },
  { table: 'webhook', column: 'sealed_secret' },
  { table: 'webhook', column: 'sealed_previous' },
] as const;

/**
 * Seals every stored secret that `previous` sealed with `secret`. New ones must be sealed with `secret` already. Can be interrupted
 * and repeated; a row that changes at the same time keeps its new value.
 */
export async function resealAll(secret: string, previous: string): Promise<Resealed> {
  const found = { resealed: 0, current: 0, unopenable: 0 };
  for (const { table, column } of SEALED_COLUMNS) {
    for (let after = 0; ; ) {
      const rows = await db.$queryRawUnsafe<{ id: number; sealed: Uint8Array }[]>(
        `SELECT id, ${column} AS sealed FROM ${table} WHERE id > $1 AND ${column} IS NOT NULL ORDER BY id LIMIT ${BATCH}`,
        after,
      );
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
      const changes = rows.flatMap(({ id, sealed }) => {
        if (openWith(secret, sealed) !== null) found.current++;
        else {
          const text = openWith(previous, sealed);
          if (text !== null) return [{ id, sealed, changed: sealWith(secret, text) }];
          found.unopenable++;
        }
        return [];
      });
      found.resealed += changes.length;
      if (changes.length === 0) continue;
      await db.$executeRawUnsafe(
        `UPDATE ${table} t SET ${column} = c.changed
         FROM unnest($1::int[], $2::bytea[], $3::bytea[]) AS c(id, sealed, changed)
         WHERE t.id = c.id AND t.${column} = c.sealed`,
        changes.map(({ id }) => id),
        changes.map(({ sealed }) => sealed),
        changes.map(({ changed }) => changed),
      );
    }
  }
  return found;
}
