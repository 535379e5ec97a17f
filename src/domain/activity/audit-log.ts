import { builder } from '../../graphql/builder.ts';
import { globalId } from '../../graphql/global-id.ts';
import { auditedValues } from './record-audit.ts';

export const AuditEntry = builder.prismaObject('AuditEntry', {
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
    created: t.expose('created', {
      type: 'DateTime',
      description: 'When the entry was written; hashInput has it with milliseconds.',
    }),
    previousHash: t.exposeString('previousHash', {
      description: 'Hash of the previous entry, hex; zeros for the first.',
    }),
    hash: t.exposeString('hash', { description: 'Hash of this entry, hex.' }),
    hashInput: t.string({
      description: 'The text whose SHA-256, as UTF-8, is `hash`.',
      resolve: (entry) => JSON.stringify(auditedValues(entry)),
    }),
  }),
});
