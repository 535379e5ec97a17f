import { elementOf, extensionId, keyUsageBits, oneLine, type ReadCertificate } from './certificate-reader.ts';
import { type DerElement, derTag, MalformedError, membersOf, readElements, readOid } from './der-reader.ts';

const KEY_CERT_SIGN = 0x04;
const DIGITAL_SIGNATURE = 0x80;
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3';
/** Longer than any that authorities make; each further step tries every certificate that came along. */
const MAX_CHAIN_LENGTH = 8;
const UNDERSTOOD = new Set<string>(Object.values(extensionId));
/** ECDSA and RSA with SHA-256, SHA-384 or SHA-512. */
const STRONG_SIGNATURES = new Set([
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
]);

/**
 * Verified pairs of certificate and issuer, by their fingerprints. The two signatures of a file share a certificate, and the files of an
 * installation their authorities.
 */
const verified = new Map<string, boolean>();
const MAX_VERIFIED = 100;

function isIssuedBy({ x509 }: ReadCertificate, { x509: issuer }: ReadCertificate): boolean {
  if (!x509.checkIssued(issuer)) return false;
  const pair = `${x509.fingerprint256} ${issuer.fingerprint256}`;
  const known = verified.get(pair);
  if (known !== undefined) return known;
  if (verified.size >= MAX_VERIFIED) verified.clear();
  const isValid = x509.verify(issuer.publicKey);
  verified.set(pair, isValid);
  return isValid;
}

/**
 * The path from an end entity over the given intermediates to a root, that root last; null when there is none
 * of at most nine certificates. Each step's signature is verified.
 */
export function findChain(
  endEntity: ReadCertificate,
  intermediates: ReadCertificate[],
  roots: ReadCertificate[],
): ReadCertificate[] | null {
  const chain = [endEntity];
  for (let current = endEntity; ; ) {
    const root = roots.find((candidate) => isIssuedBy(current, candidate));
    if (root) return [...chain, root];
    const next = intermediates.find((candidate) => !chain.includes(candidate) && isIssuedBy(current, candidate));
    if (!next || chain.length === MAX_CHAIN_LENGTH) return null;
    chain.push(next);
    current = next;
  }
}

function hasStrongKey(certificate: ReadCertificate): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.x509.publicKey;
  if (type === 'rsa') return (details?.modulusLength ?? 0) >= 2048;
  return type === 'ec' && ['prime256v1', 'secp384r1', 'secp521r1'].includes(details?.namedCurve ?? '');
}

function pathLengthOf(certificate: ReadCertificate): number {
  const found = certificate.extensions.get(extensionId.basicConstraints);
  const members = found ? membersOf(elementOf(found.value), derTag.sequence, 'the basic constraints') : [];
  const limit = members.find((member) => member.tag === derTag.integer);
  return limit ? Number.parseInt(limit.content.toString('hex'), 16) : Number.POSITIVE_INFINITY;
}

function extendedKeyUsage(certificate: ReadCertificate): string[] | null {
  const found = certificate.extensions.get(extensionId.extendedKeyUsage);
  return found ? membersOf(elementOf(found.value), derTag.sequence, 'the extended key usage').map(readOid) : null;
}

/** Violations of the browser's rules for the certificate of a signed file, as clauses such as `it is an authority`. */
function endEntityProblems(certificate: ReadCertificate): string[] {
  const usage = extendedKeyUsage(certificate);
  const { serial } = certificate;
  const isPositive = (serial[0] ?? 0x80) < 0x80 && serial.some((byte) => byte !== 0);
  const checks: [boolean, string][] = [
    [!certificate.x509.ca, 'is an authority itself'],
    [keyUsageBits(certificate) === DIGITAL_SIGNATURE, 'is not limited to digital signatures'],
    [usage?.length === 1 && usage[0] === CODE_SIGNING, 'is not limited to code signing'],
    [isPositive && serial.length >= 8 && serial.length <= 20, 'has a serial number outside of 64 to 159 bits'],
  ];
  return checks.flatMap(([holds, problem]) => (holds ? [] : [problem]));
}

