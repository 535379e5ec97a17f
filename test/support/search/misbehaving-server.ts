/* A search server whose responses the test sets. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface MisbehavingServer {
  url: string;
  /** Sets the response to all following requests. */
  behave(behaviour: Behaviour): void;
  /** The number of requests so far. */
  requestCount(): number;
  close(): Promise<void>;
}

/** Responds with JSON. */
export const says =
  (status: number, body: unknown): Behaviour =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'X-Elastic-Product': 'Elasticsearch' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Responds with an error in the form of a search server. */
export const fails = (status: number, type: string): Behaviour => says(status, { error: { type }, status });

/** Starts the server. It responds to version requests correctly, and to all others as `behave` sets. */
export async function startMisbehavingServer(): Promise<MisbehavingServer> {
  let behaviour = says(500, {});
  let requests = 0;
  const nodes = says(200, { nodes: { one: { version: '9.4.3' } } });
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/_nodes/_local')) return nodes(request, response);
    requests += 1;
    behaviour(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (next) => {
      behaviour = next;
    },
    requestCount: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
