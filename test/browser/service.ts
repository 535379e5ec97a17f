/* The service that the browser visits: an installation of its own with the demo, as `npm start` runs it. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../src/config.ts';
import { freePort } from '../crash/support/installation.ts';
import { PROGRAM, startService } from '../support/program.ts';

/** A running demo. */
export interface DemoService {
  /** Base URL without a trailing slash. */
  url: string;
  /** Runs a command of the program and returns what it printed. */
  run(...words: string[]): Promise<string>;
  /** Adds a job about the add-on that has failed for good. Returns its number. */
  failJob(slug: string): Promise<string>;
  /** Adds rows about the add-ons with this slug and this guid that no client can add. Returns the number of a failed job. */
  addSampleRows(slug: string, guid: string): Promise<string>;
  /** Imports a catalogue file with this text. */
  importLines(text: string): Promise<void>;
  /** Stops it; with `keepLog`, its output is kept in the returned file. */
  close(keepLog: boolean): Promise<string | null>;
}

/** How long the demo may take until it is complete, on a machine with other work, in milliseconds. */
const FILL_MS = 300_000;

/** Starts the demo, with these settings and its own, and waits until it is complete. */
export async function startDemo(given: Record<string, string> = {}): Promise<DemoService> {
  const folder = await mkdtemp(join(tmpdir(), 'addons-pages-'));
  // The account of the embedded database must be able to enter.
  await chmod(folder, 0o711);
  const port = String(await freePort());
  const settings = {
    ...{ HOST: '127.0.0.1', PORT: port, BASE_URL: `http://127.0.0.1:${port}`, DATABASE_URL: '' },
    ...{ DATA_DIR: join(folder, 'var'), ENVIRONMENT: 'development', DEMO: 'true', RATE_LIMITS: 'off' },
    ...{
      VALIDATOR_CONCURRENCY: '1',
      SUPER_CREATE: 'true',
      LOG_LEVEL: 'info',
      OPERATOR_CONTACT: 'operator@site.example',
      RATING_FLOOD: '3',
    },
    ...given,
  };
  const service = await startService(settings);
  try {
    await service.printed(/The demo is complete/, FILL_MS);
  } catch (error) {
    await service.end('SIGTERM');
    throw error;
  }
  return {
    url: service.url,
    run: (...words) => runProgram(words, settings),
    failJob: (slug) => runFile(FAIL_JOB, [slug], settings),
    addSampleRows: (...words) => runFile(SAMPLE_ROWS, words, settings),
    importLines: (text) => importLines(text, folder, settings),
    close: async (keepLog) => {
      await service.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
      if (!keepLog) return null;
      const file = `${folder}.log`;
      await writeFile(file, service.output());
      return file;
    },
  };
}

/** A running demo at the address `url` with its data in `dataDir`, in an embedded database. It is not stopped. */
export function attachDemo(url: string, dataDir: string): DemoService {
  const settings = { BASE_URL: url, DATA_DIR: resolve(dataDir), DATABASE_URL: '', ENVIRONMENT: 'development' };
  return {
    url,
    run: (...words) => runProgram(words, settings),
    failJob: (slug) => runFile(FAIL_JOB, [slug], settings),
    addSampleRows: (...words) => runFile(SAMPLE_ROWS, words, settings),
    importLines: (text) => importLines(text, tmpdir(), settings),
    close: async () => null,
  };
}

async function importLines(text: string, folder: string, settings: Record<string, string>): Promise<void> {
  const file = join(folder, `lines-${process.pid}.jsonl`);
  await writeFile(file, text);
  try {
    await runProgram(['import', file], settings);
  } finally {
    await rm(file);
  }
}

const FAIL_JOB = join(import.meta.dirname, '../support/fail-job-process.ts');
const SAMPLE_ROWS = join(import.meta.dirname, '../support/sample-rows-process.ts');

const runProgram = (words: readonly string[], settings: Record<string, string>): Promise<string> =>
  runFile(PROGRAM, words, settings);

async function runFile(file: string, words: readonly string[], settings: Record<string, string>): Promise<string> {
  const env = childEnvironment(settings);
  return (await promisify(execFile)(process.execPath, [file, ...words], { env })).stdout;
}