function authorityProblems(authority: ReadCertificate, below: number, isRoot: boolean): string[] {
  const usage = extendedKeyUsage(authority);
  const checks: [boolean, string][] = [
    [authority.x509.ca, 'is not an authority'],
    [((keyUsageBits(authority) ?? KEY_CERT_SIGN) & KEY_CERT_SIGN) !== 0, 'may not issue certificates'],
    [pathLengthOf(authority) >= below, 'has more authorities below it than it allows'],
    [isRoot || usage === null || usage.includes(CODE_SIGNING), 'is not for code signing'],
    [authority.extensions.has(extensionId.subjectKeyId), 'has no key identifier'],
  ];
  return checks.flatMap(([holds, problem]) => (holds ? [] : [problem]));
}

function commonProblems(certificate: ReadCertificate, isRoot: boolean, now: Date): string[] {
  const unknown = [...certificate.extensions].find(([id, { critical }]) => critical && !UNDERSTOOD.has(id));
  const checks: [boolean, string][] = [
    [isRoot || STRONG_SIGNATURES.has(certificate.signatureAlgorithm), 'is signed with a weak algorithm'],
    [hasStrongKey(certificate), 'has a key that is too weak'],
    [!unknown, `has a critical extension that is not understood (${unknown?.[0]})`],
    [isRoot || certificate.extensions.has(extensionId.authorityKeyId), "does not name its issuer's key"],
    [certificate.x509.validFromDate <= now, `is not valid before ${certificate.x509.validFromDate.toISOString()}`],
    [certificate.x509.validToDate >= now, `expired on ${certificate.x509.validToDate.toISOString()}`],
  ];
  return checks.flatMap(([holds, problem]) => (holds ? [] : [problem]));
}

const DNS_NAME = 0x82;

function dnsNames(names: DerElement[]): string[] {
  return names.filter((name) => name.tag === DNS_NAME).map((name) => name.content.toString('latin1').toLowerCase());
}

function dnsSubtrees(constraints: DerElement[], tag: number): string[] {
  const bases = constraints
    .filter((element) => element.tag === tag)
    .flatMap((element) => readElements(element.content))
    .flatMap((subtree) => membersOf(subtree, derTag.sequence, 'a name constraint').slice(0, 1));
  return dnsNames(bases);
}

function isWithin(name: string, domain: string): boolean {
  const bare = domain.replace(/^\./, '');
  return bare === '' || name === bare || name.endsWith(`.${bare}`);
}

/** Whether the DNS names of the end entity lie where the authority allows them (RFC 5280, 4.2.1.10). */
function keepsNameConstraints(endEntity: ReadCertificate, authority: ReadCertificate): boolean {
  const found = authority.extensions.get(extensionId.nameConstraints);
  if (!found) return true;
  const constraints = membersOf(elementOf(found.value), derTag.sequence, 'the name constraints');
  const alternative = endEntity.extensions.get(extensionId.subjectAltName);
  const names = alternative
    ? dnsNames(membersOf(elementOf(alternative.value), derTag.sequence, 'the alternative names'))
    : [];
  const permitted = dnsSubtrees(constraints, derTag.context0);
  const excluded = dnsSubtrees(constraints, derTag.context1);
  return names.every(
    (name) =>
      (permitted.length === 0 || permitted.some((domain) => isWithin(name, domain))) &&
      !excluded.some((domain) => isWithin(name, domain)),
  );
}

/**
 * Everything wrong with the certificates of a chain (end entity first, root last) at the moment `now`, in sentences.
 * The rules are those of RFC 5280, section 6, as far as code signing chains use them. Throws a MalformedError when an
 * extension cannot be read.
 */
export function chainProblems(chain: ReadCertificate[], now: Date): string[] {
  const [endEntity, ...authorities] = chain;
  if (!endEntity || authorities.length === 0) throw new MalformedError('the certificate chain is empty');
  return chain.flatMap((certificate, index) => {
    const isRoot = index === chain.length - 1;
    const own = index === 0 ? endEntityProblems(certificate) : authorityProblems(certificate, index - 1, isRoot);
    const constraints = index === 0 || keepsNameConstraints(endEntity, certificate);
    const problems = [
      ...own,
      ...commonProblems(certificate, isRoot, now),
      ...(constraints ? [] : ['does not allow the names in the certificate of this file']),
    ];
    const subject = `the certificate "${oneLine(certificate.x509.subject)}"`;
    return problems.map((problem) => `${subject} ${problem}`);
  });
}
