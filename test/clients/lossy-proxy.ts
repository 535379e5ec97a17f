import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy that can lose responses, as a connection does that breaks at the wrong moment. */
export interface LossyProxy {
  /** Base URL without a trailing slash. */
  url: string;
  /** Loses the response to the next request with this method and path: the service has handled it, the client sees none. */
  loseNext(method: string, path: RegExp): void;
  close(): void;
}

/** Starts a proxy to `target`, a base URL. */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const losses: { method: string; path: RegExp }[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const forwarded = request(target + url, { method, headers, agent: false });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
    const [response] = await once(forwarded, 'response');
    const body = await buffer(response);
    const index = losses.findIndex((loss) => loss.method === method && loss.path.test(url));
    if (index !== -1) {
      losses.splice(index, 1);
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    outgoing.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    loseNext: (method, path) => losses.push({ method, path }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
