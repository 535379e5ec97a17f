/* Verification of the audit log in parts, so that a request verifies a bounded number of entries. */
import { requirePermission } from '../../auth/permissions.ts';
import { refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { NoteError } from '../../infra/signed-note.ts';
import { message } from '../../texts/messages.ts';
import { expectedEntries } from './checkpoints.ts';
import { type ExpectedEntry, FIRST_HASH } from './hash-chain.ts';
import { positionOf } from './log-page.ts';
import { auditEntriesAfter, auditHash } from './record-audit.ts';

/** The entries that one request verifies. */
const PART = 10_000;

interface Part {
  count: number;
  firstIndex: bigint | null;
  lastIndex: bigint | null;
  brokenIndex: bigint | null;
  problems: string[];
  hasMore: boolean;
}

/** Verifies the entries after the position `after`, until the first broken one. Whether the log has lost entries is known at its end. */
async function verifyPart(after: bigint): Promise<Part> {
  let previous = after === 0n ? FIRST_HASH : await hashAt(after);
  const part: Part = { count: 0, firstIndex: null, lastIndex: null, brokenIndex: null, problems: [], hasMore: true };
  for (let position = after; part.count < PART; position = part.lastIndex ?? position) {
    const rows = await auditEntriesAfter(position);
    if (rows.length === 0) return { ...part, hasMore: false, problems: await lostEntries() };
    for (const row of rows) {
      part.count += 1;
      part.firstIndex ??= row.id;
      part.lastIndex = row.id;
      if (row.previousHash !== previous || row.hash !== auditHash(row)) return { ...part, brokenIndex: row.id };
      previous = row.hash;
    }
  }
  return part;
}

/** @throws {InvalidInputError} on `after` for a position without an entry. */
async function hashAt(id: bigint): Promise<string> {
  const row = await db.auditEntry.findUnique({ where: { id }, select: { hash: true } });
  if (row === null) throw refusedField('after', message('audit.no_such_entry'));
  return row.hash;
}

/** What the log has lost of the entries that its head and checkpoints name. */
async function lostEntries(): Promise<string[]> {
  try {
    const found = await Promise.all((await expectedEntries('audit')).map(problemOf));
    return found.filter((problem) => problem !== null);
  } catch (error) {
    if (error instanceof NoteError) return [error.message];
    throw error;
  }
}

async function problemOf({ source, hash, size }: ExpectedEntry): Promise<string | null> {
  if (hash === FIRST_HASH) return null;
  const [row] = await db.$queryRaw<{ number: bigint }[]>`
    SELECT (SELECT count(*) FROM audit_entry WHERE id <= e.id) AS number FROM audit_entry e WHERE hash = ${hash}`;
  if (row === undefined) return `${source} names an entry with hash ${hash}, which the log does not have`;
  return size === undefined || row.number === size
    ? null
    : `${source} counts ${size} entries up to hash ${hash}, the log has ${row.number}`;
}

const AuditVerification = builder.objectRef<Part>('AuditVerification').implement({
  description: 'The verification of a part of the audit log.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'Number of entries that were verified, up to the first broken one.' }),
    firstIndex: t.string({
      nullable: true,
      description: 'Position of the first of them; null without entries.',
      resolve: ({ firstIndex }) => firstIndex?.toString(),
    }),
    lastIndex: t.string({
      nullable: true,
      description: 'Position of the last of them; null without entries.',
      resolve: ({ lastIndex }) => lastIndex?.toString(),
    }),
    brokenIndex: t.string({
      nullable: true,
      description: 'Position of the first entry whose content or link to the previous one does not match its hash.',
      resolve: ({ brokenIndex }) => brokenIndex?.toString(),
    }),
    problems: t.exposeStringList('problems', {
      description:
        'Entries that the head of the log or a checkpoint names and the log has lost; known in the last part.',
    }),
    hasMore: t.exposeBoolean('hasMore', {
      description: 'Whether entries after lastIndex are not verified yet; true after a broken one.',
    }),
  }),
});

builder.queryField('auditVerification', (t) =>
  t.field({
    type: AuditVerification,
    description: `Verifies ${PART.toLocaleString('en')} entries of the audit log. Continue with lastIndex as \`after\`. Requires Admin:Audit.`,
    args: { after: t.arg.string({ description: 'Position after which to start; the beginning by default.' }) },
    // It reads and hashes many rows, so a query has few of them.
    extensions: { cost: 10_000 },
    resolve: (_root, { after }, { viewer }) => {
      requirePermission(viewer, 'Admin:Audit');
      return verifyPart(positionOf(after ?? ''));
    },
  }),
);
