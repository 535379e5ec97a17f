import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterLocation, dataFolder, writeRecord } from './cluster-location.ts';
import { run } from './run.ts';

/** The role that owns the database of the service, and that database's name. It is no superuser. */
export const ROLE = 'addons';

/**
 * Creates the cluster with its role and database, unless it exists, under another name that is renamed when complete. Text
 * sorts by code point (C.UTF-8), which no update of the system's libraries changes. Only the role may connect.
 * @returns whether the cluster is new.
 * @throws when an existing cluster has disappeared or belongs to another major version.
 */
export async function ensureCluster(location: ClusterLocation, durable: boolean): Promise<boolean> {
  const { folder, record } = location;
  const version = await readFile(join(dataFolder(location), 'PG_VERSION'), 'utf8').catch(() => null);
  if (version === null && record.initialised) {
    throw new Error(
      `The database in ${dataFolder(location)} is missing. Restore it, or remove ${folder} to start with an empty one.`,
    );
  }
  if (version !== null && version.trim() !== location.major) {
    throw new Error(
      `${dataFolder(location)} was made by PostgreSQL ${version.trim()}; this program has ${location.major}.`,
    );
  }
  if (version === null) await createCluster(location, durable);
  if (!record.initialised) {
    record.initialised = true;
    await writeRecord(folder, record);
  }
  return version === null;
}

async function createCluster(location: ClusterLocation, durable: boolean): Promise<void> {
  const { account, record } = location;
  // The initdb of a killed process may still write; a later attempt removes what cannot be removed now.
  for (const name of await readdir(record.home)) {
    if (name.startsWith('draft-')) await rm(join(record.home, name), { recursive: true }).catch(() => {});
  }
  const draft = await mkdtemp(join(record.home, 'draft-'));
  const data = join(draft, 'data');
  if (account) {
    await mkdir(data, { mode: 0o700 });
    await chown(data, account.uid, account.gid);
    await chmod(draft, 0o711);
  }
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const sync = durable ? [] : ['--no-sync'];
  await step(location, 'initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '--no-instructions',
    ...locale,
    ...sync,
  ]);
  await step(
    location,
    'postgres',
    ['--single', '-D', data, '-c', 'exit_on_error=on', ...(durable ? [] : ['-c', 'fsync=off']), 'postgres'],
    `create role ${ROLE} login createdb password '${record.password}'\ncreate database ${ROLE} owner ${ROLE}\n`,
  );
  await writeFile(join(data, 'pg_hba.conf'), `host all ${ROLE} 127.0.0.1/32 scram-sha-256\n`);
  await rename(data, dataFolder(location));
  await rm(draft, { recursive: true });
}

async function step(location: ClusterLocation, program: string, args: string[], input = ''): Promise<void> {
  const outcome = await run(join(location.programs, 'bin', program), args, location.account, input);
  if (outcome.code === 0) return;
  throw new Error(`The embedded database cannot be created: ${program} failed.\n${outcome.output.trim()}`);
}
