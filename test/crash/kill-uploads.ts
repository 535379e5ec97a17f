import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { xpi } from '../support/packages.ts';
import { exchange, type HttpResponse, NoResponseError } from './support/http-exchange.ts';
import type { InstalledDatabase } from './support/installed-database.ts';
import { MARK } from './support/published-file.ts';
import { type ApiKey, authorization, uploadForm, versionPath } from './support/signing-client.ts';

/**
 * A version that the service accepted: it responded so, or a retry found the number taken after a request with an unknown
 * outcome. The outcome is unknown without a response, and after a 503: the connection to the database may have ended after
 * the transaction was committed and before the COMMIT was acknowledged or the upload was read for the response.
 */
export interface AcceptedVersion {
  guid: string;
  version: string;
  mark: string;
  /** Of the uploaded bytes, hex. */
  sha256: string;
  /** Whether the service acknowledged it with 201 or 202. */
  acknowledged: boolean;
}

/** Results of the uploaders. */
export interface Ledger {
  accepted: AcceptedVersion[];
  /** Number of requests without a response. */
  missingResponses: number;
  /** Number of responses with status 503. */
  unavailable: number;
  /** Number of bodies being sent now. */
  bodiesUnderWay: number;
  problems: string[];
}

export function newLedger(): Ledger {
  return { accepted: [], missingResponses: 0, unavailable: 0, bodiesUnderWay: 0, problems: [] };
}

export interface UploaderOptions {
  url: string;
  key: ApiKey;
  name: string;
  ledger: Ledger;
  database: InstalledDatabase;
  stop: AbortSignal;
}

/** Enough unfinished versions for every kill to interrupt some. */
const BACKLOG = 12;
const PAUSE_MS = 40;
const TIMEOUT_MS = 20_000;
const PIECES = 3;

/** Uploads one version after the other until `stop`, and then finishes the current one. */
export async function keepUploading(options: UploaderOptions): Promise<void> {
  const guid = `${options.name}@example.org`;
  for (let number = 1; !options.stop.aborted; number++) {
    await uploadUntilAccepted(options, guid, `1.${number}`);
    await waitForRoom(options);
  }
}

/** Waits while the backlog is long enough, and then for a moment. */
export async function waitForRoom({ stop, database }: UploaderOptions): Promise<void> {
  while (!stop.aborted && (await backlog(database)) >= BACKLOG) await sleep(PAUSE_MS);
  await sleep(Math.random() * PAUSE_MS);
}

async function backlog(database: InstalledDatabase): Promise<number> {
  const [row] = await database.query<{ open: number }>(
    `SELECT (SELECT count(*) FROM version WHERE stage IN ('received', 'validating', 'valid', 'signing'))::int
       + (SELECT count(*) FROM upload WHERE stage IN ('received', 'validating'))::int AS open`,
  );
  return row?.open ?? 0;
}

async function uploadUntilAccepted(options: UploaderOptions, guid: string, version: string): Promise<void> {
  const { ledger } = options;
  const mark = `${guid} ${version}`;
  const file = await xpi({ guid, version, files: { [MARK]: mark } });
  const sha256 = createHash('sha256').update(file).digest('hex');
  for (let isOutcomeUnknown = false; ; isOutcomeUnknown = true) {
    const response = await send(options, guid, version, file);
    const status = response?.status ?? null;
    const acknowledged = status === 201 || status === 202;
    if (acknowledged || (status === 409 && isOutcomeUnknown)) {
      ledger.accepted.push({ guid, version, mark, sha256, acknowledged });
      return;
    }
    if (status === null) ledger.missingResponses++;
    else if (status === 503) ledger.unavailable++;
    else {
      ledger.problems.push(`the response to an upload of ${mark} was ${status} ${response?.body}`);
      return;
    }
    await sleep(PAUSE_MS);
  }
}

/** Sends the upload in pieces with pauses. Returns null without a response. */
async function send(
  { url, key, ledger }: UploaderOptions,
  guid: string,
  version: string,
  file: Buffer,
): Promise<HttpResponse | null> {
  const { contentType, body } = uploadForm(file);
  const headers = {
    authorization: authorization(key),
    'content-type': contentType,
    'content-length': String(body.length),
  };
  try {
    const target = url + versionPath(guid, version);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await exchange({ method: 'PUT', url: target, headers, body: slowly(body, ledger), signal });
  } catch (error) {
    if (error instanceof NoResponseError) return null;
    throw error;
  }
}

async function* slowly(body: Buffer, ledger: Ledger): AsyncGenerator<Buffer> {
  const size = Math.ceil(body.length / PIECES);
  ledger.bodiesUnderWay++;
  try {
    for (let at = 0; at < body.length; at += size) {
      yield body.subarray(at, at + size);
      if (at + size < body.length) await sleep(Math.random() * 15);
    }
  } finally {
    ledger.bodiesUnderWay--;
  }
}
