import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { PackageError } from '../../../errors.ts';
import { openZip } from '../../zip/read-zip.ts';
import { DEFAULT_ZIP_LIMITS, type ZipArchive } from '../../zip/zip-archive.ts';
import { chainProblems, findChain } from './certificate-chain.ts';
import { oneLine, type ReadCertificate, readCertificate } from './certificate-reader.ts';
import { contentDigests, coseManifestProblems, manifestProblems, type SignatureContents } from './check-files.ts';
import { type CheckedSignature, checkBlock, checkCose } from './check-signatures.ts';
import { MalformedError } from './der-reader.ts';
import { findSignatureFiles, type SignatureFileNames } from './find-signature-files.ts';

/** Browsers read at most this much of a list of files. */
const MAX_LIST_BYTES = 8_000_000;
/** Certificates and signatures take a few thousand bytes; parsing 8 MB of small parts would take a gigabyte. */
const MAX_SIGNATURE_BYTES = 64 * 1024;
const READ_BYTES = 256 * 1024;

/** A package of the largest allowed size grows by its five signature files. */
const SIGNED_LIMITS = {
  archiveBytes: DEFAULT_ZIP_LIMITS.archiveBytes + 5 * MAX_LIST_BYTES,
  inflatedBytes: DEFAULT_ZIP_LIMITS.inflatedBytes + 5 * MAX_LIST_BYTES,
  entries: DEFAULT_ZIP_LIMITS.entries + 5,
};

/** Requirements on a signed file. */
interface VerifyOptions {
  /** Trusted root certificates, PEM. */
  roots: string[];
  /** The add-on id that the file must be signed for; without it any id is accepted and returned. */
  id?: string;
  /** The class that the certificate must name as its OU; `Production` when absent. */
  ou?: string;
  /** The time at which the certificates must be valid. Default: now. */
  now?: Date;
}

/** The result for a file. `problems` are clauses for people; `ok` means that there are none. */
export interface Verification {
  ok: boolean;
  problems: string[];
  /** The id that the file is signed for; the SHA-256 hex of ids over 64 bytes, unless `id` was given. */
  id: string | null;
  /** Serial number of the certificate, lower-case hex. */
  serial: string | null;
  /** Name of the certificate's issuer on one line. */
  issuer: string | null;
  signedAt: Date | null;
  /** Number of files in the archive. */
  entries: number;
  /** SHA-256 of the whole file, hex. */
  sha256: string;
}

/** The result for the signature of an open archive. */
export type ArchiveVerification = Omit<Verification, 'sha256'>;

interface Findings extends Omit<ArchiveVerification, 'ok' | 'problems'> {
  problems: Set<string>;
}

const NOTHING_FOUND = { id: null, serial: null, issuer: null, signedAt: null, entries: 0 };

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  const handle = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** Runs one check. Any exception becomes a problem, so that unexpected bytes never pass. */
function attempt<T>(findings: Findings, what: string, check: () => T): T | null {
  try {
    return check();
  } catch (error) {
    findings.problems.add(`${what} is not valid: ${error instanceof MalformedError ? error.message : 'it is damaged'}`);
    return null;
  }
}

function readRoots(pems: string[]): ReadCertificate[] {
  const blocks = pems.flatMap((pem) => pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []);
  if (blocks.length === 0) throw new Error('Verifying a signed file needs at least one root certificate.');
  return blocks.map((block) => readCertificate(Buffer.from(block.replace(/-----[^-]+-----|\s/g, ''), 'base64')));
}

/** The common name that a certificate for `id` has: the id, or the SHA-256 hex of ids over 64 bytes. */
function expectedCommonName(id: string): string {
  return Buffer.byteLength(id) > 64 ? createHash('sha256').update(id).digest('hex') : id;
}

function checkIdentity(findings: Findings, endEntity: ReadCertificate, options: VerifyOptions): void {
  const [commonName = '', ...others] = endEntity.commonNames;
  const expected = options.id === undefined ? (findings.id ?? commonName) : expectedCommonName(options.id);
  if (commonName !== expected || others.length > 0) {
    findings.problems.add(`the file is signed for "${commonName}", not for "${options.id ?? expected}"`);
    findings.id ??= commonName;
  } else {
    findings.id ??= options.id ?? commonName;
  }
  const unit = options.ou ?? 'Production';
  if (endEntity.organizationalUnits.join() !== unit) {
    findings.problems.add(`the certificate is of the class "${endEntity.organizationalUnits.join()}", not "${unit}"`);
  }
}

