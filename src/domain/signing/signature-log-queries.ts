import type { SigningCertificate } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { requireConnectionArguments } from '../../graphql/connections.ts';
import { db } from '../../infra/db.ts';
import { positionOf, requireLogCursor } from '../activity/log-cursor.ts';

builder.prismaNode('SigningCertificate', {
  name: 'SignatureLogEntry',
  description:
    'One certificate of the public signature log, logged before its use. `hash` is the SHA-256 of the JSON array [previousHash, serial, issuer, guid, version, inputSha256, created].',
  id: { field: 'id', description: 'Global id.' },
  findUnique: (id) => ({ id: positionOf(id) }),
  fields: (t) => ({
    index: t.string({
      description: 'Position in the log, from 1; gaps are possible.',
      resolve: (row: SigningCertificate) => String(row.id),
    }),
    serial: t.exposeString('serial', { description: 'Serial number of the certificate, hex.' }),
    issuer: t.exposeString('issuer', { description: 'Distinguished name of the issuer.' }),
    guid: t.exposeString('guid', { description: 'The guid of the add-on.' }),
    version: t.exposeString('version', { description: 'The version number.' }),
    inputSha256: t.exposeString('inputSha256', { description: 'SHA-256 of the unsigned package, hex.' }),
    created: t.string({
      description: 'When the entry was written, UTC with milliseconds, as hashed.',
      resolve: (row) => row.created.toISOString(),
    }),
    previousHash: t.exposeString('previousHash', {
      description: 'Hash of the previous entry, hex; zeros for the first.',
    }),
    hash: t.exposeString('hash', { description: 'Hash of this entry, hex.' }),
  }),
});

builder.queryField('signatureLog', (t) =>
  t.prismaConnection(
    {
      type: 'SigningCertificate',
      cursor: 'id',
      description:
        'Every certificate that signed a file, oldest first. Public, so that everyone can verify the hash chain.',
      resolve: (query, _root, args) => {
        requireConnectionArguments(args);
        requireLogCursor(query.cursor);
        return db.signingCertificate.findMany({ ...query, orderBy: { id: 'asc' } });
      },
    },
    {
      name: 'SignatureLogConnection',
      description: 'One page of the signature log.',
      fields: (connection) => ({ totalCount: connection.int({ resolve: () => db.signingCertificate.count() }) }),
    },
    { name: 'SignatureLogEdge', description: 'An entry and its cursor.' },
  ),
);
