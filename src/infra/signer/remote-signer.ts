/* A signer whose key is held by another process, `addons signer`, over HTTPS with certificates of both sides. */
import { verify, type X509Certificate } from 'node:crypto';
import { Agent, request } from 'node:https';
import { boundedBody } from '../bounded-body.ts';
import { algorithmOf, hashOfAlgorithm, parseChain, readSignerFile } from './certificate-file.ts';
import { readKeyText } from './file-signer.ts';
import { IssuerChangedError, type Signer, type SigningRequest } from './signer.ts';

const TIMEOUT_MS = 10_000;
/** Limit of one response, in bytes: chains have some thousand. */
const MAX_RESPONSE = 1_048_576;
const ISSUER_CHANGED = 409;

/** A request as JSON. */
export interface SigningBody extends Omit<SigningRequest, 'notBefore' | 'notAfter' | 'publicKey' | 'file'> {
  version: string;
  inputSha256: string;
  /** ISO 8601. */
  notBefore: string;
  notAfter: string;
  /** Base64. */
  publicKey: string;
  /** SHA-256 of the certificate that the client expects as the issuer's, hex. */
  issuerSha256: string;
}

/** Where a remote signer is, and the files of this client. */
interface RemoteSigner {
  url: string;
  certificateFile: string;
  keyFile: string;
  /** The authority of the certificate of the signer. */
  authorityFile: string;
}

/** The signer cannot be reached, or refuses a request. */
export class RemoteSignerError extends Error {
  override readonly name = 'RemoteSignerError';
}

interface Reply {
  status: number;
  json: { error?: string; chain?: string; signature?: string };
}

function send(agent: Agent, url: string, body?: object): Promise<Reply> {
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const fail = (error: Error) => reject(new RemoteSignerError(`The signer does not respond: ${error.message}`));
  const outgoing = request(url, {
    agent,
    method: content === undefined ? 'GET' : 'POST',
    headers: content === undefined ? {} : { 'content-type': 'application/json', 'content-length': content.length },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  outgoing.on('error', fail);
  outgoing.on('response', (response) => {
    boundedBody(response, MAX_RESPONSE)
      .then((bytes) => resolve({ status: response.statusCode ?? 0, json: JSON.parse(bytes.toString()) }))
      .catch(fail);
  });
  outgoing.end(content);
  return promise;
}

/**
 * A signer from a process that holds the key. Every signature is verified with the certificate of the issuer.
 * @throws {SignerSetupError} when a file of this client cannot be used, or the chain of the signer is none.
 * @throws {RemoteSignerError} when the signer cannot be reached.
 */
export async function openRemoteSigner(where: RemoteSigner, now = new Date()): Promise<Signer> {
  const [cert, key, ca] = await Promise.all([
    readSignerFile(where.certificateFile),
    readKeyText(where.keyFile),
    readSignerFile(where.authorityFile),
  ]);
  const agent = new Agent({ cert, key, ca, keepAlive: true, maxSockets: 8, minVersion: 'TLSv1.3' });
  const { status, json } = await send(agent, `${where.url}/issuer`);
  if (status !== 200) throw new RemoteSignerError(`The signer responded ${status}: ${json.error}`);
  const chain = parseChain(where.url, json.chain ?? '', now);
  const issuer = chain[0] as X509Certificate;
  const algorithm = algorithmOf(where.url, issuer.publicKey);
  const issuerSha256 = issuer.fingerprint256.replaceAll(':', '').toLowerCase();
  const signTbs: Signer['signTbs'] = async (bytes, { file, notBefore, notAfter, publicKey, ...facts }) => {
    if (file === null) throw new RemoteSignerError('The signer signs files of versions only.');
    const body: SigningBody = {
      ...facts,
      ...file,
      notBefore: notBefore.toISOString(),
      notAfter: notAfter.toISOString(),
      publicKey: publicKey.toString('base64'),
      issuerSha256,
    };
    const reply = await send(agent, `${where.url}/sign`, body);
    if (reply.status === ISSUER_CHANGED)
      throw new IssuerChangedError('The signer has another issuing certificate now.');
    if (reply.status !== 200) throw new RemoteSignerError(`The signer responded ${reply.status}: ${reply.json.error}`);
    const signature = Buffer.from(reply.json.signature ?? '', 'base64');
    if (!verify(hashOfAlgorithm(algorithm), bytes, issuer.publicKey, signature)) {
      throw new RemoteSignerError('The signature of the signer is not valid for this certificate.');
    }
    return signature;
  };
  return { algorithm, chain: () => chain.map(({ raw }) => raw), signTbs };
}
