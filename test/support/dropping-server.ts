import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A server that accepts every login of a PostgreSQL client and closes the connection at the first statement. */
export interface DroppingServer {
  url: string;
  /** Number of connections so far. */
  connections(): number;
  close(): void;
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

export async function startDroppingServer(): Promise<DroppingServer> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(Buffer.concat([AUTHENTICATED, READY]));
      socket.once('data', () => socket.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://any@127.0.0.1:${port}/any`, connections: () => connections, close: () => server.close() };
}
