import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { xpi } from '../support/packages.ts';
import { type UploaderOptions, waitForRoom } from './kill-uploads.ts';
import { exchange, type HttpResponse, NoResponseError } from './support/http-exchange.ts';
import { MARK } from './support/published-file.ts';
import { authorization, uploadForm } from './support/signing-client.ts';

const PAUSE_MS = 40;
const TIMEOUT_MS = 20_000;
/** Time for which an acknowledged upload may wait for its verdict. */
const VERDICT_MS = 240_000;

/**
 * Uploads one package after the other under API v5 and submits each when it is valid, until `stop`. An acknowledged upload
 * must get its verdict, and a submission without a response is repeated until the version exists, once.
 */
export async function keepSubmitting(options: UploaderOptions): Promise<void> {
  const { ledger, name, stop } = options;
  const guid = `${name}@example.org`;
  for (let number = 1; !stop.aborted; number++) {
    const version = `1.${number}`;
    const mark = `${guid} ${version}`;
    const file = await xpi({ guid, version, files: { [MARK]: mark } });
    const uuid = await uploadPackage(options, file, mark);
    if (uuid !== null && (await isValid(options, uuid, mark))) {
      const status = await submitUpload(options, guid, uuid);
      const sha256 = createHash('sha256').update(file).digest('hex');
      if (status === 201 || status === 200) ledger.accepted.push({ guid, version, mark, sha256, acknowledged: true });
      else ledger.problems.push(`the response to the submission of ${mark} was ${status}`);
    }
    await waitForRoom(options);
  }
}

/** Uploads a package until the service acknowledges it. Returns the uuid; null after an unexpected response. */
async function uploadPackage(options: UploaderOptions, file: Buffer, mark: string): Promise<string | null> {
  const { contentType, body } = uploadForm(file, { channel: 'unlisted' });
  const headers = { 'content-type': contentType, 'content-length': String(body.length) };
  const response = await sendUntilResponse(options, 'POST', '/api/v5/addons/upload/', headers, body);
  if (response.status === 201) return (JSON.parse(response.body.toString()) as { uuid: string }).uuid;
  options.ledger.problems.push(`the response to the package of ${mark} was ${response.status} ${response.body}`);
  return null;
}

/** Polls an upload until it has its verdict. */
async function isValid(options: UploaderOptions, uuid: string, mark: string): Promise<boolean> {
  const started = performance.now();
  for (;;) {
    const response = await sendUntilResponse(options, 'GET', `/api/v5/addons/upload/${uuid}/`);
    if (response.status !== 200) {
      options.ledger.problems.push(`the upload ${uuid} of ${mark} is lost: ${response.status}`);
      return false;
    }
    const { processed, valid } = JSON.parse(response.body.toString()) as { processed: boolean; valid: boolean };
    if (processed && !valid) options.ledger.problems.push(`the upload ${uuid} of ${mark} is not valid`);
    if (processed) return valid;
    if (performance.now() - started > VERDICT_MS) {
      options.ledger.problems.push(`the upload ${uuid} of ${mark} has no verdict`);
      return false;
    }
    await sleep(PAUSE_MS);
  }
}

async function submitUpload(options: UploaderOptions, guid: string, uuid: string): Promise<number> {
  const body = Buffer.from(JSON.stringify({ version: { upload: uuid } }));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const target = `/api/v5/addons/addon/${encodeURIComponent(guid)}/`;
  return (await sendUntilResponse(options, 'PUT', target, headers, body)).status;
}

/** Sends a request again while there is no response or a 503. */
async function sendUntilResponse(
  { url, key, ledger }: UploaderOptions,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Buffer,
): Promise<HttpResponse> {
  for (;;) {
    try {
      const response = await exchange({
        ...{ method, url: url + path, signal: AbortSignal.timeout(TIMEOUT_MS) },
        headers: { ...headers, authorization: authorization(key) },
        ...(body ? { body } : {}),
      });
      if (response.status !== 503) return response;
      ledger.unavailable++;
    } catch (error) {
      if (!(error instanceof NoResponseError)) throw error;
      ledger.missingResponses++;
    }
    await sleep(PAUSE_MS);
  }
}
