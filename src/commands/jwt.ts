import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import jsonwebtoken from 'jsonwebtoken';
import { CommandError, type Invocation, UsageError } from './command.ts';
import { print } from './output.ts';

const LIFETIME_S = 300;

/** Prints a one-time token for one request (contract, Authentication: HS256, five minutes, a new `jti` each time). */
export async function printJwt(invocation: Invocation): Promise<void> {
  const { key, secret } = await readCredentials(invocation);
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: key, iat, exp: iat + LIFETIME_S, jti: randomUUID() };
  print(jsonwebtoken.sign(claims, secret, { algorithm: 'HS256' }));
}

async function readCredentials(invocation: Invocation): Promise<{ key: string; secret: string }> {
  const file = invocation.optionalText('key-file');
  const [key, secret] = [invocation.optionalText('key'), invocation.optionalText('secret')];
  if (file === undefined && key !== undefined && secret !== undefined) return { key, secret };
  if (file === undefined || key !== undefined || secret !== undefined) {
    throw new UsageError('jwt: give either --key and --secret, or --key-file');
  }
  const read = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  if (typeof read.key === 'string' && typeof read.secret === 'string') return { key: read.key, secret: read.secret };
  throw new CommandError(`${file} does not hold what "addons key create --json" prints`);
}
