import { createHash, X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  Certificate,
  id_ce_nameConstraints,
  id_ce_subjectKeyIdentifier,
  type Name,
  NameConstraints,
  SubjectKeyIdentifier,
} from '@peculiar/asn1-x509';
import type { Signer } from '../../infra/signer/signer.ts';
import { keyIdentifier, nameAttribute } from './certificates.ts';

/** The facts of the issuing certificate that every certificate below it repeats. */
interface Issuer {
  name: Name;
  nameText: string;
  /** SHA-256 of the DER of its certificate, hex. */
  sha256: string;
  keyId: Buffer;
  /** The intermediates without the root, DER: what travels in a signature. */
  intermediates: Buffer[];
  /** The earliest end of validity in the whole chain. */
  notAfter: Date;
  organization: string | undefined;
  country: string | undefined;
  /** The DNS domain that the intermediate is limited to, if it is. */
  domain: string | undefined;
}

const known = new WeakMap<Signer, Issuer>();

/** One line for a distinguished name as Node prints it: `C=ZZ, O=…, CN=…`. */
function oneLine(name: string): string {
  return name.split('\n').join(', ');
}

function permittedDomain(certificate: Certificate): string | undefined {
  const found = certificate.tbsCertificate.extensions?.find((item) => item.extnID === id_ce_nameConstraints);
  if (!found) return undefined;
  const subtrees = AsnConvert.parse(found.extnValue.buffer, NameConstraints).permittedSubtrees ?? [];
  return subtrees
    .map((subtree) => subtree.base.dNSName)
    .find((name) => name !== undefined)
    ?.replace(/^\./, '');
}

function authorityKeyId(certificate: Certificate): Buffer {
  const found = certificate.tbsCertificate.extensions?.find((item) => item.extnID === id_ce_subjectKeyIdentifier);
  if (!found) return keyIdentifier(certificate.tbsCertificate.subjectPublicKeyInfo);
  return Buffer.from(AsnConvert.parse(found.extnValue.buffer, SubjectKeyIdentifier).buffer);
}

/**
 * Reads the issuing certificate of a signer; the result is cached per signer. Throws an Error when its
 * subject is encoded in a way that cannot be repeated byte for byte, because verifiers compare names as bytes.
 */
export function issuerOf(signer: Signer): Issuer {
  const cached = known.get(signer);
  if (cached) return cached;
  const chain = signer.chain();
  const der = chain[0];
  if (!der || chain.length < 2) throw new Error('The signing chain must hold an intermediate and a root certificate.');
  const certificate = AsnConvert.parse(der, Certificate);
  const name = certificate.tbsCertificate.subject;
  if (!der.includes(Buffer.from(AsnConvert.serialize(name)))) {
    throw new Error('The subject of the intermediate certificate has an encoding that is not supported.');
  }
  const ends = chain.map((item) => new X509Certificate(item).validToDate.getTime());
  const issuer: Issuer = {
    name,
    nameText: oneLine(new X509Certificate(der).subject),
    sha256: createHash('sha256').update(der).digest('hex'),
    keyId: authorityKeyId(certificate),
    intermediates: chain.slice(0, -1),
    notAfter: new Date(Math.min(...ends)),
    organization: nameAttribute(name, 'O'),
    country: nameAttribute(name, 'C'),
    domain: permittedDomain(certificate),
  };
  known.set(signer, issuer);
  return issuer;
}
