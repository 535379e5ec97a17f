import { requireAuditor } from '../../auth/operator-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { requireConnectionArguments } from '../../graphql/connections.ts';
import { globalId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { requireLogCursor } from './log-cursor.ts';

const AuditEntry = builder.prismaObject('AuditEntry', {
  description:
    'One change by an operator. `hash` is the SHA-256 of the JSON array [previousHash, actor, action, details, created], the keys of objects in details sorted.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the entry in client caches. `node` does not look it up.',
      resolve: ({ id }) => globalId('AuditEntry', String(id)),
    }),
    index: t.string({
      description: 'Position in the log, from 1; gaps are possible.',
      resolve: ({ id }) => String(id),
    }),
    actor: t.exposeString('actor', { description: 'Who made the change: an account, or a part of the service.' }),
    action: t.exposeString('action', { description: 'What was done.' }),
    details: t.expose('details', { type: 'JSON', description: 'What the change was about.' }),
    created: t.string({
      description: 'When the entry was written, UTC with milliseconds, as hashed.',
      resolve: ({ created }) => created.toISOString(),
    }),
    previousHash: t.exposeString('previousHash', {
      description: 'Hash of the previous entry, hex; zeros for the first.',
    }),
    hash: t.exposeString('hash', { description: 'Hash of this entry, hex.' }),
  }),
});

builder.queryField('auditLog', (t) =>
  t.prismaConnection(
    {
      type: AuditEntry,
      cursor: 'id',
      description: 'The audit log, oldest first. Requires Admin:Audit.',
      // Not in the resolver, which is not called if only totalCount is selected.
      authScopes: (_root, _args, { viewer }) => requireAuditor(viewer) !== null,
      resolve: (query, _root, args) => {
        requireConnectionArguments(args);
        requireLogCursor(query.cursor);
        return db.auditEntry.findMany({ ...query, orderBy: { id: 'asc' } });
      },
    },
    {
      name: 'AuditEntryConnection',
      description: 'One page of the audit log.',
      fields: (connection) => ({ totalCount: connection.int({ resolve: () => db.auditEntry.count() }) }),
    },
    { name: 'AuditEntryEdge', description: 'An entry and its cursor.' },
  ),
);
