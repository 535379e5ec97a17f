import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { UnavailableError } from '../../errors.ts';
import { openDatabaseSession, pool } from '../db.ts';
import { LOCK_KEYS } from '../lock-keys.ts';

const RETRY_MS = 250;
const RETRIES = 240;

let owner: Promise<number> | null = null;

/**
 * The number that owns the staged files of this process. A session advisory lock on it is held until the process or its
 * database ends, so other processes see whether the owner lives, on this machine or another.
 * @throws {UnavailableError} when the database cannot be reached.
 */
export function stagingOwner(): Promise<number> {
  owner ??= hold(randomInt(1, 2 ** 31)).catch(() => {
    owner = null;
    throw new UnavailableError();
  });
  return owner;
}

/** The owners whose locks are held, as text. */
export async function liveStagingOwners(): Promise<Set<string>> {
  const { rows } = await pool.query<{ owner: string }>(
    `SELECT objid::text AS owner FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [LOCK_KEYS.stagingOwner],
  );
  return new Set(rows.map((row) => row.owner));
}

async function hold(number: number): Promise<number> {
  const session = await openDatabaseSession('addons staging');
  await session.query('SELECT pg_advisory_lock($1, $2)', [LOCK_KEYS.stagingOwner, number]);
  session.once('end', () => void holdAgain(number));
  return number;
}

/** Takes the lock again after its connection was lost. When this fails for a minute, new files get a new owner. */
async function holdAgain(number: number): Promise<void> {
  for (let retry = 0; retry < RETRIES && !pool.ended; retry++) {
    const held = await hold(number).catch(() => null);
    if (held !== null) return;
    await setTimeout(RETRY_MS, undefined, { ref: false });
  }
  owner = null;
}
