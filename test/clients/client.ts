import { execFile } from 'node:child_process';
import { childEnvironment } from '../../src/config.ts';

/** One run of a signing client: what it is told, all of it by the options that it documents. */
export interface SignJob {
  /** Address of an API version without a slash at the end: `http://127.0.0.1:3000/api/v4`. */
  prefix: string;
  key: string;
  secret: string;
  /** Path of the package to sign. */
  file: string;
  /** The add-on's id; null lets the service choose one. */
  id: string | null;
  version: string;
  channel?: 'listed' | 'unlisted';
  /** Folder for the downloaded files, which exists and is empty. */
  saveTo: string;
}

/** How a run ended. */
export interface SignOutcome {
  exitCode: number;
  /** Everything the client printed. */
  output: string;
  /** The add-on's id as the client tells it. */
  id: string | null;
}

/** A client that nobody here wrote, ready to be run. */
export interface SigningClient {
  name: string;
  /** Whether it sends the file as it is; others pack the files in it anew. */
  sendsFile: boolean;
  /** The key of the manifest under which it looks for the id. */
  idKey: 'applications' | 'browser_specific_settings';
  sign(job: SignJob): Promise<SignOutcome>;
}

const LONGEST_RUN_MS = 150_000;

/** Runs a program without standard input. Never throws because of how the program ends; a hanging one is killed. */
export function runProgram(
  program: string,
  words: readonly string[],
  { cwd, settings = {} }: { cwd?: string; settings?: Record<string, string> } = {},
): Promise<{ exitCode: number; stdout: string; output: string }> {
  return new Promise((resolve) => {
    const options = {
      cwd,
      env: { ...childVariables(), ...settings },
      timeout: LONGEST_RUN_MS,
      killSignal: 'SIGKILL' as const,
      maxBuffer: 64 * 1024 * 1024,
    };
    const child = execFile(program, words, options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      const note = exitCode === -1 ? `\n${error?.message}` : '';
      resolve({ exitCode, stdout, output: `${stdout}${stderr}${note}` });
    });
    child.stdin?.end();
  });
}

/** What a client finds in its environment: no proxy between it and this machine, nobody at the terminal. */
function childVariables(): NodeJS.ProcessEnv {
  return { ...childEnvironment({}), CI: 'true', NO_UPDATE_NOTIFIER: '1', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
}
