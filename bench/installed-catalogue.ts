/*
 * An embedded database with a generated catalogue. A folder given by name is kept, and a catalogue in it is reused.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { childEnvironment } from '../src/config.ts';
import { startEmbeddedPostgres } from '../src/infra/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../src/infra/migrations/migrate.ts';

const COMMAND = join(import.meta.dirname, '..', 'src', 'addons.js');
const GENERATOR = join(import.meta.dirname, 'large-catalogue.ts');
const MOST_OUTPUT = 64 * 2 ** 20;
const silent = { info: () => {}, warn: () => {} };

/** The contents of a catalogue. */
export interface CatalogueSize {
  addons: number;
  personas: number;
  /** Additional catalogue lines, created from the guids of some imported add-ons. */
  more?: (guids: readonly string[]) => object[];
}

export interface InstalledCatalogue {
  url: string;
  /** DATA_DIR of the installation: its store and its keys, which servers of the database require. */
  dataDir: string;
  /** Seconds that the import took when the catalogue was created. */
  importSeconds: number;
  /** Stops the database and removes the folder, unless it was given. */
  remove(): Promise<void>;
}

/** Creates a catalogue and its database, in `folder` if given. */
export async function installCatalogue(size: CatalogueSize, folder: string | null): Promise<InstalledCatalogue> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), 'addons-bench-')));
  await mkdir(home, { recursive: true });
  // The user that runs the embedded database must be able to enter the folder.
  await chmod(home, 0o755);
  const dataDir = join(home, 'var');
  const done = join(home, 'catalogue-is-complete');
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
  // A kept database may lack migrations.
  await migrate(postgres.url, { log: silent });
  const known = await readFile(done, 'utf8').catch(() => null);
  const importSeconds = known === null ? await fill(size, home, dataDir, postgres.url) : Number(known);
  await writeFile(done, String(importSeconds));
  return {
    url: postgres.url,
    dataDir,
    importSeconds,
    remove: async () => {
      await postgres.stop();
      if (folder === null) await rm(home, { recursive: true, force: true });
    },
  };
}

async function fill({ addons, personas, more }: CatalogueSize, home: string, dataDir: string, url: string) {
  const env = childEnvironment({ DATA_DIR: dataDir, DATABASE_URL: '', DEMO: 'false', LOG_LEVEL: 'warn' });
  const run = async (...words: string[]) => {
    await promisify(execFile)(process.execPath, [COMMAND, ...words], { env, maxBuffer: MOST_OUTPUT });
  };
  const file = join(home, 'catalogue.jsonl');
  const sizes = ['--size', String(addons), '--personas', String(personas)];
  await promisify(execFile)(process.execPath, [GENERATOR, ...sizes, file]);
  const started = performance.now();
  await run('import', file);
  const seconds = (performance.now() - started) / 1000;
  await rm(file);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  if (more !== undefined) {
    const { rows } = await client.query<{ guid: string }>('SELECT guid FROM addon ORDER BY id LIMIT 20000');
    const lines = more(rows.map(({ guid }) => guid)).map((line) => `${JSON.stringify(line)}\n`);
    await writeFile(file, lines.join(''));
    await run('import', file);
    await rm(file);
  }
  await client.query('VACUUM ANALYZE');
  await client.end();
  return seconds;
}
