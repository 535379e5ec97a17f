import { readFile } from 'node:fs/promises';
import { newOneTimeToken } from '../auth/jwt.ts';
import { CommandError, type Invocation, print, UsageError } from './command.ts';

/** Prints a one-time token for one request (contract, Authentication). */
export async function printJwt(invocation: Invocation): Promise<void> {
  print(newOneTimeToken(await readCredentials(invocation)));
}

async function readCredentials(invocation: Invocation): Promise<{ key: string; secret: string }> {
  const file = invocation.optionalText('key-file');
  const [key, secret] = [invocation.optionalText('key'), invocation.optionalText('secret')];
  if (file === undefined && key && secret) return { key, secret };
  if (file === undefined || key !== undefined || secret !== undefined) {
    throw new UsageError('jwt: give either --key and --secret, or --key-file');
  }
  const read = parse(await readFile(file, 'utf8'));
  if (typeof read?.key === 'string' && typeof read.secret === 'string') return { key: read.key, secret: read.secret };
  throw new CommandError(`${file} does not hold what "addons key create --json" prints`);
}

/** Null for what is not JSON. */
function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return null;
  }
}
