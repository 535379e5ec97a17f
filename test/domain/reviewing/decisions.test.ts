import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon, type VersionFacts } from '../../support/factories.ts';
import { addNotes } from '../../support/notes.ts';
import { xpi } from '../../support/packages.ts';

const app = setUpApp();
let author: Client;
let reviewer: Client;
let other: Client;
let administrator: Client;
let made: MadeAddon;

interface Result {
  __typename: string;
  code?: string;
  message?: string;
  path?: string[] | null;
  note?: { databaseId: number; action: string; kind: string; comments: string; user: { databaseId: number } };
  version?: { version: string };
}

const NAMES = [
  'approveVersion',
  'rejectVersion',
  'requestInformation',
  'commentOnVersion',
  'referVersion',
  'replyToReview',
];
const typeName = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;
const payload = (name: string) => `${typeName(name)}Payload`;

async function act(
  client: Client,
  name: string,
  versionId: number | undefined,
  comments?: string | null,
): Promise<Result> {
  const text = `mutation($input: ${typeName(name)}Input!) { ${name}(input: $input) { __typename
    ... on UserError { code message path }
    ... on ${payload(name)} { note { databaseId action kind comments user { databaseId } } version { version } } } }`;
  const id = Buffer.from(`Version:${versionId}`).toString('base64');
  const data = await client.graphql<Record<string, Result>>(text, { input: { id, comments } });
  return data[name] as Result;
}

const waiting: VersionFacts = { stage: 'awaiting_review', files: [{ status: 1, isStored: true }] };
const make = (...versions: VersionFacts[]) =>
  addon({
    authors: [author.accountId ?? 0],
    status: 'nominated',
    versions: versions.length > 0 ? versions : [waiting],
  });
const id = (index = 0) => made.versions[index]?.id ?? 0;
const marks = async () =>
  (
    await app.sql(
      'SELECT is_information_requested AS requested, is_referred AS referred FROM review_queue WHERE version_id = $1',
      [id()],
    )
  )[0];
const actions = async () =>
  (await app.sql<{ action: string }>('SELECT action FROM activity WHERE version_id = $1 ORDER BY id', [id()])).map(
    ({ action }) => action,
  );

beforeAll(async () => {
  author = await app.developer();
  reviewer = await app.memberWith('Addons:Review');
  other = await app.memberWith('Addons:Review');
  administrator = await app.memberWith('Addons:Edit');
});
beforeEach(async () => {
  made = await make();
});

