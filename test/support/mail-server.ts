import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail that the server accepted. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Header values by lower-case name, unfolded and still encoded. */
  headers: Map<string, string[]>;
  source: string;
}

/** What the server does with the next mail: accepts it, or refuses it with this status at this command. */
type Outcome = { at: 'rcpt' | 'data'; status: number } | 'drop' | 'hold' | null;

/** A mail server on loopback that keeps what it accepts. */
export interface LoopbackMailServer {
  url: string;
  mails: ReceivedMail[];
  /** Refusals of the next mails, in order; later ones are accepted. */
  outcomes: Outcome[];
  /** Resolves with the next mail that the server reads and does not acknowledge, for the outcome `hold`. */
  nextHeld(): Promise<ReceivedMail>;
  /** Accepts the mails that it holds. */
  releaseHeld(): void;
  close(): Promise<void>;
}

/** Starts a mail server. With the outcome `drop`, it ends the connection instead of acknowledging the mail. */
export async function startMailServer(): Promise<LoopbackMailServer> {
  const mails: ReceivedMail[] = [];
  const outcomes: Outcome[] = [];
  const sockets = new Set<Socket>();
  const held = new EventEmitter();
  const acceptHeld: (() => void)[] = [];
  const refusal = (status: number) => Object.assign(new Error('Refused by the test'), { responseCode: status });
  const isAt = (place: 'rcpt' | 'data'): { status: number } | null => {
    const [next] = outcomes;
    return next !== null && typeof next === 'object' && next.at === place ? next : null;
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo(_address, _session, done) {
      const refused = isAt('rcpt');
      if (refused === null) return done();
      outcomes.shift();
      return done(refusal(refused.status));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const outcome = outcomes.shift() ?? null;
        if (outcome === 'drop') {
          for (const socket of sockets) socket.destroy();
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const to = rcptTo.map(({ address }) => address);
        const mail = parse(Buffer.concat(chunks).toString('utf8'), from, to);
        const accept = () => {
          mails.push(mail);
          done();
        };
        if (outcome === 'hold') {
          acceptHeld.push(accept);
          return void held.emit('mail', mail);
        }
        if (outcome !== null) return done(refusal(outcome.status));
        return accept();
      });
    },
  });
  server.on('error', () => {});
  const front = await listen(server.server as Server, sockets);
  return {
    url: `smtp://127.0.0.1:${front.port}`,
    mails,
    outcomes,
    nextHeld: async () => (await once(held, 'mail'))[0] as ReceivedMail,
    releaseHeld: () => {
      for (const accept of acceptHeld.splice(0)) accept();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function listen(server: Server, sockets: Set<Socket>): Promise<{ port: number }> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as { port: number }).port };
}

/** A port of loopback where nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  const { port } = await listen(server, new Set());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function parse(source: string, from: string, to: string[]): ReceivedMail {
  const [head = ''] = source.split('\r\n\r\n', 1);
  const headers = new Map<string, string[]>();
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  return { from, to, headers, source };
}

/** The decoded parts of a multipart mail by media type. */
export function partsOf({ source, headers }: ReceivedMail): Map<string, string> {
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '')?.[1] ?? '';
  const parts = source.split(`--${boundary}`).slice(1, -1);
  return new Map(
    parts.map((part) => {
      const [head = '', ...rest] = part.split('\r\n\r\n');
      const body = rest.join('\r\n\r\n').replace(/\r\n$/, '');
      const type = /Content-Type: ([^;\s]+)/i.exec(head)?.[1] ?? '';
      const encoding = /Content-Transfer-Encoding: (\S+)/i.exec(head)?.[1] ?? '7bit';
      return [type, decode(body, encoding)];
    }),
  );
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8').replaceAll('\r\n', '\n');
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n');
  const bytes = body
    .replace(/=\r\n/g, '')
    .replaceAll('\r\n', '\n')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
