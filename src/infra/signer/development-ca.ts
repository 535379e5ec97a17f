import { randomBytes } from 'node:crypto';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openFileSigner } from './file-signer.ts';
import { type Signer, SignerSetupError } from './signer.ts';

/** A new root and intermediate with their keys, all PEM. */
export interface NewAuthorities {
  rootCertificate: string;
  rootKey: string;
  intermediateCertificate: string;
  intermediateKey: string;
}

/** What the development CA depends on. */
export interface DevelopmentCaOptions {
  environment: string;
  createAuthorities: () => Promise<NewAuthorities>;
}

/** Making a CA takes milliseconds, so a temporary folder of this age belongs to a process that was killed. */
const ABANDONED_MS = 60_000;
const FILES = ['root.pem', 'root-key.pem', 'intermediate.pem', 'intermediate-key.pem', 'chain.pem'] as const;

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

async function writeDurably(path: string, content: string): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  await handle.writeFile(content);
  await handle.sync();
}

async function syncDirectory(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

function temporaryPrefix(directory: string): string {
  return `${basename(directory)}.new-`;
}

async function removeAbandoned(directory: string): Promise<void> {
  const parent = dirname(directory);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(temporaryPrefix(directory))) continue;
    const path = join(parent, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Writes a complete CA next to `directory` and renames it; the first of two processes wins. */
async function createOnce(directory: string, createAuthorities: () => Promise<NewAuthorities>): Promise<void> {
  const made = await createAuthorities();
  const temporary = join(dirname(directory), temporaryPrefix(directory) + randomBytes(8).toString('hex'));
  await mkdir(temporary, { mode: 0o700 });
  try {
    await writeDurably(join(temporary, 'root.pem'), made.rootCertificate);
    await writeDurably(join(temporary, 'root-key.pem'), made.rootKey);
    await writeDurably(join(temporary, 'intermediate.pem'), made.intermediateCertificate);
    await writeDurably(join(temporary, 'intermediate-key.pem'), made.intermediateKey);
    await writeDurably(join(temporary, 'chain.pem'), made.intermediateCertificate + made.rootCertificate);
    await syncDirectory(temporary);
    await rename(temporary, directory);
    await syncDirectory(dirname(directory));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
}

/** The files of a CA that are not in `directory`; all of them when it does not exist. */
async function missingFiles(directory: string): Promise<string[]> {
  const missing: string[] = [];
  for (const file of FILES) {
    const isThere = await access(join(directory, file)).then(
      () => true,
      () => false,
    );
    if (!isThere) missing.push(file);
  }
  return missing;
}

/**
 * Opens the development CA in `directory` and makes it on the first start: root, intermediate and their keys, files
 * 0600, folder 0700. The folder appears complete or not at all, also after kills and concurrent starts.
 * Throws a SignerSetupError in production, and for an incomplete folder: a new root would silently invalidate every signed
 * file.
 */
export async function ensureDevelopmentCa(directory: string, options: DevelopmentCaOptions): Promise<Signer> {
  if (options.environment === 'production') {
    throw new SignerSetupError(
      'ENVIRONMENT=production does not sign with a development CA; set SIGNING_KEY_FILE and SIGNING_CHAIN_FILE.',
    );
  }
  await mkdir(dirname(directory), { recursive: true });
  await removeAbandoned(directory);
  const isAbsent = (await missingFiles(directory)).length === FILES.length;
  if (isAbsent) await createOnce(directory, options.createAuthorities);
  const missing = await missingFiles(directory);
  if (missing.length > 0) {
    throw new SignerSetupError(
      `${directory} is incomplete (${missing.join(', ')}); restore the files, or remove the folder for a new CA.`,
    );
  }
  return openFileSigner({
    keyFile: join(directory, 'intermediate-key.pem'),
    chainFile: join(directory, 'chain.pem'),
  });
}
