import { lookupPool } from './db.ts';

/** The snapshot, with the start of the server: numbers of snapshots repeat after a restart. */
const PRESENT = {
  name: 'present-snapshot',
  text: "SELECT concat(pg_postmaster_start_time(), ' ', pg_current_snapshot()) AS snapshot",
};

/** The name of the snapshot that a statement has now. */
export async function readSnapshot(): Promise<string> {
  const [row] = (await lookupPool.query<{ snapshot: string }>(PRESENT)).rows;
  if (row === undefined) throw new Error('a snapshot has no name');
  return row.snapshot;
}
