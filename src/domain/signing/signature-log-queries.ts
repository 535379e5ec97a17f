import { InvalidInputError } from '../../errors.ts';
import type { SigningCertificate } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { requireConnectionArguments } from '../../graphql/connections.ts';
import { db } from '../../infra/db.ts';

const LAST = 2n ** 63n - 1n;

/** A position in the log that is written in digits; 0, which no entry has, for anything else. */
function positionOf(text: string): bigint {
  const position = /^\d{1,19}$/.test(text) ? BigInt(text) : 0n;
  return position <= LAST ? position : 0n;
}

builder.prismaNode('SigningCertificate', {
  name: 'SignatureLogEntry',
  description:
    'A certificate, logged before anything was signed with it. `hash` is the SHA-256 of the JSON array [previousHash, serial, issuer, guid, version, inputSha256, created].',
  id: { field: 'id' },
  findUnique: (id) => ({ id: positionOf(id) }),
  fields: (t) => ({
    index: t.string({ description: 'Position in the log.', resolve: (row: SigningCertificate) => String(row.id) }),
    serial: t.exposeString('serial', { description: 'Serial of the certificate, hex.' }),
    issuer: t.exposeString('issuer'),
    guid: t.exposeString('guid'),
    version: t.exposeString('version'),
    inputSha256: t.exposeString('inputSha256', { description: 'SHA-256 of the unsigned package, hex.' }),
    created: t.string({
      description: 'With milliseconds, as it is hashed.',
      resolve: (row) => row.created.toISOString(),
    }),
    previousHash: t.exposeString('previousHash', { description: 'Hash of the entry before; zeros for the first.' }),
    hash: t.exposeString('hash'),
  }),
});

builder.queryField('signatureLog', (t) =>
  t.prismaConnection(
    {
      type: 'SigningCertificate',
      cursor: 'id',
      description: 'Every certificate this service has signed with, oldest first. Anybody may check the chain.',
      resolve: (query, _root, args) => {
        requireConnectionArguments(args);
        const { id } = query.cursor ?? {};
        // A cursor may have been made up: it holds a value of any type.
        if (id !== undefined && (typeof id !== 'bigint' || id < 1n || id > LAST))
          throw new InvalidInputError('Not a cursor of this list.');
        return db.signingCertificate.findMany({ ...query, orderBy: { id: 'asc' } });
      },
    },
    {
      name: 'SignatureLogConnection',
      fields: (connection) => ({
        totalCount: connection.int({
          description: 'Of the whole log.',
          resolve: () => db.signingCertificate.count(),
        }),
      }),
    },
    { name: 'SignatureLogEdge' },
  ),
);
