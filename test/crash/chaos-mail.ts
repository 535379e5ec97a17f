/*
 * A conversation about a version while processes are killed: a reviewer writes through GraphQL, an author replies by mail. Each note
 * that was acknowledged must exist once, and each note must lead to one mail. A mail may reach the mail server again after a fault,
 * with the same Message-ID.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoopbackMailServer } from '../support/mail-server.ts';
import { exchange, type HttpResponse, NoResponseError } from './support/http-exchange.ts';
import type { InstalledDatabase } from './support/installed-database.ts';
import { type ApiKey, authorization } from './support/signing-client.ts';
import { STALLED_MS, untilNoneLeft } from './support/waiting.ts';

export const MAIL_SECRET = 'secret-of-the-chaos-test';

interface Conversation {
  /** The start of its texts, which are different from those of other conversations. */
  name: string;
  urls: readonly string[];
  reviewer: ApiKey;
  versionId: number;
  server: LoopbackMailServer;
  /** How often replies were sent to an address, in all conversations with the author. */
  uses: Map<string, number>;
  /** Address of the author. */
  author: string;
  stop: AbortSignal;
}

/** The texts of the notes that were sent. */
export interface SentNotes {
  acknowledged: string[];
  /** Without a response: the note may exist or not. */
  unknown: string[];
}

const PAUSE_MS = 150;
const TIMEOUT_MS = 20_000;

/** Writes notes until it is stopped. */
export async function converse(conversation: Conversation): Promise<SentNotes> {
  const sent: SentNotes = { acknowledged: [], unknown: [] };
  await Promise.all([writeByApi(conversation, sent), replyByMail(conversation, sent)]);
  return sent;
}

/** Sends each note once: without a response, a client cannot tell whether the note exists. */
async function writeByApi({ name, urls, reviewer, versionId, stop }: Conversation, sent: SentNotes): Promise<void> {
  const id = Buffer.from(`Version:${versionId}`).toString('base64');
  for (let turn = 0; !stop.aborted; turn++) {
    const comments = `api-${name}-${turn}`;
    const query = `mutation { replyToReview(input: {id: "${id}", comments: "${comments}"}) { __typename } }`;
    const response = await send(`${urls[turn % urls.length]}/graphql`, { query }, authorization(reviewer));
    const isNoted = response?.status === 200 && response.body.includes('ReplyToReviewPayload');
    (isNoted ? sent.acknowledged : sent.unknown).push(comments);
    await sleep(PAUSE_MS);
  }
}

/** Replies to one mail, of the five that its address takes. */
const MAX_REPLIES = 4;

/** Posts each reply until it is received, as a mail server does. */
async function replyByMail(conversation: Conversation, sent: SentNotes): Promise<void> {
  const { name, urls, server, uses, author, stop } = conversation;
  for (let turn = 0; !stop.aborted; turn++) {
    await sleep(PAUSE_MS);
    const newest = server.mails.findLast(({ to }) => to[0] === author);
    const address = newest?.headers.get('reply-to')?.[0];
    // While no mail is sent, the address of the newest one would be used more often than it is valid.
    const used = uses.get(address ?? '') ?? 0;
    if (address === undefined || used >= MAX_REPLIES) continue;
    uses.set(address, used + 1);
    const text = `mail-${name}-${turn}`;
    const message = { TextBody: text, MessageId: `<${text}@example.org>` };
    const values = { SecretKey: MAIL_SECRET, To: [{ EmailAddress: address }], Message: message };
    for (let attempt = 0; ; attempt++) {
      const response = await send(`${urls[attempt % urls.length]}/api/v4/activity/mail`, values);
      if (response?.status === 201) break;
      await sleep(PAUSE_MS);
    }
    sent.acknowledged.push(text);
  }
}

async function send(url: string, values: object, credentials?: string): Promise<HttpResponse | null> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (credentials !== undefined) headers['authorization'] = credentials;
  const body = Buffer.from(JSON.stringify(values));
  try {
    return await exchange({ method: 'POST', url, headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    if (error instanceof NoResponseError) return null;
    throw error;
  }
}

/** Waits until every mail is sent, and returns what was lost or doubled. `faults` bounds the repeated deliveries. */
export async function checkConversation(
  { acknowledged, unknown }: SentNotes,
  { versionId, server }: Pick<Conversation, 'versionId' | 'server'>,
  database: InstalledDatabase,
  { faults }: { faults: number },
): Promise<string[]> {
  const unsent = await untilNoneLeft(STALLED_MS, () =>
    database.query<{ id: number }>(`SELECT id, state, last_error FROM outgoing_mail WHERE state <> 'sent'`),
  );
  const problems = unsent.map((mail) => `the mail ${JSON.stringify(mail)} was not sent`);

  const notes = await database.query<{ id: number; comments: string; mails: number }>(
    `SELECT id, comments, (SELECT count(*)::int FROM outgoing_mail WHERE cause = 'activity:' || activity.id) AS mails
     FROM activity WHERE version_id = $1 AND action = 'review-note'`,
    [versionId],
  );
  const times = Map.groupBy(notes, ({ comments }) => comments);
  for (const text of acknowledged) {
    if (times.get(text)?.length !== 1) problems.push(`the note ${text} exists ${times.get(text)?.length ?? 0} times`);
  }
  for (const text of unknown) {
    if ((times.get(text)?.length ?? 0) > 1) problems.push(`the note ${text} exists more than once`);
  }
  for (const { id, comments, mails } of notes) {
    if (mails !== 1) problems.push(`the note ${comments} (${id}) led to ${mails} mails`);
  }
  return [...problems, ...(await checkDeliveries(server, database, faults)), ...summary(acknowledged, unknown, notes)];
}

/** Every mail of the outbox reached the mail server, under its Message-ID, and the server got no other. */
async function checkDeliveries(
  { mails }: LoopbackMailServer,
  database: InstalledDatabase,
  faults: number,
): Promise<string[]> {
  const rows = await database.query<{ messageId: string }>(
    `SELECT header->>'value' AS "messageId" FROM outgoing_mail, jsonb_array_elements(headers) AS header
     WHERE header->>'name' = 'Message-ID'`,
  );
  const delivered = Map.groupBy(mails, ({ headers }) => headers.get('message-id')?.[0] ?? '');
  const known = new Set(rows.map(({ messageId }) => messageId));
  const lost = [...known].filter((id) => !delivered.has(id)).map((id) => `the mail ${id} is marked sent and was lost`);
  const foreign = [...delivered.keys()].filter((id) => !known.has(id)).map((id) => `the mail ${id} has no row`);
  const repeated = mails.length - delivered.size;
  console.log(`${delivered.size} mails were delivered, ${repeated} of them again with the same Message-ID.`);
  const excess = repeated > faults ? [`${repeated} repeated deliveries in ${faults} faults`] : [];
  return [...lost, ...foreign, ...excess];
}

function summary(acknowledged: readonly string[], unknown: readonly string[], notes: readonly unknown[]): string[] {
  const byMail = acknowledged.filter((text) => text.startsWith('mail-')).length;
  console.log(
    `${notes.length} notes: ${acknowledged.length} acknowledged, ${byMail} of them by mail; ${unknown.length} without a response.`,
  );
  return byMail === 0 ? ['no reply was received by mail'] : [];
}
