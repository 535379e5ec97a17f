/*
 * Comments on lines under faults: `node test/crash/reviews.ts [--rounds 6]`. In each round a reviewer writes comments on lines and then
 * sends them with a request for information, in the last round with a rejection. The server is killed (SIGKILL) while drafts are
 * written, between drafts and decision, and while it decides. Acknowledged drafts must remain, and the decision must send each of
 * them exactly once: in one note, and in one mail to the author. Otherwise the exit status is 1.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';
import { exchange, NoResponseError } from './support/http-exchange.ts';
import { createInstallation, endWithVerdict, type Installation, type RunningProcess } from './support/installation.ts';
import { type InstalledDatabase, openInstalledDatabase } from './support/installed-database.ts';
import { type ApiKey, authorization, uploadForm, versionPath } from './support/signing-client.ts';
import { STALLED_MS, until } from './support/waiting.ts';

const GUID = 'reviewed@example.org';
const FILE = 'reviewed.js';
const DRAFTS = 4;
const READ_MS = 120_000;
/** Longer than a decision takes, in milliseconds. */
const DECISION_MS = 60;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '6' } } });
const rounds = Number(values.rounds);
if (!(rounds >= 1)) throw new Error('--rounds from 1');

interface Review {
  installation: Installation;
  database: InstalledDatabase;
  reviewer: ApiKey;
  versionId: number;
  server: RunningProcess;
}

const violations: string[] = [];
const installation = await createInstallation();
try {
  const database = await openInstalledDatabase(installation.dataDir);
  try {
    const review = await prepare(installation, database);
    for (let round = 1; round <= rounds; round++) violations.push(...(await runRound(review, round)));
  } finally {
    await installation.remove({ keepFolder: true });
    await database.close();
  }
} finally {
  await installation.remove({ keepFolder: violations.length > 0 });
}
console.log(`${rounds} decisions with ${DRAFTS} comments each, and ${3 * rounds} kills`);
endWithVerdict(violations, installation);

/** A signed version that waits for review, its reviewer and the running server. */
async function prepare(installed: Installation, database: InstalledDatabase): Promise<Review> {
  const author = await installed.developer('author');
  const reviewer = await installed.developer('reviewer');
  await database.query(
    `WITH made AS (INSERT INTO permission_group (name, rules) VALUES ('reviewers', '{Addons:ReviewUnlisted}') RETURNING id)
     INSERT INTO group_member (group_id, account_id) SELECT made.id, account.id FROM made, account WHERE username = 'reviewer'`,
  );
  const server = await installed.serve();
  const worker = await installed.work();
  const lines = Array.from({ length: DRAFTS }, (_, index) => `const value${index} = ${index};\n`).join('');
  const { contentType, body } = uploadForm(await xpi({ guid: GUID, version: '1.0', files: { [FILE]: lines } }));
  const headers = {
    authorization: authorization(author),
    'content-type': contentType,
    'content-length': `${body.length}`,
  };
  const { status } = await exchange({ method: 'PUT', url: installed.url + versionPath(GUID, '1.0'), headers, body });
  if (status !== 201) throw new Error(`The upload returned ${status}.`);
  const [version] = await until('a signed version', STALLED_MS, async () => {
    const found = await database.query<{ id: number }>(`SELECT id FROM version WHERE stage = 'signed'`);
    return found.length === 0 ? null : found;
  });
  await worker.end();
  const versionId = version?.id ?? 0;
  await database.query(`UPDATE file SET status = 1 WHERE version_id = $1`, [versionId]);
  await database.query(`UPDATE version SET stage = 'awaiting_review', reviewed = NULL WHERE id = $1`, [versionId]);
  return { installation: installed, database, reviewer, versionId, server };
}

