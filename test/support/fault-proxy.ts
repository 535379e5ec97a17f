import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What happens to a request. `hang`: no response. `error`: 503 without the server. `lose`: the server handles it, the client sees none of the
 * response. `cut`: half of the body. `alter`: a body with another byte. `alter-request`: the server gets a body with another byte.
 */
export type Fault = 'none' | 'hang' | 'error' | 'lose' | 'cut' | 'alter' | 'alter-request';

/** A proxy in front of a server that makes it fail. */
export interface FaultProxy {
  url: string;
  /** Chooses the fault of each request from now on. */
  choose(fault: (method: string, path: string) => Fault): void;
  /** Requests so far, as `METHOD /path`. */
  readonly requests: string[];
  close(): void;
}

/** Starts a proxy to `target`, a base URL. Requests keep their Host, which is a part of signatures. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let choose: (method: string, path: string) => Fault = () => 'none';
  const requests: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    requests.push(`${method} ${url.split('?')[0]}`);
    await forward(target, choose(method, url), incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    choose: (fault) => {
      choose = fault;
    },
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function forward(
  target: string,
  fault: Fault,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method, url = '/', headers } = incoming;
  if (fault === 'hang') return;
  if (fault === 'error') return void outgoing.writeHead(503).end();
  const forwarded = request(target + url, { method, headers, agent: false });
  forwarded.on('error', () => outgoing.destroy());
  const body = await buffer(incoming);
  forwarded.end(fault === 'alter-request' ? altered(body) : body);
  const [response] = (await once(forwarded, 'response')) as [IncomingMessage];
  const received = await buffer(response);
  if (fault === 'lose') return void outgoing.destroy();
  outgoing.writeHead(response.statusCode ?? 502, response.headers);
  if (fault !== 'cut') return void outgoing.end(fault === 'alter' ? altered(received) : received);
  outgoing.write(received.subarray(0, received.length / 2), () => outgoing.destroy());
}

function altered(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const middle = Math.floor(copy.length / 2);
  if (copy.length > 0) copy[middle] = (copy[middle] ?? 0) ^ 1;
  return copy;
}
