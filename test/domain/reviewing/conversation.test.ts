import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type LoopbackMailServer, partsOf, type ReceivedMail, startMailServer } from '../../support/mail-server.ts';
import { completeListing, path, type Status, status, upload } from '../../support/signing-steps.ts';

const SECRET = 'a secret for inbound mail';
const GUID = 'conversation@example';
const QUESTION = 'Why does it read <all_urls>?\nPlease explain.';
const EXPLANATION = 'It counts words on every page.';

let app: TestApp;
let server: LoopbackMailServer;

beforeAll(async () => {
  server = await startMailServer();
  app = await startApp({
    settings: { SMTP_URL: server.url, MAIL_DOMAIN: 'addons.example', INBOUND_MAIL_SECRET: SECRET },
  });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

/** The mails to an account that have arrived since the last call. */
async function mailsTo(client: Client): Promise<ReceivedMail[]> {
  await app.runJobs();
  const [row] = await app.sql<{ email: string }>('SELECT email FROM account WHERE id = $1', [client.accountId]);
  const mails = server.mails.filter(({ to }) => to.includes(row?.email ?? ''));
  server.mails.splice(0, server.mails.length, ...server.mails.filter((mail) => !mails.includes(mail)));
  return mails;
}

/** Replies by mail, as a mail program does: above the quoted mail. */
const replyByMail = (mail: ReceivedMail | undefined, text: string) =>
  app.anonymous.request('POST', '/api/v4/activity/mail', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      SecretKey: SECRET,
      Message: {
        TextBody: `${text}\n\nOn Mon, 23 Nov 2026 at 10:00, Add-ons wrote:\n> ${QUESTION.replace('\n', '\n> ')}\n`,
        MessageId: `<${text.length}.reply@mail.example>`,
      },
      To: [{ EmailAddress: 'other@addons.example' }, { EmailAddress: mail?.headers.get('reply-to')?.[0] }],
    }),
  });

interface Queue {
  reviewQueue: { nodes: { isInformationRequested: boolean; version: { id: string; databaseId: number } }[] };
}

const queueOf = async (reviewer: Client) => {
  const { reviewQueue } = await reviewer.graphql<Queue>(
    '{ reviewQueue { nodes { isInformationRequested claimedBy { databaseId } version { id databaseId } } } }',
  );
  return reviewQueue.nodes;
};

/** Runs a mutation on a version and expects its payload. */
async function act(client: Client, name: string, input: Record<string, unknown>): Promise<void> {
  const { result } = await client.graphql<{ result: { __typename: string; message?: string } }>(
    `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { result: ${name}(input: $input) { __typename ... on UserError { message } } }`,
    { input },
  );
  expect(result).toEqual({ __typename: expect.stringMatching(/Payload$/) });
}

const notesOf = async (client: Client, versionId: number) => {
  const reply = await client.get(`/api/v4/addons/addon/${GUID}/versions/${versionId}/reviewnotes/`);
  const { results = [] } = reply.json as { results?: { action: string; comments: string }[] };
  return { status: reply.status, notes: results.map(({ action, comments }) => [action, comments]) };
};

it('is led from the upload to the signature by API and by mail', async () => {
  const [developer, reviewer, stranger] = [await app.developer(), await app.reviewer(), await app.developer()];
  await upload(developer, GUID, '1.0');
  await app.runJobs();
  await completeListing(developer, GUID);
  await upload(developer, GUID, '2.0', { channel: 'listed' });
  await app.runJobs();

  const [waiting] = await queueOf(reviewer);
  const { id = '', databaseId = 0 } = waiting?.version ?? {};
  await act(reviewer, 'claimReview', { id });
  await act(reviewer, 'requestInformation', { id, comments: QUESTION });
  await act(reviewer, 'commentOnVersion', { id, comments: 'Looks like the add-on of last week.' });
  expect(await queueOf(reviewer)).toMatchObject([
    { isInformationRequested: true, claimedBy: { databaseId: reviewer.accountId } },
  ]);

  const [question, ...more] = await mailsTo(developer);
  expect(more).toEqual([]);
  expect(partsOf(question as ReceivedMail).get('text/plain')).toContain(QUESTION);
  expect(partsOf(question as ReceivedMail).get('text/html')).toContain('&lt;all_urls&gt;');
  expect(await mailsTo(reviewer)).toEqual([]);

  expect((await replyByMail(question, EXPLANATION)).status).toBe(201);
  await app.runJobs();
  const thread = [
    ['review-note', EXPLANATION],
    ['more-information-requested', QUESTION],
    ['review-requested', ''],
  ];
  const forReviewers = [thread[0], ['comment', 'Looks like the add-on of last week.'], ...thread.slice(1)];
  expect(await notesOf(developer, databaseId)).toEqual({ status: 200, notes: thread });
  expect(await notesOf(reviewer, databaseId)).toEqual({ status: 200, notes: forReviewers });
  expect((await notesOf(stranger, databaseId)).status).toBe(403);
  expect((await notesOf(app.anonymous, databaseId)).status).toBe(401);
  const inGraphql = `query ($id: ID!) { version(id: $id) { reviewNotes { nodes { action comments } } } }`;
  const names = (notes: (string[] | undefined)[]) =>
    notes.map((note) => ({ action: note?.[0]?.toUpperCase().replaceAll('-', '_'), comments: note?.[1] }));
  expect(await developer.graphql(inGraphql, { id })).toEqual({ version: { reviewNotes: { nodes: names(thread) } } });
  expect(await reviewer.graphql(inGraphql, { id })).toEqual({
    version: { reviewNotes: { nodes: names(forReviewers) } },
  });
  expect(await queueOf(reviewer)).toMatchObject([{ isInformationRequested: false }]);
  const [answer] = await mailsTo(reviewer);
  expect(partsOf(answer as ReceivedMail).get('text/plain')).toContain(EXPLANATION);
  expect(answer?.headers.get('in-reply-to')).toEqual(question?.headers.get('in-reply-to'));

  await act(reviewer, 'approveVersion', { id, comments: 'Thank you.' });
  const [approval] = await mailsTo(developer);
  expect(partsOf(approval as ReceivedMail).get('text/plain')).toContain('Thank you.');
  expect(((await developer.get(path(GUID, '2.0'))).json as Status).files).toMatchObject([{ signed: true }]);
  expect(await status(developer, GUID, '2.0')).toMatchObject({ reviewed: true, passed_review: true, active: true });
  expect(await queueOf(reviewer)).toEqual([]);
  expect(server.mails).toEqual([]);
});
