import { NotFoundError } from '../../errors.ts';
import type { Prisma, SigningCertificate } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { countedFields } from '../../graphql/connections.ts';
import { db } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { logConnection, positionOf } from '../activity/log-page.ts';
import { hashedValues } from './signature-log.ts';

const SignatureLogEntry = builder.prismaNode('SigningCertificate', {
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
    issuerSha256: t.exposeString('issuerSha256', {
      nullable: true,
      description:
        'SHA-256 of the certificate of the issuer, hex: it distinguishes issuers of one name. It is not part of hash. Null for entries of release 0.1.0.',
    }),
    guid: t.exposeString('guid', { description: 'The guid of the add-on.' }),
    version: t.exposeString('version', { description: 'The version number.' }),
    inputSha256: t.exposeString('inputSha256', { description: 'SHA-256 of the unsigned package, hex.' }),
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
      resolve: (row) => JSON.stringify(hashedValues(row)),
    }),
  }),
});

interface LogFilter {
  serial?: string | null;
  guid?: string | null;
  version?: string | null;
}

const SignatureLogFilter = builder.inputType('SignatureLogFilter', {
  description: 'Selects entries of the signature log; absent fields select all.',
  fields: (t) => ({
    guid: t.string({ description: 'The guid of the add-on. Letter case matters unless the add-on exists here.' }),
    version: t.string({ description: 'The version number.' }),
    serial: t.string({ description: 'Serial number of the certificate, as of signatureLogEntry.' }),
  }),
});

/** A serial number as in the log; null for a text that is none. */
function readSerial(text: string): string | null {
  const digits = text.replaceAll(/[\s:]/g, '').toLowerCase();
  return /^[0-9a-f]{1,64}$/.test(digits) ? digits : null;
}

/** The filter as a condition. The log has the guid of an add-on in the case of its manifest, so it is looked up. */
async function selected({ serial, guid, version }: LogFilter): Promise<Prisma.SigningCertificateWhereInput> {
  const ofVersion = {
    ...(version == null ? {} : { version: comparableText(version.trim()) }),
    ...(serial == null ? {} : { serial: readSerial(serial) ?? '' }),
  };
  if (guid == null) return ofVersion;
  const given = comparableText(guid.trim());
  const stored = await db.$queryRaw<{ guid: string }[]>`SELECT guid::text FROM addon WHERE guid = ${given}::citext`;
  return { ...ofVersion, guid: { in: [given, ...stored.map((addon) => addon.guid)] } };
}

builder.queryField('signatureLogEntry', (t) =>
  t.prismaField({
    type: 'SigningCertificate',
    nullable: true,
    description:
      'The entry of a certificate. Null with the error NOT_FOUND for a serial number of which this service made no certificate.',
    args: {
      serial: t.arg.string({
        required: true,
        description: 'Serial number, hex in any case; colons and spaces are ignored.',
      }),
    },
    resolve: async (query, _root, { serial }) => {
      const known = readSerial(serial);
      const entry =
        known === null ? null : await db.signingCertificate.findUnique({ ...query, where: { serial: known } });
      if (entry === null) throw new NotFoundError();
      return entry;
    },
  }),
);

const LogOrder = builder.enumType('LogOrder', {
  description: 'The order of the entries of a log.',
  values: {
    OLDEST_FIRST: { value: 'oldest', description: 'As they were written.' },
    NEWEST_FIRST: { value: 'newest', description: 'The newest entry first.' },
  } as const,
});

builder.queryField('signatureLog', (t) =>
  t.connection(
    {
      type: SignatureLogEntry,
      description:
        'Every certificate that signed a file, oldest first. Public, so that everyone can verify the hash chain.',
      args: {
        filter: t.arg({ type: SignatureLogFilter, description: 'Entries to select. Default: all.' }),
        order: t.arg({ type: LogOrder, defaultValue: 'oldest', description: 'The order of the entries.' }),
      },
      resolve: async (_root, { filter, order, ...cursors }) => {
        const entries = await selected(filter ?? {});
        const paging = { ...cursors, newestFirst: order === 'newest' };
        return {
          ...(await logConnection('signatureLog', paging, ({ where, ...page }) =>
            db.signingCertificate.findMany({ ...page, where: { ...entries, ...where } }),
          )),
          totalCount: () => db.signingCertificate.count({ where: entries }),
        };
      },
    },
    { name: 'SignatureLogConnection', description: 'One page of the signature log.', fields: (t) => countedFields(t) },
    { name: 'SignatureLogEdge', description: 'An entry and its cursor.' },
  ),
);
