import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { xpi } from '../support/packages.ts';
import { type Answer, exchange, NoAnswerError } from './support/http-exchange.ts';
import type { InstalledDatabase } from './support/installed-database.ts';
import { MARK } from './support/published-file.ts';
import { type ApiKey, authorization, uploadForm, versionPath } from './support/signing-client.ts';

/** A version that the service has taken: it said so, or a retry after silence found the number taken. */
export interface TakenVersion {
  guid: string;
  version: string;
  mark: string;
  /** Of the bytes that were sent, hex. */
  sha256: string;
  /** True when the service acknowledged it with 201 or 202. */
  acknowledged: boolean;
}

/** What the uploaders did. */
export interface Ledger {
  taken: TakenVersion[];
  /** Requests that got no answer. */
  silences: number;
  /** Answers 503. */
  unavailable: number;
  /** How many bodies are on their way right now. */
  bodiesUnderWay: number;
  problems: string[];
}

export function newLedger(): Ledger {
  return { taken: [], silences: 0, unavailable: 0, bodiesUnderWay: 0, problems: [] };
}

export interface UploaderOptions {
  url: string;
  key: ApiKey;
  name: string;
  ledger: Ledger;
  database: InstalledDatabase;
  stop: AbortSignal;
}

/** So many unfinished versions are enough for every kill to meet some. */
const BACKLOG = 12;
const PAUSE_MS = 40;
const TIMEOUT_MS = 20_000;
const PIECES = 3;

/** Uploads one version after the other until it is told to stop; the one under way is brought to its end. */
export async function keepUploading(options: UploaderOptions): Promise<void> {
  const guid = `${options.name}@example.org`;
  for (let number = 1; !options.stop.aborted; number++) {
    await uploadUntilTaken(options, guid, `1.${number}`);
    while (!options.stop.aborted && (await backlog(options.database)) >= BACKLOG) await sleep(PAUSE_MS);
    await sleep(Math.random() * PAUSE_MS);
  }
}

async function backlog(database: InstalledDatabase): Promise<number> {
  const [row] = await database.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM version WHERE stage IN ('received', 'validating', 'valid', 'signing')`,
  );
  return row?.open ?? 0;
}

async function uploadUntilTaken(options: UploaderOptions, guid: string, version: string): Promise<void> {
  const { ledger } = options;
  const mark = `${guid} ${version}`;
  const file = await xpi({ guid, version, files: { [MARK]: mark } });
  const sha256 = createHash('sha256').update(file).digest('hex');
  for (let wasSilent = false; ; ) {
    const answer = await send(options, guid, version, file);
    if (answer === null) {
      wasSilent = true;
      await sleep(PAUSE_MS);
      continue;
    }
    const { status } = answer;
    const acknowledged = status === 201 || status === 202;
    if (acknowledged || (status === 409 && wasSilent)) {
      ledger.taken.push({ guid, version, mark, sha256, acknowledged });
      return;
    }
    if (status !== 503) {
      ledger.problems.push(`an upload of ${mark} was answered ${status} ${answer.body}`);
      return;
    }
    ledger.unavailable++;
    await sleep(PAUSE_MS);
  }
}

/** Sends the upload in pieces with pauses between them. Returns null when no answer came. */
async function send(
  { url, key, ledger }: UploaderOptions,
  guid: string,
  version: string,
  file: Buffer,
): Promise<Answer | null> {
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
    if (!(error instanceof NoAnswerError)) throw error;
    ledger.silences++;
    return null;
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