/** Writes drafts, decides, and returns what was lost or sent twice. */
async function runRound(review: Review, round: number): Promise<string[]> {
  const { database, versionId } = review;
  const texts = Array.from({ length: DRAFTS }, (_, index) => `Round ${round}, comment ${index}.`);
  const problems: string[] = [];
  for (const [index, text] of texts.entries()) {
    const input = { version: globalId('Version', versionId), path: FILE, line: index + 1, text };
    const isKilled = index === DRAFTS - 1;
    const isKnown = async () => (await draftTexts(review)).includes(text);
    await sendUntilDone(
      review,
      { name: 'createLineComment', input },
      isKilled ? Math.random() * DECISION_MS : null,
      isKnown,
    );
  }
  await restart(review);
  const kept = await draftTexts(review);
  if (`${kept.sort()}` !== `${texts.sort()}`) problems.push(`round ${round}: the drafts are ${JSON.stringify(kept)}`);
  const name = round === rounds ? 'rejectVersion' : 'requestInformation';
  const input = { id: globalId('Version', versionId), comments: `Round ${round}, decision.` };
  const notes = () =>
    database.query<{ id: number; comments: string }>(
      `SELECT id, comments FROM activity WHERE version_id = $1 AND comments LIKE $2`,
      [versionId, `%Round ${round}, decision.%`],
    );
  await sendUntilDone(review, { name, input }, Math.random() * DECISION_MS, async () => (await notes()).length > 0);
  const found = await notes();
  if (found.length !== 1) problems.push(`round ${round}: ${found.length} notes`);
  const mails = await database.query<{ text: string }>(
    `SELECT m.text FROM outgoing_mail m JOIN account a ON a.id = m.account_id WHERE a.username = 'author' AND m.text LIKE $1`,
    [`%Round ${round}, decision.%`],
  );
  if (mails.length !== 1) problems.push(`round ${round}: ${mails.length} mails to the author`);
  const sent = await database.query<{ text: string; activity_id: number | null }>(
    `SELECT text, activity_id FROM line_comment WHERE text LIKE $1`,
    [`Round ${round}, %`],
  );
  if (sent.length !== DRAFTS || sent.some(({ activity_id: id }) => id !== found[0]?.id))
    problems.push(`round ${round}: the comments are ${JSON.stringify(sent)}`);
  for (const text of texts) {
    const counts = [mails[0]?.text ?? '', ...found.map(({ comments }) => comments)].map(
      (whole) => whole.split(text).length - 1,
    );
    if (counts[0] !== 1 || counts.slice(1).some((count) => count > 1))
      problems.push(`round ${round}: "${text}" is ${counts} times in the mail and the note`);
  }
  return problems;
}

/** The texts of the reviewer's drafts, as the service returns them. */
async function draftTexts({ installation: { url }, reviewer, versionId }: Review): Promise<string[]> {
  const query =
    'query($id: ID!) { node(id: $id) { ... on Version { lineComments(first: 100) { nodes { text note { id } } } } } }';
  const data = await graphql(url, reviewer, query, { id: globalId('Version', versionId) });
  const { nodes } = (data['node'] as { lineComments: { nodes: { text: string; note: object | null }[] } }).lineComments;
  return nodes.filter(({ note }) => note === null).map(({ text }) => text);
}

/**
 * Sends a mutation, and kills the server after `killAfterMs`, or not for null. Sends it again, after a restart, until the client or
 * `isDone` knows that it was done.
 */
async function sendUntilDone(
  review: Review,
  { name, input }: { name: string; input: object },
  killAfterMs: number | null,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const mutation = `mutation($input: ${type}!) { ${name}(input: $input) { __typename ... on UserError { message } } }`;
  const send = () => graphql(review.installation.url, review.reviewer, mutation, { input });
  if (killAfterMs !== null) {
    const sending = send().catch((error: unknown) => {
      if (!(error instanceof NoResponseError)) throw error;
    });
    await sleep(killAfterMs);
    await review.server.end();
    await sending;
    await restart(review);
    if (await isDone()) return;
  }
  const data = await send();
  const result = data[name] as { __typename: string; message?: string };
  if (result.message !== undefined) throw new Error(`${name}: ${result.message}`);
}

/** Kills the server, if it runs, and starts it again. */
async function restart(review: Review): Promise<void> {
  await review.server.end();
  review.server = await review.installation.serve();
}

interface Response {
  data?: Record<string, unknown> | null;
  errors?: { extensions: { code: string } }[];
}

/** The data of a response. Sends the request again while the server, which was just started, has not read the package. */
async function graphql(url: string, key: ApiKey, query: string, variables: object): Promise<Record<string, unknown>> {
  const body = Buffer.from(JSON.stringify({ query, variables }));
  const headers = { 'content-type': 'application/json', 'content-length': `${body.length}` };
  const send = async () =>
    exchange({
      ...{ method: 'POST', url: `${url}/graphql`, body },
      headers: { ...headers, authorization: authorization(key) },
    });
  return until('a response with data', READ_MS, async () => {
    const response = await send();
    const { data, errors } = JSON.parse(response.body.toString()) as Response;
    if (errors?.some(({ extensions }) => extensions.code === 'UNAVAILABLE')) return null;
    if (data == null || errors !== undefined) throw new Error(`${response.status} ${response.body}`);
    return data;
  });
}