describe('mutations of a review', () => {
  it.each([
    ['approveVersion', 'APPROVED', 'DECISION'],
    ['rejectVersion', 'REJECTED', 'DECISION'],
    ['requestInformation', 'MORE_INFORMATION_REQUESTED', 'REQUEST'],
    ['commentOnVersion', 'COMMENT', 'COMMENT'],
    ['referVersion', 'SUPER_REVIEW_REQUESTED', 'REQUEST'],
    ['replyToReview', 'REVIEW_NOTE', 'REVIEWER_REPLY'],
  ])('%s writes a note and returns it with the version', async (name, action, kind) => {
    const comments = ' <b>Why</b>?\n& mo\0re\ud800 ';
    expect(await act(reviewer, name, id(), comments)).toEqual({
      __typename: payload(name),
      note: {
        databaseId: expect.any(Number),
        action,
        kind,
        comments: '<b>Why</b>?\n& more\ufffd',
        user: { databaseId: reviewer.accountId },
      },
      version: { version: '1.0' },
    });
    expect(await actions()).toEqual([action.toLowerCase().replaceAll('_', '-')]);
  });

  it.each(NAMES)('%s is refused for others, unknown and deleted versions', async (name) => {
    const strangers = [await app.developer(), await app.memberWith('Addons:ThemeReview', 'Addons:ReviewUnlisted')];
    for (const client of [...strangers, administrator, await app.memberWith('Addons:ContentReview')]) {
      expect(await act(client, name, id(), 'Text.')).toMatchObject({ __typename: 'NotPermittedError' });
    }
    if (name !== 'replyToReview') {
      expect(await act(author, name, id(), 'Text.')).toMatchObject({ __typename: 'NotPermittedError' });
    }
    const gone = await make({ ...waiting, deletedAt: new Date() });
    for (const unknown of [999_999, gone.versions[0]?.id]) {
      expect(await act(reviewer, name, unknown, 'Text.')).toMatchObject({ __typename: 'NotFoundError' });
    }
    const input = `{ id: "${Buffer.from(`Version:${id()}`).toString('base64')}", comments: "Text." }`;
    const { errors } = await app.anonymous.graphqlResult(`mutation { ${name}(input: ${input}) { __typename } }`);
    expect(errors?.[0]?.extensions?.code).toBe('NOT_AUTHENTICATED');
    expect(await actions()).toEqual([]);
  });

  it('need a text of 1 to 10,000 characters, except approvals and referrals', async () => {
    const missing = { code: 'BAD_USER_INPUT', message: 'This field may not be blank.', path: ['comments'] };
    const long = { message: 'Ensure this field has no more than 10000 characters.', path: ['comments'] };
    for (const name of NAMES) {
      expect(await act(reviewer, name, id(), '😀'.repeat(10_001))).toMatchObject(long);
      if (name === 'approveVersion' || name === 'referVersion') continue;
      for (const blank of ['', '  \n', null, undefined, '\0']) {
        expect(await act(reviewer, name, id(), blank)).toMatchObject(missing);
      }
    }
    expect(await actions()).toEqual([]);
    expect((await act(reviewer, 'referVersion', id(), null)).note?.comments).toBe('');
    expect((await act(reviewer, 'commentOnVersion', id(), '😀'.repeat(10_000))).note?.comments).toHaveLength(20_000);
    made = await make();
    expect((await act(reviewer, 'approveVersion', id())).note?.comments).toBe('');
  });

  it('name the decision to a second reviewer, at the same moment too', async () => {
    const both = await Promise.all([
      act(reviewer, 'approveVersion', id(), 'Fine.'),
      act(other, 'rejectVersion', id(), 'Not fine.'),
    ]);
    const [first] = both.filter(({ __typename }) => /^(?:Approve|Reject)VersionPayload$/.test(__typename));
    const [second] = both.filter(({ __typename }) => __typename === 'InvalidInputError');
    const decision = first?.note?.action.toLowerCase();
    const names = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [
      first?.note?.user.databaseId,
    ]);
    expect(second?.message).toBe(
      `This version is not waiting for a review: it was ${decision} by ${names[0]?.username}.`,
    );
    expect(await actions()).toEqual([decision]);
    for (const name of ['requestInformation', 'referVersion', 'approveVersion']) {
      expect((await act(reviewer, name, id(), 'Text.')).message).toBe(second?.message);
    }
    made = await make({ stage: 'signed' });
    expect((await act(reviewer, 'approveVersion', id())).message).toBe('This version is not waiting for a review.');
  });

  it('comment and reply on the newest version of a channel only', async () => {
    made = await make(
      { version: '1.0' },
      { version: '2.0', stage: 'rejected', files: [{ status: 5 }] },
      { version: '3.0', stage: 'invalid' },
      { version: '4.0', channel: 'unlisted' },
    );
    const older = { __typename: 'InvalidInputError', message: 'Only latest versions of addons can have notes added.' };
    for (const name of ['commentOnVersion', 'replyToReview']) {
      expect(await act(reviewer, name, id(0), 'Text.')).toMatchObject(older);
      expect((await act(reviewer, name, id(1), 'Text.')).version).toEqual({ version: '2.0' });
    }
    expect((await act(author, 'replyToReview', id(3), 'Text.')).note).toMatchObject({ kind: 'DEVELOPER_REPLY' });
  });

  it('keep a version in the queue after a request, whose mark a reply of the developer removes', async () => {
    await act(reviewer, 'requestInformation', id(), 'Why?');
    expect(await marks()).toEqual({ requested: true, referred: false });
    await act(other, 'replyToReview', id(), 'I wonder too.');
    expect(await marks()).toEqual({ requested: true, referred: false });
    expect((await act(author, 'replyToReview', id(), 'Because.')).note).toMatchObject({ kind: 'DEVELOPER_REPLY' });
    expect(await marks()).toEqual({ requested: false, referred: false });
  });

  it('lose the mark of a request with the next upload to the channel', async () => {
    const listing = { categories: [{ app: 'desktop_browser', slug: 'other' }], summary: { 'en-US': 'Summary.' } };
    const { id: licenseId = 0 } =
      (await app.sql<{ id: number }>(`SELECT id FROM license WHERE builtin = 'MIT'`))[0] ?? {};
    const authors = [author.accountId ?? 0];
    made = await addon({ ...listing, licenseId, authors, status: 'nominated', versions: [waiting] });
    await act(reviewer, 'requestInformation', id(), 'Why?');
    const upload = async (version: string, channel: string) => {
      const form = { upload: await xpi({ guid: made.guid, version }), channel };
      return (await author.put(`/api/v4/addons/${made.guid}/versions/${version}/`, form)).status;
    };
    expect([await upload('2.0', 'unlisted'), await marks()]).toEqual([202, { requested: true, referred: false }]);
    expect([await upload('3.0', 'listed'), await marks()]).toEqual([202, { requested: false, referred: false }]);
  });

  it('leave a referred version to holders of Addons:Edit', async () => {
    await act(reviewer, 'referVersion', id(), 'A licence question.');
    for (const name of ['approveVersion', 'rejectVersion']) {
      expect(await act(reviewer, name, id(), 'Text.')).toMatchObject({ __typename: 'NotPermittedError' });
    }
    expect(await act(administrator, 'approveVersion', id())).toMatchObject({
      note: { action: 'APPROVED' },
      version: { version: '1.0' },
    });
    made = await make();
    await act(reviewer, 'referVersion', id());
    expect(await act(await app.admin(), 'rejectVersion', id(), 'No.')).toMatchObject({ note: { action: 'REJECTED' } });
    expect(await marks()).toBeUndefined();
  });

  it('queue a mail to the developer for a rejection, a request and a reply, in the transaction of the note', async () => {
    const mails = async () => (await app.sql('SELECT count(*)::int AS count FROM outgoing_mail'))[0]?.count as number;
    const before = await mails();
    for (const [name, expected] of [
      ['commentOnVersion', 0],
      ['requestInformation', 1],
      ['replyToReview', 2],
      ['referVersion', 2],
    ] as const) {
      await act(reviewer, name, id(), 'Text.');
      expect([name, (await mails()) - before]).toEqual([name, expected]);
    }
    made = await make();
    await act(reviewer, 'approveVersion', id(), 'Text.');
    made = await make();
    await act(reviewer, 'rejectVersion', id(), 'Text.');
    expect((await mails()) - before).toBe(3);
  });

  it('write decisions to the audit log', async () => {
    const last = async () =>
      (await app.sql('SELECT actor, action, details FROM audit_entry ORDER BY id DESC LIMIT 1'))[0];
    await act(reviewer, 'approveVersion', id());
    const facts = { addonId: made.id, versionId: id() };
    expect(await last()).toMatchObject({ action: 'version-approved', details: { ...facts, comments: '' } });
    made = await make();
    await act(reviewer, 'rejectVersion', id(), 'No.');
    expect(await last()).toMatchObject({
      actor: expect.stringMatching(`^account ${reviewer.accountId} `),
      action: 'version-rejected',
      details: { addonId: made.id, versionId: id(), comments: 'No.' },
    });
  });

  it('are limited to 30 notes and replies a minute for an account', async () => {
    app.config.RATE_LIMITS = true;
    try {
      const busy = await app.memberWith('Addons:Review');
      for (let count = 0; count < 30; count++) {
        const name = count % 2 === 0 ? 'commentOnVersion' : 'replyToReview';
        expect((await act(busy, name, id(), 'Text.')).note).toBeDefined();
      }
      const input = { id: Buffer.from(`Version:${id()}`).toString('base64'), comments: 'Text.' };
      const text = 'mutation($input: ReplyToReviewInput!) { replyToReview(input: $input) { __typename } }';
      const { errors } = await busy.graphqlResult(text, { input });
      expect(errors?.[0]?.extensions?.code).toBe('THROTTLED');
      expect((await act(busy, 'approveVersion', id())).note).toBeDefined();
    } finally {
      app.config.RATE_LIMITS = false;
    }
  });
});

describe('recordReply', () => {
  it('refuses disabled and deleted accounts, and reviewers without permission', async () => {
    const { recordReply } = await import('../../../src/domain/reviewing/reply.ts');
    const { db } = await import('../../../src/infra/db.ts');
    const reply = (accountId: number | null) =>
      db.$transaction((tx) => recordReply(tx, { versionId: id(), accountId: accountId ?? 0, text: 'Text.' }));
    const disabled = await app.memberWith('*:*');
    await app.sql('UPDATE account SET disabled_at = now() WHERE id = $1', [disabled.accountId]);
    for (const accountId of [disabled.accountId, administrator.accountId, -1, 0]) {
      await expect(reply(accountId)).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    }
    await addNotes(app, id(), [{ action: 'comment', accountId: reviewer.accountId }]);
    const { activityId } = await reply(author.accountId);
    expect(await app.sql('SELECT action, comments, details FROM activity WHERE id = $1', [activityId])).toEqual([
      { action: 'review-note', comments: 'Text.', details: { by: 'developer' } },
    ]);
  });
});
