/* A receiver of webhooks on loopback whose responses a test sets. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  url: string;
  port: number;
  readonly received: Received[];
  respond: (response: ServerResponse, path: string) => void;
  close(): void;
}

/** Starts a receiver that accepts everything. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? '';
    made.received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() });
    made.respond(response, path);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const made: WebhookReceiver = {
    ...{ url: `http://127.0.0.1:${port}`, port, received: [] },
    respond: (response) => response.writeHead(204).end(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return made;
}

/** Whether the signature of a request is valid, as a receiver checks it. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const [id, time, signature = ''] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name]),
  );
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest();
  return signature.split(' ').some((each) => timingSafeEqual(Buffer.from(each.replace('v1,', ''), 'base64'), expected));
}

/** A response whose body has no end. */
export function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(16_384, 'x');
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response
    .writeHead(200)
    .on('drain', write)
    .on('error', () => {});
  write();
}
