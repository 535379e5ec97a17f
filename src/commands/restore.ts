import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { copyKeyFiles, otherKeyFiles } from '../auth/key-files.ts';
import { requireSecretKey } from '../auth/shared-keys.ts';
import { config } from '../config.ts';
import { checkpointFile } from '../domain/activity/checkpoints.ts';
import { COMMAND_LINE, recordAudit, verifyAuditLog } from '../domain/activity/record-audit.ts';
import { verifySignatureLog } from '../domain/signature-log/signature-log.ts';
import { checkFiles, copyToStore } from '../infra/backup/copy-files.ts';
import { loadDatabase } from '../infra/backup/load-database.ts';
import {
  BackupError,
  type BackupManifest,
  CHECKPOINT_NAME,
  FILE_LIST,
  hashFile,
  readBackup,
} from '../infra/backup/manifest.ts';
import { endRestoration, interruptedRestoration } from '../infra/backup/restoration.ts';
import { blobs } from '../infra/blob-store/blobs.ts';
import { adoptStore } from '../infra/blob-store/installation.ts';
import { closeDatabase, db, openDatabaseSession, useDatabase } from '../infra/db.ts';
import { startEmbeddedPostgres } from '../infra/embedded-postgres/embedded-postgres.ts';
import { migrateBackup, requireEmptyDatabase } from '../infra/migrations/migrate.ts';
import { separateRoles } from '../infra/migrations/separate-roles.ts';
import { migratingUrl } from '../process/open-database.ts';
import { CommandError, type Invocation, printResult } from './command.ts';
import { firstProblem } from './log.ts';

const silent = { info: () => {}, warn: () => {} };

/**
 * Restores a backup: all tables in one transaction, then the files, because a store that is a bucket has rows in the database. It can be
 * repeated after an interruption: the database is empty, or notes which backup it is of until all files are there.
 * @throws {CommandError} when the backup is damaged, something else is in its place, or the restored logs are not whole.
 */
export async function runRestore(invocation: Invocation): Promise<void> {
  const folder = resolve(invocation.argument('FOLDER'));
  const manifest = await readBackup(folder);
  await requireWholeDump(folder, manifest);
  if (invocation.flag('check')) return check(invocation, folder, manifest);
  await requireRoom(folder, manifest);
  const embedded = config.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log: silent });
  if (embedded !== null) useDatabase(embedded.url);
  try {
    const { stored, whole } = await restore(folder, manifest, embedded?.url);
    const problems = await verify(folder, manifest);
    const { created, missing } = manifest;
    printResult(
      invocation,
      { created, files: stored + whole, stored, missing, problems },
      `Restored the state of ${created} with ${stored + whole} files, of which ${stored} were not in the store.`,
      ...missing.map(({ sha256, problem }) => `The file ${sha256} was ${problem} when the backup was made.`),
    );
    if (problems.length > 0) throw new CommandError(`restored, but ${problems.join('; ')}`);
  } finally {
    await closeDatabase();
    await embedded?.stop();
  }
}

async function check(invocation: Invocation, folder: string, manifest: BackupManifest): Promise<void> {
  const { read, damaged } = await checkFiles(folder, manifest);
  const { created, missing } = manifest;
  printResult(
    invocation,
    { created, files: read, missing, damaged },
    ...damaged.map((sha256) => `damaged  ${sha256}`),
    `Read the database of ${created} and ${read} files.`,
  );
  if (damaged.length > 0) throw new CommandError(`${damaged.length} files of the backup are lost or damaged`);
}

/** @throws {BackupError} naming the first file with other bytes than the manifest lists. */
async function requireWholeDump(folder: string, { tables, files }: BackupManifest): Promise<void> {
  for (const { file, sha256 } of [...tables, { file: FILE_LIST, ...files }]) {
    const found = await hashFile(join(folder, file)).catch((error: NodeJS.ErrnoException) => ({ sha256: error.code }));
    if (found.sha256 !== sha256) throw new BackupError(`${join(folder, file)} is lost or damaged.`);
  }
}

/** @throws {BackupError} when keys or the store of another installation are where those of the backup belong. */
async function requireRoom(folder: string, { keys, installation }: BackupManifest): Promise<void> {
  const [other] = await otherKeyFiles(keys, join(folder, 'keys'));
  if (other !== undefined) {
    throw new BackupError(
      `${join(config.DATA_DIR, other)} differs from that of the backup. Move it away, or set DATA_DIR.`,
    );
  }
  const store = await blobs.readMarker();
  if (store === null || store === installation) return;
  throw new BackupError(
    `The file store is of installation ${store}, the backup is of ${installation}. Name another store.`,
  );
}

/** Returns the numbers of files that the store lacked and that it had. */
async function restore(
  folder: string,
  manifest: BackupManifest,
  embeddedUrl?: string,
): Promise<{ stored: number; whole: number }> {
  const session = await openDatabaseSession('addons-restore');
  const isLoaded = (await interruptedRestoration(session)) === manifest.created;
  if (!isLoaded) await load(folder, manifest, embeddedUrl);
  const { stored, whole, missing } = await copyToStore(folder);
  const known = new Set(manifest.missing.map(({ sha256 }) => sha256));
  const lost = missing.filter((sha256) => !known.has(sha256));
  if (lost.length > 0) throw new BackupError(`The backup lacks ${lost.length} files, the first is ${lost[0]}.`);
  await adoptStore();
  await endRestoration(session);
  await session.end();
  return { stored, whole };
}

/** The keys come first, because a worker makes those that are missing. */
async function load(folder: string, manifest: BackupManifest, embeddedUrl?: string): Promise<void> {
  const migrating = embeddedUrl ?? (await migratingUrl());
  const serving = embeddedUrl ?? config.DATABASE_URL ?? '';
  await requireEmptyDatabase(migrating);
  await copyKeyFiles(manifest.keys, join(folder, 'keys'), config.DATA_DIR);
  await migrateBackup(migrating, {
    migrations: manifest.migrations,
    load: (client) => loadDatabase(client, folder, manifest),
  });
  if (migrating !== serving) await separateRoles(migrating, serving);
}

/** What is wrong with the restored logs and with the keys of this host. */
async function verify(folder: string, { created, release }: BackupManifest): Promise<string[]> {
  const checkpoint = join(folder, CHECKPOINT_NAME);
  const hasCheckpoint = existsSync(checkpoint);
  if (hasCheckpoint && !existsSync(checkpointFile())) await copyFile(checkpoint, checkpointFile());
  const given = { files: hasCheckpoint ? [checkpoint] : [] };
  const logs = { audit: await verifyAuditLog(given), signature: await verifySignatureLog(given) };
  const problems = Object.entries(logs).flatMap(([name, found]) => {
    const problem = firstProblem(found);
    return problem === null ? [] : [`the ${name} log has ${problem}`];
  });
  await requireSecretKey().catch((error: Error) => problems.push(error.message));
  await db.$transaction((tx) => recordAudit(tx, COMMAND_LINE, 'backup-restored', { created, release }));
  return problems;
}
