import { randomUUID } from 'node:crypto';
import jsonwebtoken from 'jsonwebtoken';

const LIFETIME_S = 300;

/** A token for one request, signed with an API key (contract, Authentication: HS256, at most five minutes, a new `jti` each time). */
export function newOneTimeToken({ key, secret }: { key: string; secret: string }): string {
  const iat = Math.floor(Date.now() / 1000);
  return jsonwebtoken.sign({ iss: key, iat, exp: iat + LIFETIME_S, jti: randomUUID() }, secret, { algorithm: 'HS256' });
}
