import type { AuditEntry } from '../../generated/prisma/client.ts';
import { BulkSession } from '../../infra/bulk-session.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { LOCK_KEYS } from '../../infra/lock-keys.ts';
import { storableJson, storableText } from '../../infra/storable-text.ts';
import { expectedEntries, type GivenCheckpoints } from './checkpoints.ts';
import { FIRST_HASH, hashOf, type LogReport, verifyChain } from './hash-chain.ts';

/** The hashed part of a row. */
type AuditFacts = Pick<AuditEntry, 'previousHash' | 'actor' | 'action' | 'created'> & { details: unknown };

/** The value with sorted keys: jsonb does not keep their order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, canonical(item)]));
}

/** The hashed values of a row, in their order. */
export const auditedValues = ({ previousHash, actor, action, details, created }: AuditFacts): readonly unknown[] => [
  ...[previousHash, actor, action, canonical(details), created.toISOString()],
];

/** The hash that a row must have. */
export const auditHash = (facts: AuditFacts): string => hashOf(auditedValues(facts));

/** Who made a change: an account, or the name of a part of the service. */
export type AuditActor = string | { accountId: number; username: string };

/** The actor of changes by commands. */
export const COMMAND_LINE = 'command line' satisfies AuditActor;

/**
 * Appends a row to the audit log in the transaction of the change. Each row contains the hash of the previous one, so
 * writers wait for each other until their transactions end: call it last. Details must not contain secrets.
 */
export async function recordAudit(
  tx: Transaction | BulkSession,
  actor: AuditActor,
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  const query = <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
    tx instanceof BulkSession ? tx.query<Row>(text, values) : tx.$queryRawUnsafe<Row[]>(text, ...values);
  await query(`SELECT FROM pg_advisory_xact_lock(${LOCK_KEYS.auditLog})`);
  const [last] = await query<{ hash: string }>('SELECT hash FROM audit_entry ORDER BY id DESC LIMIT 1');
  const facts = {
    previousHash: last?.hash ?? FIRST_HASH,
    actor: storableText(typeof actor === 'string' ? actor : `account ${actor.accountId} (${actor.username})`),
    action,
    details: JSON.parse(storableJson(details)) as unknown,
    created: new Date(),
  };
  await query(
    `INSERT INTO audit_entry (actor, action, details, created, previous_hash, hash)
     VALUES ($1, $2, $3::jsonb, $4::timestamptz, $5, $6)`,
    ...[facts.actor, action, JSON.stringify(facts.details), facts.created.toISOString(), facts.previousHash],
    auditHash(facts),
  );
}

const BATCH = 1000;

/** The entries after a position, oldest first, in batches; by default all. */
export async function* auditEntries(from = 0n): AsyncGenerator<AuditEntry> {
  for (let after = from; ; ) {
    const rows = await auditEntriesAfter(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Whether the log has an entry with this hash at this position; position 0 is before the first entry. */
export async function hasAuditEntry({ id, hash }: Pick<AuditEntry, 'id' | 'hash'>): Promise<boolean> {
  return id === 0n ? hash === FIRST_HASH : (await db.auditEntry.count({ where: { id, hash } })) > 0;
}

/** The next entries after a position, oldest first. */
export const auditEntriesAfter = (after: bigint): Promise<AuditEntry[]> =>
  db.auditEntry.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: BATCH });

/** Verifies the whole log: the hash chain, and that it has the entries of its head and of checkpoints. */
export const verifyAuditLog = async (given: GivenCheckpoints = {}): Promise<LogReport> =>
  verifyChain(auditEntriesAfter, (row) => auditHash(row), await expectedEntries('audit', given));
