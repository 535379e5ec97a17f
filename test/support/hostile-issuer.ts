/* An OpenID provider on loopback whose responses a test sets. */
import {
  constants,
  createHmac,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** What a token request contained. */
export interface TokenRequest {
  form: Record<string, string>;
  headers: IncomingHttpHeaders;
}

export class HostileIssuer {
  readonly issuer: string;
  readonly #close: () => void;
  /** Changes of the discovery document. */
  metadata: Json = {};
  /** The public keys, by id. */
  keys = new Map<string, KeyPairKeyObjectResult>();
  /** The response of the token endpoint. */
  token: (request: TokenRequest) => { status?: number; body: unknown } = () => ({ status: 500, body: {} });
  /** Paths that respond with 500. */
  broken = new Set<string>();
  /** The claims at the UserInfo endpoint. */
  userInfo: Json = {};
  readonly requests: string[] = [];

  private constructor(issuer: string, close: () => void) {
    this.issuer = issuer;
    this.#close = close;
  }

  static async start(): Promise<HostileIssuer> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      const { status = 200, body } = made.#respond(request.url ?? '', { form, headers: request.headers });
      response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const made = new HostileIssuer(`http://127.0.0.1:${port}`, () => {
      server.closeAllConnections();
      server.close();
    });
    return made;
  }

  close(): void {
    this.#close();
  }

  #respond(path: string, request: TokenRequest): { status?: number; body: unknown } {
    this.requests.push(path);
    if (this.broken.has(path)) return { status: 500, body: 'out of order' };
    if (path === '/jwks') return { body: { keys: [...this.keys].map(([kid, pair]) => publicJwk(kid, pair)) } };
    if (path === '/token') return this.token(request);
    if (path === '/userinfo') return { body: this.userInfo };
    const { issuer } = this;
    const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
    return { body: { issuer, ...endpoints, jwks_uri: `${issuer}/jwks`, ...this.metadata } };
  }
}

const publicJwk = (kid: string, { publicKey }: KeyPairKeyObjectResult) => ({
  ...publicKey.export({ format: 'jwk' }),
  ...{ kid, use: 'sig' },
});

export const rsaKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
export const ecKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A signed token; `alg` of the header decides how. The key of an HMAC is a text. */
export function signedToken(header: Json, claims: Json, key: KeyObject | string): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${signature(String(header['alg']), signed, key).toString('base64url')}`;
}

function signature(alg: string, signed: string, key: KeyObject | string): Buffer {
  if (typeof key === 'string') return key === '' ? Buffer.alloc(0) : createHmac('sha256', key).update(signed).digest();
  const sign = createSign(alg.endsWith('384') ? 'SHA384' : 'SHA256').update(signed);
  if (alg.startsWith('ES')) return sign.sign({ key, dsaEncoding: 'ieee-p1363' });
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return sign.sign(alg.startsWith('PS') ? { key, ...pss } : key);
}
