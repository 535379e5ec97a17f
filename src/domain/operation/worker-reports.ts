/* What workers report about themselves: rows of `service_state` that count while the worker holds its liveness lock (src/jobs/liveness.ts). */
import { hostname } from 'node:os';
import { db, Prisma } from '../../infra/db.ts';
import { LOCK_KEYS } from '../../infra/lock-keys.ts';

const PREFIX = 'worker:';

/** What a worker found out when it started. Times are ISO 8601. */
interface WorkerReport {
  /** Name of its host. */
  host: string;
  started: string;
  /** Whether its validators work; null while they start. */
  isValidatorReady: boolean | null;
  /** Name of the certificate that it signs with, and when that ends. */
  signer: string;
  signerExpires: string;
}

/** A living worker. */
export interface LivingWorker extends WorkerReport {
  /** When its heartbeat was last seen. */
  lastSeen: Date;
}

// The second key of the lock is the hash of the id, without a sign in this view.
const HOLDER = Prisma.sql`
  SELECT objid::int8 AS hash, state_change FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND classid = ${LOCK_KEYS.workerLiveness}::oid AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const HASH = Prisma.sql`hashtext(substr(name, ${PREFIX.length + 1}))::int8 & 4294967295`;

/** Stores the report of a worker, and removes those of ended ones. */
export async function reportWorker(id: string, facts: Omit<WorkerReport, 'host'>): Promise<void> {
  const name = `${PREFIX}${id}`;
  const value = { host: hostname(), ...facts };
  await db.serviceState.upsert({ where: { name }, create: { name, value }, update: { value } });
  await db.$executeRaw`
    DELETE FROM service_state WHERE starts_with(name, ${PREFIX}) AND name <> ${name} AND ${HASH} NOT IN (SELECT hash FROM (${HOLDER}) AS held)`;
}

/** The workers that run, by host and start. */
export async function livingWorkers(): Promise<LivingWorker[]> {
  const rows = await db.$queryRaw<{ value: WorkerReport; lastSeen: Date }[]>`
    SELECT value, held.state_change AS "lastSeen" FROM service_state JOIN (${HOLDER}) AS held ON held.hash = ${HASH}
    WHERE starts_with(name, ${PREFIX}) ORDER BY value->>'host', value->>'started', name`;
  return rows.map(({ value, lastSeen }) => ({ ...value, lastSeen }));
}
