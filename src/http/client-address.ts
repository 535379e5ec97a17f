import type { IncomingMessage } from 'node:http';
import proxyaddr from 'proxy-addr';
import { noteUntrustedProxy } from '../infra/untrusted-proxies.ts';

/**
 * Compiles the addresses and networks of trusted proxies into a predicate on one address.
 * @throws {TypeError} for an entry that is neither an address nor a network.
 */
export function compileTrust(trustedProxies: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyaddr.compile([...trustedProxies]);
  return (address) => isTrusted(address, 0);
}

/** Returns the address of the client: the last hop of X-Forwarded-For that no trusted proxy owns; null after a disconnect. */
export function clientAddress(request: IncomingMessage, isTrusted: (address: string) => boolean): string | null {
  const direct = request.socket.remoteAddress;
  const forwarded = request.headers['x-forwarded-for'];
  if (direct === undefined || forwarded === undefined) return direct ?? null;
  if (!isTrusted(direct)) {
    noteUntrustedProxy(direct);
    return direct;
  }
  // The usual case, one hop, without the parser of lists.
  if (typeof forwarded === 'string' && forwarded !== '' && !forwarded.includes(',')) {
    return forwarded;
  }
  return proxyaddr(request, isTrusted) ?? null;
}
