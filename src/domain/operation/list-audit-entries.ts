/* The entries of the audit log that auditors list, by what they are about, actor, action and time. */
import { requirePermission } from '../../auth/permissions.ts';
import type { AuditEntry as AuditRow } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { countedFields } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { db, Prisma } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { AuditEntry } from '../activity/audit-log.ts';
import { type LogPage, logConnection } from '../activity/log-page.ts';
import { aboutSubjects, auditSubjects } from './audit-subjects.ts';

const AuditLogFilter = builder.inputType('AuditLogFilter', {
  description: 'Conditions for entries of the audit log; an entry must match all of them.',
  fields: (t) => ({
    actor: t.string({
      description: 'Who made the change, as entries have it, or the username of an account in any case.',
    }),
    action: t.string({ description: 'What was done.' }),
    object: t.string({ description: 'A value in the details, such as the id of an object.' }),
    about: t.string({
      description:
        'The account or add-on that the change was about, as `auditSubjects` finds it; no entry matches a text that names none.',
    }),
    from: t.field({ type: 'DateTime', description: 'Only entries written at this time or later.' }),
    before: t.field({ type: 'DateTime', description: 'Only entries written before this time.' }),
  }),
});

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** SQL: whether an entry matches a filter. */
async function matching(
  context: Context,
  { actor, action, object, about, from, before }: typeof AuditLogFilter.$inferInput,
): Promise<Prisma.Sql> {
  const named = comparableText(actor ?? '');
  const conditions = [
    ...(actor == null ? [] : [Prisma.sql`(e.actor = ${named} OR e.actor ILIKE ${`account %(${escaped(named)})`})`]),
    ...(action == null ? [] : [Prisma.sql`e.action = ${comparableText(action)}`]),
    ...(object == null
      ? []
      : [
          Prisma.sql`EXISTS (SELECT FROM jsonb_each_text(e.details) AS detail WHERE detail.value = ${comparableText(object)})`,
        ]),
    ...(about == null ? [] : [aboutSubjects(await auditSubjects(context).load(about))]),
    ...(from == null ? [] : [Prisma.sql`e.created >= ${from}`]),
    ...(before == null ? [] : [Prisma.sql`e.created < ${before}`]),
    Prisma.sql`true`,
  ];
  return Prisma.join(conditions, ' AND ');
}

/** The ids of the entries of a page. */
async function entryIds(matched: Prisma.Sql, { where: { id }, orderBy, take }: LogPage): Promise<bigint[]> {
  const rows = await db.$queryRaw<{ id: bigint }[]>`
    SELECT e.id FROM audit_entry e WHERE ${matched}
      AND (${id.gt ?? null}::int8 IS NULL OR e.id > ${id.gt ?? null}::int8) AND (${id.lt ?? null}::int8 IS NULL OR e.id < ${id.lt ?? null}::int8)
    ORDER BY e.id ${Prisma.raw(orderBy.id)} LIMIT ${take}`;
  return rows.map((row) => row.id);
}

/** The entries of a page that match a filter. */
async function filteredEntries(matched: Prisma.Sql, page: LogPage): Promise<AuditRow[]> {
  const ids = await entryIds(matched, page);
  return db.auditEntry.findMany({ where: { id: { in: ids } }, orderBy: page.orderBy });
}

/** A filter counts at most this number of entries: it may have to read the whole log. */
const COUNTED_ENTRIES = 10_000;

async function countEntries(matched: Prisma.Sql): Promise<{ count: number; isExact: boolean }> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (SELECT FROM audit_entry e WHERE ${matched} LIMIT ${COUNTED_ENTRIES + 1}) AS counted`;
  const count = row?.count ?? 0;
  return { count: Math.min(count, COUNTED_ENTRIES), isExact: count <= COUNTED_ENTRIES };
}

/** The actions that the log has. Each step reads the next one from the index of actions. */
async function knownActions(): Promise<string[]> {
  const rows = await db.$queryRaw<{ action: string }[]>`
    WITH RECURSIVE known AS (
      SELECT min(action) AS action FROM audit_entry
      UNION ALL SELECT (SELECT min(e.action) FROM audit_entry e WHERE e.action > known.action) FROM known WHERE known.action IS NOT NULL
    ) SELECT action FROM known WHERE action IS NOT NULL ORDER BY action`;
  return rows.map(({ action }) => action);
}

builder.queryField('auditActions', (t) =>
  t.field({
    type: ['String'],
    description: 'The actions of the entries in the audit log, sorted. Requires Admin:Audit.',
    resolve: (_root, _args, { viewer }) => {
      requirePermission(viewer, 'Admin:Audit');
      return knownActions();
    },
  }),
);

builder.queryField('auditLog', (t) =>
  t.connection(
    {
      type: AuditEntry,
      description: 'The audit log, oldest first. Requires Admin:Audit.',
      args: { filter: t.arg({ type: AuditLogFilter, description: 'Which entries; all by default.' }) },
      resolve: async (_root, { filter, ...args }, context) => {
        requirePermission(context.viewer, 'Admin:Audit');
        const matched = filter == null ? null : await matching(context, filter);
        let count: ReturnType<typeof countEntries> | undefined;
        const counted = (of: Prisma.Sql) => {
          count ??= countEntries(of);
          return count;
        };
        const load = (page: LogPage) =>
          matched === null ? db.auditEntry.findMany(page) : filteredEntries(matched, page);
        return {
          ...(await logConnection('auditLog', args, load)),
          totalCount: async () => (matched === null ? db.auditEntry.count() : (await counted(matched)).count),
          isTotalCountExact: async () => matched === null || (await counted(matched)).isExact,
        };
      },
    },
    {
      name: 'AuditEntryConnection',
      description: `One page of the audit log. With a filter, at most ${COUNTED_ENTRIES} entries are counted.`,
      fields: (t) => ({
        ...countedFields(t),
        isTotalCountExact: t.boolean({
          description: 'Whether `totalCount` is that of all such entries; false if there are more.',
          resolve: ({ isTotalCountExact }) => isTotalCountExact(),
        }),
      }),
    },
    { name: 'AuditEntryEdge', description: 'An entry and its cursor.' },
  ),
);
