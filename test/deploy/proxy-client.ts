import { Agent, type RequestOptions, request } from 'node:https';
import { buffer } from 'node:stream/consumers';

/** The name of the service. */
export const HOST = 'addons.example.org';

/** Keeps connections open, as clients of a proxy do. Its certificate is one of the test. */
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

export interface Answer {
  status: number;
  location: string | undefined;
  body: string;
}

/** Sends a request to a proxy. @throws without a complete response. */
export async function send(
  port: number,
  { path, method = 'GET', headers = {}, body }: RequestOptions & { path: string; body?: Buffer },
): Promise<Answer> {
  const outgoing = request({ port, path, method, agent, host: '127.0.0.1', headers: { host: HOST, ...headers } });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  outgoing.on('error', reject);
  outgoing.on('response', (response) => {
    buffer(response).then(
      (content) =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location, body: String(content) }),
      reject,
    );
  });
  outgoing.end(body);
  return promise;
}
