/* Two independent servers with the S3 API, each with an empty bucket: programs of this machine, which tests skip when it has none. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { findProgram } from './find-program.ts';

/** A server that runs. */
export interface S3Server {
  endpoint: string;
  bucket: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** A client of the same library, for what tests do to objects. */
  client: S3Client;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const PROGRAMS = {
  versitygw: 'versitygw',
  moto: 'moto_server',
};

export type S3Kind = keyof typeof PROGRAMS;
export const S3_KINDS = Object.keys(PROGRAMS) as S3Kind[];

const CREDENTIALS = { accessKeyId: 'addons-tests', secretAccessKey: 'not-a-secret-of-anything' };
const BUCKET = 'addons';
const START_MS = 30_000;

/** Whether this machine has the program. */
export const hasS3Server = async (kind: S3Kind): Promise<boolean> => (await findProgram(PROGRAMS[kind])) !== null;

/** Starts a server on a free port, or on `port`. `folder` has its objects, and may exist. */
export async function startS3Server(kind: S3Kind, folder: string, port?: number): Promise<S3Server> {
  const own = port ?? (await freePort());
  const child = await launch(kind, folder, own);
  const endpoint = `http://127.0.0.1:${own}`;
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials: CREDENTIALS });
  await untilOpen(child, endpoint);
  await client.send(new CreateBucketCommand({ Bucket: BUCKET })).catch((error: Error) => {
    if (!/^BucketAlready/.test(error.name)) throw error;
  });
  const stop = async (signal: NodeJS.Signals = 'SIGKILL') => {
    client.destroy();
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return { endpoint, bucket: BUCKET, credentials: CREDENTIALS, client, stop };
}

async function launch(kind: S3Kind, folder: string, port: number): Promise<ChildProcess> {
  const { accessKeyId, secretAccessKey } = CREDENTIALS;
  const program = (await findProgram(PROGRAMS[kind])) ?? '';
  await mkdir(join(folder, 'objects'), { recursive: true });
  await mkdir(join(folder, 'attributes'), { recursive: true });
  const words =
    kind === 'moto'
      ? ['-H', '127.0.0.1', '-p', String(port)]
      : // Not every file system has extended attributes.
        [
          '--keep-alive',
          '--quiet',
          '--port',
          `127.0.0.1:${port}`,
          'posix',
          '--sidecar',
          join(folder, 'attributes'),
          join(folder, 'objects'),
        ];
  const env = { ...process.env, ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey };
  const child = spawn(program, words, { env, stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

async function untilOpen(child: ChildProcess, endpoint: string): Promise<void> {
  for (const deadline = Date.now() + START_MS; ; ) {
    if (await fetch(endpoint).catch(() => null)) return;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`no S3 server at ${endpoint}`);
    await setTimeout(50);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
