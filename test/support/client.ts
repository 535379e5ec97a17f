import { createHmac, randomUUID } from 'node:crypto';
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { RECENT_SIGN_IN } from '../../src/graphql/sign-in-rules.ts';

/** A complete response. */
export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
  /** The parsed body of a JSON response. */
  json: unknown;
}

/** Headers and body of a request. */
export interface RequestOptions {
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A form: strings are fields, the others files. */
export type FormParts = Record<string, string | Buffer | { bytes: Buffer; fileName: string; type?: string }>;

/** The credentials of a client: an API key, an access token, or null for an anonymous client. */
export type Credentials = { key: string; secret: string } | { token: string } | null;

/** Called with every response that a client receives, and its request. */
export type OnReply = (exchange: { method: string; path: string; reply: Reply }) => void;

/** Makes an access token of an account, as a sign-in does. */
export type SignIn = (accountId: number) => Promise<string>;

/** Mutations that need a recent sign-in, which API keys do not prove. */
const NEEDS_SIGN_IN = new RegExp(`\\b(?:${Object.keys(RECENT_SIGN_IN).join('|')})\\(`);

const BOUNDARY = '----a-boundary-of-the-tests';

/** Sends the requests of one account to a running service, each with a new one-time token. */
export class Client {
  readonly url: string;
  readonly credentials: Credentials;
  /** The account's id; null for an anonymous client. */
  readonly accountId: number | null;
  readonly #onReply: OnReply;
  /** Returns a new access token of the account. */
  readonly #signIn: SignIn | null;

  constructor(
    url: string,
    onReply: OnReply,
    credentials: Credentials = null,
    accountId: number | null = null,
    signIn: SignIn | null = null,
  ) {
    this.url = url;
    this.#onReply = onReply;
    this.#signIn = signIn;
    this.credentials = credentials;
    this.accountId = accountId;
  }

  /** The Authorization header for one request. */
  authorization(): Record<string, string> {
    if (this.credentials === null) return {};
    if ('token' in this.credentials) return { Authorization: `Bearer ${this.credentials.token}` };
    return { Authorization: `JWT ${oneTimeToken(this.credentials)}` };
  }

  /** Sends one request. `path` is sent unchanged, or is a URL that the service returned. */
  async request(method: string, path: string, { headers = {}, body }: RequestOptions = {}): Promise<Reply> {
    const target = path.startsWith(this.url) ? path.slice(this.url.length) : path;
    const reply = await exchange(this.url, method, target, { ...this.authorization(), ...headers }, body);
    this.#onReply({ method, path: target, reply });
    return reply;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.request('GET', path, { headers });
  }

  head(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.request('HEAD', path, { headers });
  }

  put(path: string, form: FormParts, headers: Record<string, string> = {}): Promise<Reply> {
    return this.#sendForm('PUT', path, form, headers);
  }

  post(path: string, form: FormParts, headers: Record<string, string> = {}): Promise<Reply> {
    return this.#sendForm('POST', path, form, headers);
  }

  #sendForm(method: string, path: string, form: FormParts, headers: Record<string, string>): Promise<Reply> {
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    return this.request(method, path, { headers: { 'Content-Type': type, ...headers }, body: encodeForm(form) });
  }

  /** A client with an access token of a new sign-in of the account. */
  async withSignIn(): Promise<Client> {
    const token = this.accountId === null ? undefined : await this.#signIn?.(this.accountId);
    if (token === undefined) throw new Error('the account of this client is unknown');
    return new Client(this.url, this.#onReply, { token }, this.accountId, this.#signIn);
  }

  /** Runs a GraphQL operation and returns its `data`. Throws if it has top-level errors. */
  async graphql<Data = Record<string, unknown>>(query: string, variables: Record<string, unknown> = {}): Promise<Data> {
    const { data, errors } = await this.graphqlResult<Data>(query, variables);
    if (errors !== undefined) throw new Error(`GraphQL: ${JSON.stringify(errors)}`);
    return data as Data;
  }

  /** Runs a GraphQL operation and returns data and errors. Signs in before a mutation that needs it. */
  async graphqlResult<Data>(
    query: string,
    variables: Record<string, unknown> = {},
  ): Promise<{ data?: Data; errors?: { message: string; extensions?: Record<string, unknown> }[] }> {
    const needsSignIn = NEEDS_SIGN_IN.test(query) && this.credentials !== null && 'key' in this.credentials;
    const token = needsSignIn && this.accountId !== null ? await this.#signIn?.(this.accountId) : undefined;
    const headers = {
      ...{ 'Content-Type': 'application/json', Accept: 'application/json' },
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    };
    const body = JSON.stringify({ query, variables });
    return (await this.request('POST', '/graphql', { headers, body })).json as never;
  }
}

/** A one-time token (contract, Authentication). */
function oneTimeToken({ key, secret }: { key: string; secret: string }): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iss: key, jti: randomUUID(), iat: now, exp: now + 60 })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** The bytes of a `multipart/form-data` body, parts in the order of the keys. */
export function encodeForm(form: FormParts, boundary = BOUNDARY): Buffer {
  const parts = Object.entries(form).map(([name, value]) => {
    if (typeof value === 'string') {
      return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    }
    const file = Buffer.isBuffer(value) ? { bytes: value, fileName: 'package.xpi' } : value;
    const type = 'type' in file && file.type ? file.type : 'application/x-xpinstall';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${file.fileName}"\r\nContent-Type: ${type}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), file.bytes, Buffer.from('\r\n')]);
  });
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Sends one request with the path unchanged, by default on a new connection, and returns the complete response. */
export function exchange(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | Buffer,
  agent: Agent | false = false,
): Promise<Reply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const request = httpRequest({ hostname, port, method, path, agent, headers: { ...length, ...headers } });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(replyOf(response.statusCode ?? 0, response.headers, Buffer.concat(chunks))));
    });
    request.on('error', reject);
    request.end(body);
  });
}

function replyOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Reply {
  const text = bytes.toString('utf8');
  const isJson = (headers['content-type'] ?? '').includes('json') && text !== '';
  return { status, headers, bytes, text, json: isJson ? JSON.parse(text) : null };
}
