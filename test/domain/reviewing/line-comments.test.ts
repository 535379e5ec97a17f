/* Comments on lines: drafts of a reviewer, and what sends them. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { xpi } from '../../support/packages.ts';
import { storePackage } from '../../support/store-package.ts';

const app = setUpApp();
let author: Client;
let reviewer: Client;
let other: Client;
let made: MadeAddon;

const FILES = {
  'background.js': 'let a = 1;\n\tfetch("https://x.example"); \u202e\n',
  'a/icon.bin': Buffer.from([0, 1, 2]),
};

beforeAll(async () => {
  author = await app.developer();
  reviewer = await app.memberWith('Addons:Review');
  other = await app.memberWith('Addons:Review');
});
beforeEach(async () => {
  const stored = await storePackage(await xpi({ version: '1.0', files: FILES }));
  const file = { ...stored, status: 1 };
  made = await addon({
    authors: [author.accountId ?? 0],
    status: 'nominated',
    versions: [{ version: '1.0', stage: 'awaiting_review', reviewed: null, files: [file] }],
  });
});

const id = () => made.versions[0]?.id ?? 0;
const version = () => globalId('Version', id());

interface Result {
  __typename: string;
  message?: string;
  path?: string[];
  lineComment?: { id: string; quote: string; text: string };
  deletedId?: string;
  note?: { comments: string; text: string; lineComments: { path: string; line: number; text: string }[] };
}

async function run(client: Client, name: string, input: object): Promise<Result> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const payload =
    {
      createLineComment: 'lineComment { id quote text }',
      updateLineComment: 'lineComment { id quote text }',
      deleteLineComment: 'deletedId',
    }[name] ?? 'note { comments text lineComments { path line text } }';
  const text = `mutation($input: ${type}Input!) { ${name}(input: $input) {
    __typename ... on UserError { message path } ... on ${type}Payload { ${payload} } } }`;
  return (await client.graphql<Record<string, Result>>(text, { input }))[name] as Result;
}

const draft = (client: Client, text: string, line = 2, path = 'background.js') =>
  run(client, 'createLineComment', { version: version(), path, line, text });

async function linesOf(client: Client, filter = ''): Promise<[text: string, isDraft: boolean][] | null> {
  const text = `query($id: ID!) { node(id: $id) { ... on Version {
    lineComments${filter} { totalCount nodes { text note { id } } } } } }`;
  const { node } = await client.graphql<{
    node: { lineComments: { totalCount: number; nodes: { text: string; note: object | null }[] } | null } | null;
  }>(text, { id: version() });
  const found = node?.lineComments;
  expect(found?.totalCount).toBe(found?.nodes.length);
  return node?.lineComments?.nodes.map((each) => [each.text, each.note === null]) ?? null;
}

describe('drafts', () => {
  it('are added, changed and deleted by their reviewer, who alone reads them', async () => {
    const { lineComment } = await draft(reviewer, ' Why this host? ');
    expect(lineComment).toMatchObject({ quote: 'fetch("https://x.example"); \ufffd', text: 'Why this host?' });
    await draft(reviewer, 'And this?', 1);
    await draft(other, 'Mine.');
    expect(await linesOf(reviewer)).toEqual([
      ['And this?', true],
      ['Why this host?', true],
    ]);
    expect(await linesOf(author)).toEqual([]);
    const input = { id: lineComment?.id ?? '' };
    for (const client of [other, author]) {
      expect((await run(client, 'updateLineComment', { ...input, text: 'x' })).__typename).toBe('NotFoundError');
      expect((await run(client, 'deleteLineComment', input)).__typename).toBe('NotFoundError');
    }
    expect((await run(reviewer, 'updateLineComment', { ...input, text: 'Why?' })).lineComment?.text).toBe('Why?');
    expect((await run(reviewer, 'deleteLineComment', input)).deletedId).toBe(input.id);
    expect((await run(reviewer, 'deleteLineComment', input)).__typename).toBe('NotFoundError');
    expect(await linesOf(reviewer)).toEqual([['And this?', true]]);
    expect(await linesOf(other)).toEqual([['Mine.', true]]);
  });

  it('are about a line of a text file of the package', async () => {
    const cases: [string, number, string][] = [
      ['background.js', 0, 'line'],
      ['background.js', 3, 'line'],
      ['background.js', -1, 'line'],
      ['a/icon.bin', 1, 'path'],
      ['none.js', 1, 'path'],
      ['\0', 1, 'path'],
    ];
    for (const [path, line, field] of cases) {
      expect(await draft(reviewer, 'Text.', line, path)).toMatchObject({
        __typename: 'InvalidInputError',
        path: [field],
      });
    }
    expect(await linesOf(reviewer, '(path: "\\u0000")')).toEqual([]);
  });

  it('are limited in length, together, and in number', async () => {
    expect((await draft(reviewer, ' ')).path).toEqual(['text']);
    expect((await draft(reviewer, 'x'.repeat(10_001))).path).toEqual(['text']);
    expect((await draft(reviewer, 'x'.repeat(9_000))).__typename).toBe('CreateLineCommentPayload');
    expect((await draft(reviewer, 'x'.repeat(1_000))).path).toEqual(['text']);
    expect((await draft(other, 'x'.repeat(1_000))).__typename).toBe('CreateLineCommentPayload');
    await app.sql(
      `INSERT INTO line_comment (version_id, account_id, path, line, quote, text)
       SELECT $1, $2, 'background.js', 1, 'x', 'x' FROM generate_series(1, 49)`,
      [id(), other.accountId],
    );
    expect((await draft(other, 'One more.')).message).toContain('At most 50 comments');
  });

  it('are for versions that wait or are the newest of their channel', async () => {
    await app.sql("UPDATE version SET stage = 'rejected' WHERE id = $1", [id()]);
    expect((await draft(reviewer, 'Text.')).__typename).toBe('CreateLineCommentPayload');
    await app.sql("UPDATE version SET created = now() - interval '1 day' WHERE id = $1", [id()]);
    await app.sql(`INSERT INTO version (addon_id, version, channel, stage) VALUES ($1, '2.0', 'listed', 'signed')`, [
      made.id,
    ]);
    expect((await draft(reviewer, 'Text.')).__typename).toBe('InvalidInputError');
  });

  it('end with their version and their account', async () => {
    const { lineComment: first } = await draft(reviewer, 'First.');
    const leaving = await app.memberWith('Addons:Review');
    await draft(leaving, 'Second.');
    const count = async () =>
      (
        await app.sql<{ count: number }>('SELECT count(*)::int AS count FROM line_comment WHERE version_id = $1', [
          id(),
        ])
      )[0]?.count;
    expect(await count()).toBe(2);
    const leave = await leaving.request('DELETE', `/api/v4/accounts/account/${leaving.accountId}/`);
    expect([leave.status, await count()]).toEqual([204, 1]);
    await app.sql('UPDATE version SET deleted_at = now() WHERE id = $1', [id()]);
    expect(await count()).toBe(0);
    expect((await run(reviewer, 'deleteLineComment', { id: first?.id ?? '' })).__typename).toBe('NotFoundError');
    expect((await draft(reviewer, 'Late.')).__typename).toBe('NotFoundError');
  });
});

describe('a note', () => {
  const LINES = 'background.js:1\n> let a = 1;\nUnused.\n\nbackground.js:2\n> fetch("https://x.example"); \ufffd\nWhy?';

  it.each(['approveVersion', 'rejectVersion', 'requestInformation', 'replyToReview'])('%s sends them', async (name) => {
    await draft(reviewer, 'Why?', 2);
    await draft(reviewer, 'Unused.', 1);
    await draft(other, 'Of another reviewer.');
    const { note } = await run(reviewer, name, { id: version(), comments: 'See below.' });
    expect(note).toEqual({
      comments: `See below.\n\n${LINES}`,
      text: 'See below.',
      lineComments: [
        { path: 'background.js', line: 1, text: 'Unused.' },
        { path: 'background.js', line: 2, text: 'Why?' },
      ],
    });
    const sent = [
      ['Unused.', false],
      ['Why?', false],
    ];
    expect(await linesOf(author)).toEqual(sent);
    expect(await linesOf(reviewer)).toEqual(sent);
    expect(await linesOf(other, '(isDraft: true)')).toEqual([['Of another reviewer.', true]]);
    expect(await linesOf(reviewer, '(isDraft: true)')).toEqual([]);
    await expect(linesOf(await app.developer())).rejects.toThrow('Not found.');
    const { json } = await author.get(`/api/v4/addons/addon/${made.id}/versions/${id()}/reviewnotes/`);
    expect((json as { results: { comments: string }[] }).results[0]?.comments).toBe(note?.comments);
    if (name === 'approveVersion') return;
    const mails = await app.sql<{ text: string }>(
      'SELECT text FROM outgoing_mail WHERE account_id = $1 AND version_id = $2',
      [author.accountId, id()],
    );
    for (const line of ['See below.', ...LINES.split('\n')]) expect(mails[0]?.text).toContain(line);
  });

  it('needs no further text, and has at most 10,000 characters with them', async () => {
    expect((await run(reviewer, 'rejectVersion', { id: version() })).path).toEqual(['comments']);
    await draft(reviewer, 'x'.repeat(9_000));
    const long = await run(reviewer, 'rejectVersion', { id: version(), comments: 'x'.repeat(1_000) });
    expect(long).toMatchObject({ __typename: 'InvalidInputError', path: ['comments'] });
    const { note } = await run(reviewer, 'rejectVersion', { id: version() });
    expect([note?.text, note?.comments.startsWith('background.js:2')]).toEqual(['', true]);
    const { lineComment } = await draft(reviewer, 'Later.');
    expect(lineComment?.text).toBe('Later.');
  });

  it.each(['commentOnVersion', 'referVersion'])('%s leaves them, as authors do not read it', async (name) => {
    await draft(reviewer, 'Why?');
    const { note } = await run(reviewer, name, { id: version(), comments: 'For reviewers.' });
    expect(note).toEqual({ comments: 'For reviewers.', text: 'For reviewers.', lineComments: [] });
    expect(await linesOf(reviewer)).toEqual([['Why?', true]]);
  });

  it('that is refused sends none, and a sent comment does not change', async () => {
    const { lineComment } = await draft(reviewer, 'Why?');
    await run(other, 'rejectVersion', { id: version(), comments: 'No.' });
    expect((await run(reviewer, 'approveVersion', { id: version() })).__typename).toBe('InvalidInputError');
    expect(await linesOf(reviewer)).toEqual([['Why?', true]]);
    await run(reviewer, 'replyToReview', { id: version() });
    const input = { id: lineComment?.id ?? '' };
    expect((await run(reviewer, 'updateLineComment', { ...input, text: 'x' })).message).toBe(
      'This comment was already sent.',
    );
    expect((await run(reviewer, 'deleteLineComment', input)).__typename).toBe('InvalidInputError');
    expect((await run(author, 'deleteLineComment', input)).__typename).toBe('NotFoundError');
  });

  it('sends each draft once, at the same moment too', async () => {
    await draft(reviewer, 'Why?');
    const send = () => run(reviewer, 'replyToReview', { id: version(), comments: 'See below.' });
    const notes = await Promise.all([send(), send()]);
    expect(notes.map(({ note }) => note?.lineComments.length).sort()).toEqual([0, 1]);
  });
});
