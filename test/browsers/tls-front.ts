import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

/** A proxy that speaks https to browsers and http to the service, as in production. */
export interface TlsFront {
  /** Base URL without a trailing slash. */
  url: string;
  /** Path of the root certificate, as PEM. */
  rootFile: string;
  /** Sets the base URL of the service. */
  forwardTo(target: string): void;
  close(): void;
}

/** Starts it on loopback with a certificate of a root of its own, which openssl writes to `folder`. */
export async function startTlsFront(folder: string): Promise<TlsFront> {
  const { rootFile, key, cert } = await createCertificates(folder);
  let target = '';
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const forwarded = request(target + url, { method, headers });
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      pipeline(response, outgoing).catch(() => outgoing.destroy());
    });
    pipeline(incoming, forwarded).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rootFile,
    forwardTo: (url) => {
      target = url;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function createCertificates(folder: string): Promise<{ rootFile: string; key: Buffer; cert: Buffer }> {
  const path = (name: string) => join(folder, name);
  const openssl = (...words: string[]) => promisify(execFile)('openssl', words, { cwd: folder });
  const newKey = (name: string) => ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-keyout', name];
  await openssl('req', '-x509', ...newKey('root.key'), '-out', 'root.pem', '-days', '2', '-subj', '/CN=Own root');
  await openssl('req', ...newKey('own.key'), '-out', 'own.csr', '-subj', '/CN=127.0.0.1');
  await writeFile(path('own.ext'), 'subjectAltName = IP:127.0.0.1\nextendedKeyUsage = serverAuth\n');
  const issuer = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial'];
  await openssl('x509', '-req', '-in', 'own.csr', ...issuer, '-extfile', 'own.ext', '-out', 'own.pem', '-days', '2');
  return { rootFile: path('root.pem'), key: await readFile(path('own.key')), cert: await readFile(path('own.pem')) };
}
