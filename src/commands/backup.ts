import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { copyKeyFiles, findKeyFiles } from '../auth/key-files.ts';
import { config } from '../config.ts';
import { type CopiedFiles, copyFromStore, syncBackup } from '../infra/backup/copy-files.ts';
import { dumpDatabase } from '../infra/backup/dump-database.ts';
import { openBackupSession, requireSession } from '../infra/backup/exclude-collection.ts';
import { MANIFEST_NAME, manifestText, type NewManifest, readBackup } from '../infra/backup/manifest.ts';
import { requireOwnStore } from '../infra/blob-store/installation.ts';
import { settings } from '../settings/settings.ts';
import { CommandError, type Invocation, printResult } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Exit status of a backup whose files are incomplete. */
const FILES_MISSING = 2;
/** Suffix of the folder until the backup is complete. */
const DRAFT = '.part';

interface Result {
  folder: string;
  /** The earlier backup to whose files those of this one are linked. */
  previous: string | null;
  manifest: NewManifest;
  files: CopiedFiles;
}

/**
 * Makes a backup. Its folder appears when it is complete and durable; an interrupted one is continued by the next run with the same name,
 * which takes a new snapshot and keeps the files.
 */
export async function runBackup(invocation: Invocation): Promise<void> {
  const folder = resolve(invocation.argument('FOLDER'));
  if (existsSync(folder)) throw new CommandError(`${folder} exists already; name a folder that does not`);
  const keys = findKeyFiles();
  const withKeys = !invocation.flag('without-keys');
  const result = await withDatabase(async () => {
    const { database: installation } = await requireOwnStore();
    const previous = invocation.flag('full') ? null : await newestBackup(dirname(folder), installation);
    return makeBackup(folder, { installation, previous, keys: withKeys ? keys.files : [] });
  });
  report(result, invocation, [
    ...(withKeys ? [] : keys.files.map((file) => `DATA_DIR/${file}: --without-keys was given`)),
    ...keys.absent,
    ...secretSettings(),
  ]);
}

interface Options {
  installation: string;
  previous: string | null;
  keys: string[];
}

async function makeBackup(folder: string, { installation, previous, keys }: Options): Promise<Result> {
  const draft = folder + DRAFT;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  for (const part of ['database', 'keys']) await rm(join(draft, part), { recursive: true, force: true });
  const session = await openBackupSession();
  try {
    const dump = await dumpDatabase(session, draft);
    const files = await copyFromStore(draft, previous);
    await copyKeyFiles(keys, config.DATA_DIR, join(draft, 'keys'));
    await requireSession(session);
    const manifest = { release: await programVersion(), installation, ...dump, missing: files.missing, keys };
    await writeFile(join(draft, MANIFEST_NAME), manifestText(manifest), { mode: 0o600, flush: true });
    await syncBackup(draft);
    await rename(draft, folder);
    await syncBackup(folder);
    return { folder, previous, manifest, files };
  } finally {
    await session.end();
  }
}

async function programVersion(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The newest complete backup of the installation in a folder; null if there is none. */
async function newestBackup(parent: string, installation: string): Promise<string | null> {
  const names = await readdir(parent).catch(() => []);
  let newest: { path: string; created: string } | null = null;
  for (const name of names.filter((each) => !each.endsWith(DRAFT))) {
    const path = join(parent, name);
    if (!(await stat(join(path, MANIFEST_NAME)).catch(() => null))) continue;
    const manifest = await readBackup(path).catch(() => null);
    if (manifest?.installation !== installation || manifest.created <= (newest?.created ?? '')) continue;
    newest = { path, created: manifest.created };
  }
  return newest?.path ?? null;
}

/** The settings with secrets that are set; the database of the backup is no longer needed. */
function secretSettings(): string[] {
  const names = Object.entries(settings).flatMap(([name, [, { secret }]]) => (secret ? [name] : []));
  const ofDatabase = ['DATABASE_URL', 'DATABASE_SESSION_URL'];
  const set = names.filter((name) => config[name as keyof typeof config] !== undefined && !ofDatabase.includes(name));
  return set.length === 0 ? [] : [`the settings ${set.join(', ')}, and all other settings`];
}

function report({ folder, previous, manifest, files }: Result, invocation: Invocation, absent: string[]): void {
  const { copied, linked, missing } = files;
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  if (missing.length > 0) {
    process.exitCode = FILES_MISSING;
    process.stderr.write(`addons: ${missing.length} files of the store are lost or damaged: ${names(missing)}\n`);
  }
  const { created, tables, keys } = manifest;
  printResult(
    invocation,
    { folder, created, tables: tables.length, rows, copied, linked, missing, keys, absent },
    `${folder} has ${tables.length} tables with ${rows} rows, as of ${created}, and ${copied + linked} files` +
      `${previous === null ? '' : `, ${linked} of them linked to ${basename(previous)}`}.`,
    ...(keys.length === 0 ? [] : [`It has keys, so keep it secret: ${keys.join(', ')}.`]),
    'Not in it:',
    ...absent.map((each) => `  ${each}`),
  );
}

const names = (missing: CopiedFiles['missing']): string =>
  missing
    .slice(0, 5)
    .map(({ sha256, problem }) => `${sha256} (${problem})`)
    .join(', ');
