import { createHash } from 'node:crypto';
import { xpi } from '../support/packages.ts';
import { exchange, type HttpResponse } from './support/http-exchange.ts';
import { MARK } from './support/published-file.ts';
import { type ApiKey, authorization, uploadForm, versionPath } from './support/signing-client.ts';

/** The accepted upload. */
export interface Winner {
  guid: string;
  version: string;
  /** Index of the uploading account. */
  account: 0 | 1;
  mark: string;
  /** Of the uploaded bytes, hex. */
  sha256: string;
}

export interface RoundResult {
  winner: Winner | null;
  problems: string[];
  /** `kind: status text` of each upload. */
  outcomes: string[];
}

/** A kind of simultaneous uploads and its expected results. */
interface Kind {
  name: string;
  method: 'PUT' | 'POST';
  /** Whether every second upload comes from another account. */
  rivalry: boolean;
  accepted: 201 | 202;
  /**
   * Statuses of a refused upload when the same account won and when the other one did. A POST that finds the add-on is refused
   * because of the id, an earlier one because of the version.
   */
  refused: { own: readonly number[]; foreign: readonly number[] };
}

const LOST = { own: [409], foreign: [403] };

const KINDS: readonly Kind[] = [
  { name: 'next version', method: 'PUT', rivalry: false, accepted: 202, refused: LOST },
  { name: 'new add-on', method: 'PUT', rivalry: false, accepted: 201, refused: LOST },
  { name: 'new add-on, two accounts', method: 'PUT', rivalry: true, accepted: 201, refused: LOST },
  { name: 'new add-on by POST', method: 'POST', rivalry: false, accepted: 201, refused: { ...LOST, own: [409, 400] } },
];

export interface RoundOptions {
  url: string;
  keys: readonly [ApiKey, ApiKey];
  /** From 1. The first creates the add-on of the rounds "next version". */
  round: number;
  uploads: number;
}

/** Sends the uploads of one round and checks the responses. */
export async function runRound({ url, keys, round, uploads }: RoundOptions): Promise<RoundResult> {
  const kind = round === 1 ? (KINDS[1] as Kind) : (KINDS[round % KINDS.length] as Kind);
  const guid = kind.name === 'next version' || round === 1 ? 'race@example.org' : `race-${round}@example.org`;
  const version = `1.${round}`;
  const gate = Promise.withResolvers<void>();
  const contenders = await Promise.all(
    Array.from({ length: uploads }, async (_, index) => {
      const account = kind.rivalry && index % 2 === 1 ? (1 as const) : (0 as const);
      const mark = `${round}-${index}`;
      const file = await xpi({ guid, version, files: { [MARK]: mark } });
      return { account, mark, file, sha256: createHash('sha256').update(file).digest('hex') };
    }),
  );
  // In every second round, the last bytes of all bodies are sent together, so that the uploads race in the last step.
  const holdBack = round % 2 === 0;
  const pending = contenders.map(({ account, file }) =>
    send(url, keys[account], kind, { guid, version, file }, holdBack ? gate.promise : null),
  );
  setTimeout(gate.resolve, holdBack ? 30 : 0);
  const responses = await Promise.all(pending);
  return judge(kind, { guid, version }, contenders, responses);
}

async function send(
  url: string,
  key: ApiKey,
  kind: Kind,
  { guid, version, file }: { guid: string; version: string; file: Buffer },
  gate: Promise<void> | null,
): Promise<HttpResponse> {
  const { contentType, body } = uploadForm(file, kind.method === 'POST' ? { version } : {});
  return exchange({
    method: kind.method,
    url: url + (kind.method === 'POST' ? '/api/v4/addons/' : versionPath(guid, version)),
    headers: { authorization: authorization(key), 'content-type': contentType, 'content-length': String(body.length) },
    body: gate === null ? body : withheld(body, gate),
  });
}

const HELD_BACK_BYTES = 40;

async function* withheld(body: Buffer, gate: Promise<void>): AsyncGenerator<Buffer> {
  yield body.subarray(0, -HELD_BACK_BYTES);
  await gate;
  yield body.subarray(-HELD_BACK_BYTES);
}

function judge(
  kind: Kind,
  address: { guid: string; version: string },
  contenders: { account: 0 | 1; mark: string; sha256: string }[],
  responses: HttpResponse[],
): RoundResult {
  const winning = responses.findIndex(({ status }) => status === kind.accepted);
  const best = contenders[winning];
  const problems = responses.flatMap(({ status, body }, index) => {
    if (index === winning) return [];
    const expected = contenders[index]?.account === best?.account ? kind.refused.own : kind.refused.foreign;
    return expected.includes(status) ? [] : [`${address.guid} ${address.version}, ${kind.name}: ${status} ${body}`];
  });
  return {
    winner: best === undefined ? null : { ...address, account: best.account, mark: best.mark, sha256: best.sha256 },
    problems: best === undefined ? [...problems, `${address.guid}, ${kind.name}: nothing was accepted`] : problems,
    outcomes: responses.map(({ status, body }) => `${kind.name}: ${status} ${textOf(status, body)}`),
  };
}

function textOf(status: number, body: Buffer): string {
  if (status < 400) return 'accepted';
  try {
    const { error, detail } = JSON.parse(body.toString()) as { error?: string; detail?: string };
    return (error ?? detail ?? '').replace(/\d+\.\d+/, 'N');
  } catch {
    return body.toString();
  }
}
