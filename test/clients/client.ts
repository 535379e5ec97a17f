import { execFile } from 'node:child_process';
import { childEnvironment } from '../../src/config.ts';

/** The arguments of one run of a signing client, passed with its documented options. */
export interface SignJob {
  /** URL of an API version without a trailing slash: `http://127.0.0.1:3000/api/v4`. */
  prefix: string;
  key: string;
  secret: string;
  /** Path of the package to sign. */
  file: string;
  /** The add-on's id; null if the service assigns one. */
  id: string | null;
  version: string;
  channel?: 'listed' | 'unlisted';
  /** An existing, empty folder for the downloaded files. */
  saveTo: string;
}

export interface SignOutcome {
  exitCode: number;
  /** Everything the client printed. */
  output: string;
  /** The add-on's id that the client reports. */
  id: string | null;
}

/** An independent signing client. */
export interface SigningClient {
  name: string;
  /** Whether it sends the file unchanged; other clients pack its contents again. */
  sendsFile: boolean;
  /** The manifest key under which it reads the id. */
  idKey: 'applications' | 'browser_specific_settings';
  sign(job: SignJob): Promise<SignOutcome>;
}

const LONGEST_RUN_MS = 300_000;

/** Runs a program without standard input. Resolves for every exit status; kills the program after `LONGEST_RUN_MS`. */
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

/** The environment of a client: no proxy to this machine, not interactive. */
function childVariables(): NodeJS.ProcessEnv {
  return { ...childEnvironment({}), CI: 'true', NO_UPDATE_NOTIFIER: '1', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
}
