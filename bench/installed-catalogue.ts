/*
 * An embedded database with a made-up catalogue in it, in a folder of its own. A folder that is given by name is kept, and a
 * catalogue that is there already is used as it is.
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

const COMMAND = join(import.meta.dirname, '..', 'src', 'cli.ts');
const MOST_OUTPUT = 64 * 2 ** 20;
const silent = { info: () => {}, warn: () => {} };

/** What a catalogue is made of. */
export interface CatalogueSize {
  addons: number;
  personas: number;
  /** More lines of a catalogue file, given the guids of some add-ons that are there by then. */
  more?: (guids: readonly string[]) => object[];
}

export interface InstalledCatalogue {
  url: string;
  /** How long the import took in seconds, now or when the catalogue was made. */
  importSeconds: number;
  /** Ends the database and removes the folder, unless it was given. */
  remove(): Promise<void>;
}

/** Makes a catalogue and its database, in `folder` where one is given. */
export async function installCatalogue(size: CatalogueSize, folder: string | null): Promise<InstalledCatalogue> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), 'addons-bench-')));
  await mkdir(home, { recursive: true });
  // The account of the embedded database passes through.
  await chmod(home, 0o755);
  const dataDir = join(home, 'var');
  const done = join(home, 'catalogue-is-complete');
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
  // One that was kept may be older than the program.
  await migrate(postgres.url, { log: silent });
  const known = await readFile(done, 'utf8').catch(() => null);
  const importSeconds = known === null ? await fill(size, home, dataDir, postgres.url) : Number(known);
  await writeFile(done, String(importSeconds));
  return {
    url: postgres.url,
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
  await run('demo', '--size', String(addons), '--personas', String(personas), '--output', file);
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
