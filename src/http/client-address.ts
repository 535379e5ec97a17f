import type { IncomingMessage } from 'node:http';
import proxyaddr from 'proxy-addr';

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
  if (request.headers['x-forwarded-for'] === undefined) return request.socket.remoteAddress ?? null;
  return proxyaddr(request, isTrusted) ?? null;
}
