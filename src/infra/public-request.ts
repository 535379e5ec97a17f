/*
 * Requests to addresses that users name. They reach public hosts only: names are resolved here, and the connection is made to an address
 * that was checked. Redirects are not followed; duration and size of a response are limited.
 */
import { type LookupAddress, lookup as resolve } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { englishText, type Message, message } from '../texts/messages.ts';
import { boundedBody, TooLongError } from './bounded-body.ts';

/** Limit of the body of a response, in bytes. */
const MAX_RESPONSE = 65_536;

/** Networks of IPv4 that are not of the public internet (RFC 6890 and its registry). */
const SPECIAL_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** IPv6 has public addresses in 2000::/3 alone, without these: protocol assignments, documentation, and IPv4 in IPv6. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48'];

type Family = 'ipv4' | 'ipv6';

const familyOf = (address: string): Family => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function networks(list: readonly string[]): BlockList {
  const made = new BlockList();
  for (const text of list) {
    const [address = '', bits] = text.split('/');
    const family = familyOf(address);
    made.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return made;
}

const special = networks([...SPECIAL_V4, ...SPECIAL_V6]);
const global6 = networks(['2000::/3']);

/** Whether an address is of the public internet. */
function isPublicAddress(address: string): boolean {
  const family = familyOf(address);
  if (special.check(address, family)) return false;
  return family === 'ipv4' || global6.check(address, family);
}

/** A request failed: no connection, no valid response in time, or a host that may not be reached. The reason has no secrets. */
export class PublicRequestError extends Error {
  override readonly name = 'PublicRequestError';
  readonly reason: Message;

  constructor(reason: Message, options?: ErrorOptions) {
    super(englishText(reason), options);
    this.reason = reason;
  }
}

interface PublicRequest {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Until the end of the response. */
  timeoutSeconds: number;
  /** Networks that are reached although they are not public, also without TLS. */
  privateNetworks: readonly string[];
}

/** Whether requests with a protocol may go to an address. */
function addressCheck(protocol: string, privateNetworks: readonly string[]): (address: string) => boolean {
  const allowed = networks(privateNetworks);
  return (address) => allowed.check(address, familyOf(address)) || (protocol === 'https:' && isPublicAddress(address));
}

/**
 * Whether requests to an address are possible at all: a host that is an address must be allowed, and http is for private networks. What a
 * name resolves to is checked with each request.
 */
export function isReachable({ protocol, hostname }: URL, privateNetworks: readonly string[]): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return addressCheck(protocol, privateNetworks)(host);
  return protocol === 'https:' || (protocol === 'http:' && privateNetworks.length > 0);
}

const notPublic = (): PublicRequestError => new PublicRequestError(message('webhook.no_public_address'));

function checkedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const addresses = error === null ? found.filter(({ address }) => isAllowed(address)) : [];
      const [first] = addresses;
      if (first === undefined) callback(error ?? notPublic(), '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Sends a POST request. Returns the status of the response, whose body is read and dropped. @throws {PublicRequestError}. */
export async function postPublicly(url: URL, sent: PublicRequest): Promise<number> {
  const { headers, body, privateNetworks, timeoutSeconds } = sent;
  // A connection to an address, not a name, is made without a look-up.
  if (!isReachable(url, privateNetworks)) throw notPublic();
  const isAllowed = addressCheck(url.protocol, privateNetworks);
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    const response = await send(url, { headers, body, signal, lookup: checkedLookup(isAllowed) });
    await boundedBody(response, MAX_RESPONSE);
    return response.statusCode ?? 0;
  } catch (error) {
    if (error instanceof PublicRequestError) throw error;
    const isLate = signal.aborted;
    const reason = isLate ? message('webhook.no_response', { seconds: timeoutSeconds }) : reasonOf(error as Error);
    throw new PublicRequestError(reason, { cause: error });
  }
}

/** Codes of a name that has no address, or of a resolver that does not respond. */
const UNRESOLVED = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA']);
/** Codes of OpenSSL and Node for certificates and handshakes. */
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME|INVALID_CA|EPROTO)/;

/** Why there is no response, from the error of the connection. */
function reasonOf(error: Error & { code?: string }): Message {
  if (error instanceof TooLongError) return message('webhook.response_too_long', { count: error.maxBytes });
  const { code = error.name } = error;
  if (UNRESOLVED.has(code)) return message('webhook.unknown_host', { code });
  return message(TLS.test(code) ? 'webhook.tls_failed' : 'webhook.connection_failed', { code });
}

interface Sent {
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
  lookup: LookupFunction;
}

function send(url: URL, { headers, body, signal, lookup }: Sent): Promise<IncomingMessage> {
  const { promise, resolve: done, reject } = Promise.withResolvers<IncomingMessage>();
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const outgoing = request(url, {
    ...{ method: 'POST', agent: false, signal, lookup },
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
  });
  outgoing.on('response', done);
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}
