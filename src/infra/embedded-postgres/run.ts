import { spawn } from 'node:child_process';

/** The account that the database's programs run under when this process is root. */
export interface SystemAccount {
  uid: number;
  gid: number;
}

/** What a finished program left: its exit code (null when a signal ended it) and all it printed. */
interface Outcome {
  code: number | null;
  output: string;
}

/** The whole environment of the programs: locale and time zone of the machine must not decide how a cluster sorts. */
export const programEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };

/**
 * Runs a program to its end, as `account` when one is given. `input` goes to its standard input.
 * @throws when the program cannot be started at all, with `code` EACCES or ENOENT.
 */
export function runPostgresProgram(
  file: string,
  args: string[],
  account?: SystemAccount,
  input = '',
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: '/', env: programEnvironment, stdio: 'pipe', ...account });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
    // A program that ends before it has read its input is judged by its exit code, not by the broken pipe.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
