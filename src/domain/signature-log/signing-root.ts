import { X509Certificate } from 'node:crypto';
import { builder, formatDate } from '../../graphql/builder.ts';
import { readRootPem } from '../../infra/signer/root-certificate.ts';

interface Root {
  pem: string;
  certificate: X509Certificate;
}

const SigningRoot = builder.objectRef<Root>('SigningRoot').implement({
  description: 'The root certificate that all signed files of this service chain up to.',
  fields: (t) => ({
    pem: t.exposeString('pem', { description: 'The certificate as PEM, also at /signing/root.pem.' }),
    subject: t.string({
      description: 'Distinguished name.',
      resolve: ({ certificate }) => certificate.subject.split('\n').join(', '),
    }),
    serial: t.string({
      description: 'Serial number, hex in lower case.',
      resolve: ({ certificate }) => certificate.serialNumber.toLowerCase(),
    }),
    sha256: t.string({
      description: 'SHA-256 fingerprint: pairs of hex digits with colons.',
      resolve: ({ certificate }) => certificate.fingerprint256,
    }),
    sha1: t.string({
      description: 'SHA-1 fingerprint in the same form, which some programs show.',
      resolve: ({ certificate }) => certificate.fingerprint,
    }),
    validFrom: t.field({
      type: 'DateTime',
      description: 'When it became valid.',
      resolve: ({ certificate }) => formatDate(new Date(certificate.validFrom)),
    }),
    validTo: t.field({
      type: 'DateTime',
      description: 'When it expires.',
      resolve: ({ certificate }) => formatDate(new Date(certificate.validTo)),
    }),
  }),
});

builder.queryField('signingRoot', (t) =>
  t.field({
    type: SigningRoot,
    nullable: true,
    description: 'The root certificate of this service; null before a worker has started for the first time.',
    resolve: async () => {
      const pem = await readRootPem();
      return pem === null ? null : { pem, certificate: new X509Certificate(pem) };
    },
  }),
);