/** The requirements with parsed root certificates. */
interface Demands extends VerifyOptions {
  trusted: ReadCertificate[];
}

function checkSigner(findings: Findings, signature: CheckedSignature, options: Demands): void {
  const { endEntity, intermediates } = signature;
  checkIdentity(findings, endEntity, options);
  const issuer = oneLine(endEntity.x509.issuer);
  findings.serial ??= endEntity.serial.toString('hex').replace(/^(?:00)+/, '');
  findings.issuer ??= issuer;
  findings.signedAt ??= signature.signedAt;
  const chain = findChain(endEntity, intermediates, options.trusted);
  if (!chain) findings.problems.add(`the certificate does not lead to a trusted root; its issuer is "${issuer}"`);
  else for (const problem of chainProblems(chain, options.now ?? new Date())) findings.problems.add(problem);
}

async function readSignatures(archive: ZipArchive, names: SignatureFileNames): Promise<SignatureContents> {
  const read = async (name: string, cap: number): Promise<Buffer> => {
    const entry = archive.entries.find((candidate) => candidate.name === name);
    if (!entry) throw new Error(`${name} is not in the archive.`);
    return archive.read(entry, cap);
  };
  return {
    manifest: await read(names.manifest, MAX_LIST_BYTES),
    signatureFile: await read(names.signatureFile, MAX_LIST_BYTES),
    block: await read(names.block, MAX_SIGNATURE_BYTES),
    coseManifest: await read(names.coseManifest, MAX_LIST_BYTES),
    coseSignature: await read(names.coseSignature, MAX_SIGNATURE_BYTES),
  };
}

async function checkArchive(archive: ZipArchive, findings: Findings, options: Demands): Promise<void> {
  const files = archive.entries.filter((entry) => !entry.directory).map((entry) => entry.name);
  findings.entries = files.length;
  const { names, problems } = findSignatureFiles(files);
  for (const problem of problems) findings.problems.add(problem);
  if (!names) return;
  const contents = await readSignatures(archive, names);
  const digests = contentDigests(archive);
  const listed = [
    attempt(findings, names.manifest, () => manifestProblems(names, contents, digests)),
    attempt(findings, names.coseManifest, () => coseManifestProblems(names, contents, digests)),
  ];
  for (const problem of listed.flatMap((found) => found ?? [])) findings.problems.add(problem);
  const block = attempt(findings, names.block, () => checkBlock(contents.block, contents.signatureFile));
  const cose = attempt(findings, names.coseSignature, () => checkCose(contents.coseSignature, contents.coseManifest));
  for (const signature of [block, ...(cose ?? [])]) {
    if (signature) attempt(findings, 'the certificate', () => checkSigner(findings, signature, options));
  }
}

const damaged = (error: PackageError): string => `the archive is damaged or unsafe: ${error.message}`;

/** As `verifySignedPackage`, for an archive that was opened with `digests`; the caller closes it. */
export async function verifySignedArchive(archive: ZipArchive, options: VerifyOptions): Promise<ArchiveVerification> {
  const findings: Findings = { ...NOTHING_FOUND, problems: new Set() };
  try {
    await checkArchive(archive, findings, { ...options, trusted: readRoots(options.roots) });
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    findings.problems.add(damaged(error));
  }
  const problems = [...findings.problems];
  return { ...findings, problems, ok: problems.length === 0 };
}

/**
 * Checks a signed package as browsers and JAR tools do: both signatures must be valid, name the same add-on and cover every
 * file. Shares only the ZIP reader with the code that signs. Every fault of the file is in the result.
 * @throws the file system's error when the file cannot be read, and an Error when `roots` holds no certificate.
 */
export async function verifySignedPackage(path: string, options: VerifyOptions): Promise<Verification> {
  readRoots(options.roots);
  const sha256 = await hashFile(path);
  let archive: ZipArchive;
  try {
    archive = await openZip(path, { ...SIGNED_LIMITS, digests: true });
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    return { ...NOTHING_FOUND, ok: false, problems: [damaged(error)], sha256 };
  }
  try {
    return { ...(await verifySignedArchive(archive, options)), sha256 };
  } finally {
    await archive.close();
  }
}
