/* An issuer of ID tokens of jobs on loopback, in the format of a provider of continuous integration. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { JOB_CLAIMS, timesOf } from '../support/job-claims.ts';

export interface JobIssuer {
  issuer: string;
  subject: string;
  /** A new ID token for this audience. */
  token(audience: string): Promise<string>;
  close(): void;
}

export async function startJobIssuer(): Promise<JobIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const server = createServer(({ url }, response) => {
    const body = url === '/keys' ? { keys: [key] } : { issuer, jwks_uri: `${issuer}/keys` };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const claims = JOB_CLAIMS.github;
  return {
    issuer,
    subject: claims.sub,
    token: (aud) =>
      new SignJWT({ ...claims, ...timesOf('github'), iss: issuer, aud, jti: randomUUID() })
        .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'JWT' })
        .sign(privateKey),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
