import { basename, join } from 'node:path';
import { authorization } from '../crash/support/signing-client.ts';
import { until } from '../crash/support/waiting.ts';
import { runProgram, type SigningClient, type SignJob, type SignOutcome } from './client.ts';

const SIGNED_MS = 300_000;

interface Status {
  guid: string;
  url: string;
  valid: boolean;
  processed: boolean;
  active: boolean;
  automated_signing: boolean;
  validation_url: string;
  files: { download_url: string }[];
}

/**
 * Calls the signing API with curl, as scripts do: the id unencoded in the URL, `channel` before `upload`, and a new one-time
 * token for each request. curl sends `Expect: 100-continue` with bodies over 1 MB.
 */
export const curlClient: SigningClient = {
  name: 'curl',
  sendsFile: true,
  idKey: 'browser_specific_settings',
  sign: async (job) => {
    const upload = await curl(job, uploadWords(job));
    if (upload.status >= 400) return failed(`Server response: ${reason(upload.body)} (status: ${upload.status})`);
    const { url } = JSON.parse(upload.body) as Status;
    const status = await until(`the final status at ${url}`, SIGNED_MS, () => finalStatus(job, url), 500);
    if (!status.valid) return failed(`Your add-on failed validation: ${status.validation_url}`);
    if (!status.active) return failed('Your add-on has been submitted for review.');
    const [file] = status.files;
    const address = file?.download_url ?? '';
    const download = await curl(job, ['-L', '-o', join(job.saveTo, basename(new URL(address).pathname)), address]);
    return { exitCode: download.status === 200 ? 0 : 1, output: `Downloaded ${address}`, id: status.guid };
  },
};

const failed = (output: string): SignOutcome => ({ exitCode: 1, output, id: null });

function uploadWords({ prefix, file, id, version, channel }: SignJob): string[] {
  const upload = ['-F', `upload=@${file}`];
  if (id === null) return ['-X', 'POST', ...upload, '-F', `version=${version}`, `${prefix}/addons/`];
  const choice = channel === undefined ? [] : ['-F', `channel=${channel};type=text/plain; charset=utf-8`];
  return ['-X', 'PUT', ...choice, ...upload, `${prefix}/addons/${id}/versions/${version}/`];
}

/** The status of the upload if it is final without a reviewer, otherwise null. */
async function finalStatus(job: SignJob, url: string): Promise<Status | null> {
  const { status, body } = await curl(job, [url]);
  if (status !== 200) throw new Error(`${url} returned ${status}: ${body}`);
  const upload = JSON.parse(body) as Status;
  const isOver = upload.processed && (!upload.valid || upload.active || !upload.automated_signing);
  return isOver ? upload : null;
}

/** `--globoff` because ids may contain braces; `-sS` prints errors only. The last line of the output is the HTTP status. */
async function curl(credentials: SignJob, words: string[]): Promise<{ status: number; body: string }> {
  const fixed = ['--globoff', '-sS', '-w', '\\n%{http_code}', '-H', `Authorization: ${authorization(credentials)}`];
  const { exitCode, stdout, output } = await runProgram('curl', [...fixed, ...words]);
  if (exitCode !== 0) throw new Error(`curl ended with ${exitCode}: ${output}`);
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
}

function reason(body: string): string {
  const { error } = JSON.parse(body) as { error?: string };
  return error ?? body;
}
