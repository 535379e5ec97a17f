import { db } from '../../infra/db.ts';

/** Age below which no file is garbage. Longer than a backup, which reads the database first and the files later. */
export const GRACE_MS = 24 * 3_600_000;

/** Those of the hashes that no row references. */
export async function withoutUse(hashes: readonly string[]): Promise<string[]> {
  if (hashes.length === 0) return [];
  const rows = await db.$queryRaw<{ sha256: string }[]>`
    SELECT candidate AS sha256 FROM unnest(${hashes}::text[]) AS candidate
    WHERE NOT EXISTS (SELECT FROM stored_file_use WHERE stored_file_use.sha256 = candidate)`;
  return rows.map(({ sha256 }) => sha256);
}
