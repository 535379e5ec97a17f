import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../sync-folder.ts';
import { openFileSigner } from './file-signer.ts';
import { type NewAuthorities, type Signer, SignerSetupError } from './signer.ts';

/** Making a CA takes milliseconds, so a temporary folder of this age belongs to a process that was killed. */
const ABANDONED_MS = 60_000;
const FILES = ['root.pem', 'root-key.pem', 'intermediate.pem', 'intermediate-key.pem', 'chain.pem'] as const;

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
    const contents: Record<(typeof FILES)[number], string> = {
      'root.pem': made.rootCertificate,
      'root-key.pem': made.rootKey,
      'intermediate.pem': made.intermediateCertificate,
      'intermediate-key.pem': made.intermediateKey,
      'chain.pem': made.intermediateCertificate + made.rootCertificate,
    };
    for (const [file, text] of Object.entries(contents)) {
      await writeFile(join(temporary, file), text, { flag: 'wx', mode: 0o600, flush: true });
    }
    await syncFolder(temporary);
    await rename(temporary, directory);
    await syncFolder(dirname(directory));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** The files of a CA that are not in `directory`; all of them when it does not exist. */
async function missingFiles(directory: string): Promise<string[]> {
  const existing: string[] = await readdir(directory).catch(() => []);
  return FILES.filter((file) => !existing.includes(file));
}

/**
 * Opens the development CA in `directory` and makes it on the first start. The folder (0700, files 0600) appears complete or
 * not at all, also after kills and concurrent starts.
 * @throws {SignerSetupError} in production, and for an incomplete folder: a new root would silently invalidate all signatures.
 */
export async function ensureDevelopmentCa(
  directory: string,
  options: { environment: string; createAuthorities(): Promise<NewAuthorities> },
): Promise<Signer> {
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
