/* The service that the browser visits: an installation of its own with the demo, as `npm start` runs it. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  /** Imports a catalogue file with this text. */
  importLines(text: string): Promise<void>;
  /** Stops it; with `keepLog`, its output is kept in the returned file. */
  close(keepLog: boolean): Promise<string | null>;
}

/** Starts the demo and waits until it is complete. */
export async function startDemo(): Promise<DemoService> {
  const folder = await mkdtemp(join(tmpdir(), 'addons-pages-'));
  // The account of the embedded database must be able to enter.
  await chmod(folder, 0o711);
  const port = String(await freePort());
  const settings = {
    ...{ HOST: '127.0.0.1', PORT: port, BASE_URL: `http://127.0.0.1:${port}`, DATABASE_URL: '' },
    ...{ DATA_DIR: join(folder, 'var'), ENVIRONMENT: 'development', DEMO: 'true', RATE_LIMITS: 'off' },
    LOG_LEVEL: 'info',
  };
  const service = await startService(settings);
  await service.printed(/The demo is complete/);
  return {
    url: service.url,
    run: (...words) => runProgram(words, settings),
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

/** A demo that `npm start` runs from this folder at the address `url`. It is not stopped. */
export function attachDemo(url: string): DemoService {
  return {
    url,
    run: (...words) => runProgram(words, {}),
    importLines: (text) => importLines(text, tmpdir(), {}),
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

async function runProgram(words: readonly string[], settings: Record<string, string>): Promise<string> {
  const env = childEnvironment(settings);
  return (await promisify(execFile)(process.execPath, [PROGRAM, ...words], { env })).stdout;
}
