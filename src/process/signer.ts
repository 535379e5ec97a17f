/*
 * `addons signer`: the process that holds the signing key for workers on other hosts. It listens on HTTPS to clients with certificates of
 * its own authority, decides about each request by the database, and makes the bytes to sign by itself (docs/decisions.md D136).
 */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { z } from 'zod';
import { requireSigningRoot } from '../auth/shared-keys.ts';
import { config } from '../config.ts';
import { openOwnKey, rootOf } from '../domain/signing/open-signer.ts';
import { refusalOf } from '../domain/signing/signing-policy.ts';
import { log } from '../infra/log.ts';
import { countSignature } from '../infra/rate-limits.ts';
import { readSignerFile } from '../infra/signer/certificate-file.ts';
import { readKeyText } from '../infra/signer/file-signer.ts';
import { type Signer, SignerSetupError, type SigningRequest } from '../infra/signer/signer.ts';
import { issueCertificate } from '../package/signing/end-entity.ts';
import { issuerOf } from '../package/signing/issuer.ts';

const MAX_BODY_BYTES = 16_384;
const REQUEST_MS = 10_000;

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));

/** A request for a signature; see `SigningBody`. */
const signingBody = z.strictObject({
  serial: hex(32),
  guid: z.string().min(1).max(255),
  version: z.string().min(1).max(255),
  inputSha256: hex(64),
  organizationalUnit: z.string().max(64),
  notBefore: z.iso.datetime(),
  notAfter: z.iso.datetime(),
  publicKey: z.base64().max(1_000),
  issuerSha256: hex(64),
});

interface Reply {
  status: number;
  json: object;
}

const refuse = (status: number, error: string): Reply => ({ status, json: { error } });

/** A running signer. */
export interface RunningSigner {
  port: number;
  /** Opens the key and the files of the listener again. Rejects, and changes nothing, when one cannot be used. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts to listen. The database must be open.
 * @throws {SignerSetupError} when the key or a file cannot be used. @throws {SharedKeyError} when the root is not that of the installation.
 */
export async function startSigner(): Promise<RunningSigner> {
  let signer = await openKey();
  const server = createServer(await listenerFiles(), (request, response) => {
    reply(request, signer)
      .then(({ status, json }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(json));
      })
      .catch((error) => {
        log.error({ err: error }, 'A response of the signer could not be sent.');
        response.destroy();
      });
  });
  server.requestTimeout = REQUEST_MS;
  server.headersTimeout = REQUEST_MS;
  server.listen(config.SIGNER_PORT, config.SIGNER_HOST);
  await once(server, 'listening');
  return {
    port: config.SIGNER_PORT,
    reload: async () => {
      const [next, files] = await Promise.all([openKey(), listenerFiles()]);
      signer = next;
      server.setSecureContext(files);
    },
    stop: async () => {
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), REQUEST_MS);
      await once(server, 'close');
      clearTimeout(timer);
    },
  };
}

async function openKey(): Promise<Signer> {
  const signer = await openOwnKey();
  await requireSigningRoot(rootOf(signer), 'serves');
  return signer;
}

async function listenerFiles(): Promise<ServerOptions> {
  const { SIGNER_CERT_FILE, SIGNER_KEY_FILE, SIGNER_CLIENT_CA_FILE } = config;
  if (!SIGNER_CERT_FILE || !SIGNER_KEY_FILE || !SIGNER_CLIENT_CA_FILE) {
    throw new SignerSetupError('Set SIGNER_CERT_FILE, SIGNER_KEY_FILE and SIGNER_CLIENT_CA_FILE.');
  }
  const [cert, key, ca] = await Promise.all([
    readSignerFile(SIGNER_CERT_FILE),
    readKeyText(SIGNER_KEY_FILE),
    readSignerFile(SIGNER_CLIENT_CA_FILE),
  ]);
  return { cert, key, ca, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' };
}

async function reply(request: IncomingMessage, signer: Signer): Promise<Reply> {
  try {
    const { method, url } = request;
    if (method === 'GET' && url === '/issuer') return { status: 200, json: { chain: chainPem(signer) } };
    if (method !== 'POST' || url !== '/sign') return refuse(404, 'there are GET /issuer and POST /sign');
    return await sign(request, signer);
  } catch (error) {
    log.error({ err: error }, 'A certificate could not be signed.');
    return refuse(503, 'the signer cannot decide now');
  }
}

function chainPem(signer: Signer): string {
  const pem = (der: Buffer) =>
    `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  return signer.chain().map(pem).join('');
}

async function sign(request: IncomingMessage, signer: Signer): Promise<Reply> {
  const body = await readBody(request);
  if (body === null) return refuse(400, 'the body is too long or no request');
  const { version, inputSha256, issuerSha256, notBefore, notAfter, publicKey, ...facts } = body;
  const client = (request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? '';
  const audited = { client, serial: body.serial, guid: body.guid, version, inputSha256, issuerSha256 };
  const asked: SigningRequest = {
    ...facts,
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    publicKey: Buffer.from(publicKey, 'base64'),
    file: { version, inputSha256 },
  };
  if (issuerSha256 !== issuerOf(signer).sha256) return refuse(409, 'the issuer has another certificate now');
  if (!(await countSignature(String(client)))) {
    log.warn(audited, 'A certificate is not signed: too many requests.');
    return refuse(429, 'too many requests');
  }
  const refusal = await refusalOf(asked, signer);
  if (refusal !== null) {
    log.warn({ ...audited, refusal }, 'A certificate is not signed.');
    return refuse(403, refusal);
  }
  let signature: Buffer = Buffer.alloc(0);
  const signTbs: Signer['signTbs'] = async (bytes, of) => {
    signature = await signer.signTbs(bytes, of);
    return signature;
  };
  await issueCertificate(asked, { algorithm: signer.algorithm, chain: () => signer.chain(), signTbs });
  log.info(audited, 'A certificate was signed.');
  return { status: 200, json: { signature: signature.toString('base64') } };
}

/** Null when the body is too long, or is no request. */
async function readBody(request: IncomingMessage): Promise<z.infer<typeof signingBody> | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size <= MAX_BODY_BYTES) pieces.push(piece);
  }
  if (size > MAX_BODY_BYTES) return null;
  try {
    return signingBody.parse(JSON.parse(Buffer.concat(pieces).toString()));
  } catch {
    return null;
  }
}
