import { type KeyObject, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type SignatureAlgorithm, SignerSetupError } from './signer.ts';

const CODE_SIGNING = '1.3.6.1.5.5.7.3.3';
const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads a text file of the signer. Throws a SignerSetupError that names the file and why it cannot be read. */
export async function readSignerFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new SignerSetupError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function requireAuthority(path: string, certificate: X509Certificate, now: Date, isRoot: boolean): void {
  const name = certificate.subject.split('\n').join(', ');
  const refuse = (problem: string): never => {
    throw new SignerSetupError(`${path}: the certificate "${name}" ${problem}.`);
  };
  if (!certificate.ca) refuse('is not a certificate authority (basic constraints or key usage)');
  if (now < certificate.validFromDate) refuse(`is not valid before ${certificate.validFromDate.toISOString()}`);
  if (now > certificate.validToDate) refuse(`expired on ${certificate.validToDate.toISOString()}`);
  // Node calls the extended key usage `keyUsage`.
  const usage: string[] | undefined = certificate.keyUsage;
  if (!isRoot && usage && !usage.includes(CODE_SIGNING)) refuse('is not for code signing (extended key usage)');
}

/**
 * Reads a chain file: PEM certificates, the issuing intermediate first, each followed by its issuer, the root last.
 * Throws a SignerSetupError when they are in another order, are no authorities, or are not valid at `now`.
 */
export async function readChain(path: string, now: Date): Promise<X509Certificate[]> {
  return parseChain(path, await readSignerFile(path), now);
}

/** Like `readChain`, of a text; `path` is where it is from. */
export function parseChain(path: string, text: string, now: Date): X509Certificate[] {
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length < 2) {
    throw new SignerSetupError(`${path} must hold the intermediate certificate and then the root, as PEM.`);
  }
  const chain = blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch {
      throw new SignerSetupError(`${path}: certificate ${index + 1} is not readable.`);
    }
  });
  for (const [index, certificate] of chain.entries()) {
    const issuer = chain[index + 1] ?? certificate;
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) {
      const problem = chain[index + 1] ? `is not issued by certificate ${index + 2}` : 'is not a root';
      throw new SignerSetupError(`${path}: certificate ${index + 1} ${problem}; the order is intermediate, then root.`);
    }
    requireAuthority(path, certificate, now, index === chain.length - 1);
  }
  return chain;
}

/** How the holder of a key signs. `path` is where the key is from. */
export function algorithmOf(path: string, key: KeyObject): SignatureAlgorithm {
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return 'ecdsa-sha256';
  if (key.asymmetricKeyType === 'ec' && namedCurve === 'secp384r1') return 'ecdsa-sha384';
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= 2048) return 'rsa-sha256';
  throw new SignerSetupError(`${path} must be an ECDSA key on P-256 or P-384, or an RSA key of 2048 bits or more.`);
}

/** The hash of an algorithm. */
export const hashOfAlgorithm = (algorithm: SignatureAlgorithm): string =>
  algorithm === 'ecdsa-sha384' ? 'sha384' : 'sha256';

/**
 * The PEM of the root certificate without any key, for a process that only serves it: the last certificate of the
 * operator's chain file, or that of the development CA. Returns null as long as the development CA does not exist.
 * Throws a SignerSetupError when the file is there and unreadable.
 */
export async function loadRootPem(settings: {
  chainFile?: string | undefined;
  developmentDirectory: string;
}): Promise<string | null> {
  const path = settings.chainFile ?? `${settings.developmentDirectory}/root.pem`;
  // Unlike the operator's file, that of the development CA may not exist yet.
  if (settings.chainFile === undefined && !existsSync(path)) return null;
  const text = await readSignerFile(path);
  const root = text.match(BLOCK)?.at(-1);
  if (!root) throw new SignerSetupError(`${path} holds no certificate.`);
  return `${root}\n`;
}
