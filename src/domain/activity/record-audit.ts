import { createHash } from 'node:crypto';
import type { BulkSession } from '../../infra/bulk-session.ts';
import { db, type Prisma, type Transaction } from '../../infra/db.ts';

/** What the first row has in place of the hash of a row before it. */
const FIRST_HASH = '0'.repeat(64);

// Writers of the audit log take turns by this transaction lock. Its number has no meaning beyond being ours.
const AUDIT_LOCK = 4_150_331;

/** A row of the audit log as it is hashed: everything but its own hash. */
interface AuditFacts {
  previousHash: string;
  actor: string;
  action: string;
  details: unknown;
  created: Date;
}

/** Keys in order, as the database does not keep theirs. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, canonical(item)]));
}

function auditHash({ previousHash, actor, action, details, created }: AuditFacts): string {
  const fields = [previousHash, actor, action, canonical(details), created.toISOString()];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/**
 * Appends what an operator did to the audit log, in the transaction of the change. Each row carries the hash of the one
 * before, hence one writer at a time: call it last, as others wait until the transaction ends. Details hold no secrets.
 */
export async function recordAudit(
  tx: Transaction,
  actor: string,
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${AUDIT_LOCK}::bigint)`;
  const last = await tx.auditEntry.findFirst({ orderBy: { id: 'desc' }, select: { hash: true } });
  const row = nextRow(last?.hash, actor, action, details);
  await tx.auditEntry.create({ data: { ...row, details: row.details as Prisma.InputJsonObject } });
}

function nextRow(previousHash = FIRST_HASH, actor: string, action: string, details: Record<string, unknown>) {
  // As it comes back from the database: dates are text there, and what is undefined is not kept.
  const kept: unknown = JSON.parse(JSON.stringify(details, (_key, value) => storable(value)));
  const facts = { actor: storable(actor), action, created: new Date(), previousHash, details: kept };
  return { ...facts, hash: auditHash(facts) };
}

/** A value whose text the database takes as it is: without NUL characters and lone surrogates. */
function storable<Value>(value: Value): Value | string {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;
}

/** The same in the transaction of a session of its own. */
export async function recordBulkAudit(
  session: BulkSession,
  actor: string,
  action: string,
  details: Record<string, unknown>,
): Promise<void> {
  await session.query('SELECT pg_advisory_xact_lock($1::bigint)', [AUDIT_LOCK]);
  const [last] = await session.query<{ hash: string }>('SELECT hash FROM audit_entry ORDER BY id DESC LIMIT 1');
  const row = nextRow(last?.hash, actor, action, details);
  await session.query(
    'INSERT INTO audit_entry (actor, action, details, created, previous_hash, hash) VALUES ($1, $2, $3, $4, $5, $6)',
    [row.actor, row.action, JSON.stringify(row.details), row.created, row.previousHash, row.hash],
  );
}

const BATCH = 1000;

/** Follows the whole chain and returns the ids of the rows that do not fit the one before, or are not what was written. */
export async function brokenAuditRows(): Promise<bigint[]> {
  const broken: bigint[] = [];
  let previous = FIRST_HASH;
  let last = 0n;
  for (;;) {
    const rows = await db.auditEntry.findMany({ where: { id: { gt: last } }, orderBy: { id: 'asc' }, take: BATCH });
    for (const row of rows) {
      if (row.previousHash !== previous || row.hash !== auditHash(row)) broken.push(row.id);
      previous = row.hash;
      last = row.id;
    }
    if (rows.length < BATCH) return broken;
  }
}
