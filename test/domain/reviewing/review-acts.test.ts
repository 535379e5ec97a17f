/* Acts on one version and on several: what others did since the client read the thread, and all or nothing. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon, type VersionFacts } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';

const app = setUpApp();
let author: Client;
let reviewer: Client;
let other: Client;
let made: MadeAddon;

const WAITING: VersionFacts = { stage: 'awaiting_review', files: [{ status: 1, isStored: true }] };
const id = (index = 0) => made.versions[index]?.id ?? 0;
const versionId = (index = 0) => globalId('Version', id(index));

beforeAll(async () => {
  author = await app.developer();
  reviewer = await app.memberWith('Addons:Review');
  other = await app.memberWith('Addons:Review');
});
beforeEach(async () => {
  const versions = ['1.0', '2.0', '3.0'].map((version) => ({ ...WAITING, version }));
  made = await addon({ authors: [author.accountId ?? 0], status: 'nominated', versions });
});

interface Result {
  __typename: string;
  code?: string;
  message?: string;
  path?: string[];
  reason?: { code: string };
  note?: { id: string; action: string; comments: string; user: { databaseId: number } };
  notes?: { id: string; action: string; version: { version: string } }[];
  fields?: { name: string; messages: string[] }[];
}

const ERRORS = `__typename ... on UserError { code message path reason { code } }
  ... on InvalidInputError { fields { name messages } }
  ... on ReviewConflictError { note { id action comments user { databaseId } } }`;

async function act(client: Client, name: string, input: object): Promise<Result> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const payload =
    name === 'reviewVersions'
      ? 'notes { id action version { version } }'
      : 'note { id action comments user { databaseId } }';
  const text = `mutation($input: ${type}Input!) { ${name}(input: $input) { ${ERRORS} ... on ${type}Payload { ${payload} } } }`;
  return (await client.graphql<Record<string, Result>>(text, { input }))[name] as Result;
}

async function newestNote(client: Client, index = 0): Promise<string | null> {
  const text = 'query($id: ID!) { node(id: $id) { ... on Version { newestNote { id } } } }';
  const { node } = await client.graphql<{ node: { newestNote: { id: string } | null } }>(text, {
    id: versionId(index),
  });
  return node.newestNote?.id ?? null;
}

const stages = async () =>
  (await app.sql<{ stage: string }>('SELECT stage FROM version WHERE addon_id = $1 ORDER BY id', [made.id])).map(
    ({ stage }) => stage,
  );

describe('an act with the newest note that the client read', () => {
  it('is done once of two at the same moment; the other one gets the decision', async () => {
    for (let round = 0; round < 5; round++) {
      made = await addon({ authors: [author.accountId ?? 0], status: 'nominated', versions: [WAITING] });
      const input = { id: versionId(), expected: { newestNote: await newestNote(reviewer) } };
      const results = await Promise.all([
        act(reviewer, 'approveVersion', { ...input, comments: 'Fine.' }),
        act(other, 'rejectVersion', { ...input, comments: 'Not fine.' }),
      ]);
      const done = results.find(({ __typename }) => __typename.endsWith('Payload'));
      const refused = results.filter(({ __typename }) => __typename === 'ReviewConflictError');
      expect(refused).toHaveLength(1);
      const decision = done?.note?.action === 'APPROVED' ? 'approved' : 'rejected';
      expect(refused[0]).toMatchObject({
        ...{ code: 'CONFLICT', path: [], reason: { code: `review.${decision}_since` } },
        message: expect.stringContaining(`has ${decision} version 1.0 since you read its thread.`),
        note: done?.note,
      });
    }
  });

  it('is refused after any note that the viewer sees', async () => {
    const read = { newestNote: await newestNote(reviewer) };
    await act(other, 'commentOnVersion', { id: versionId(2), comments: 'Hm.' });
    const expected = { newestNote: await newestNote(reviewer, 2) };
    expect(await act(reviewer, 'approveVersion', { id: versionId(2), expected: read })).toMatchObject({
      ...{ __typename: 'ReviewConflictError', reason: { code: 'review.note_since' } },
      note: { id: expected.newestNote, action: 'COMMENT', comments: 'Hm.' },
    });
    expect(await newestNote(author, 2)).toBeNull();
    expect(await act(author, 'replyToReview', { id: versionId(2), comments: 'Done.', expected: read })).toMatchObject({
      __typename: 'ReplyToReviewPayload',
    });
    expect(await act(reviewer, 'approveVersion', { id: versionId(2), expected })).toMatchObject({
      ...{ __typename: 'ReviewConflictError', note: { comments: 'Done.' } },
    });
    const now = { newestNote: await newestNote(reviewer, 2) };
    expect((await act(reviewer, 'approveVersion', { id: versionId(2), expected: now })).__typename).toBe(
      'ApproveVersionPayload',
    );
  });

  it('is not compared without it, and refused for ids of other types', async () => {
    await act(other, 'commentOnVersion', { id: versionId(2), comments: 'Hm.' });
    expect((await act(reviewer, 'approveVersion', { id: versionId(2), expected: {} })).__typename).toBe(
      'ApproveVersionPayload',
    );
    const expected = { newestNote: versionId() };
    expect(await act(reviewer, 'approveVersion', { id: versionId(), expected })).toMatchObject({
      code: 'BAD_USER_INPUT',
    });
  });
});

describe('an act on several versions', () => {
  const all = () => [0, 1, 2].map((index) => ({ id: versionId(index) }));
  const review = (name: string, versions: readonly object[], comments?: string) =>
    act(reviewer, 'reviewVersions', { act: name, versions, comments });

  it('writes a note, an audit entry and mails for each', async () => {
    const { notes } = await review('REJECT', all(), 'Obfuscated.');
    expect(notes?.map(({ action, version }) => [action, version.version])).toEqual([
      ['REJECTED', '1.0'],
      ['REJECTED', '2.0'],
      ['REJECTED', '3.0'],
    ]);
    expect(await stages()).toEqual(['rejected', 'rejected', 'rejected']);
    const [counts] = await app.sql(
      `SELECT (SELECT count(*)::int FROM outgoing_mail m JOIN version v ON v.id = m.version_id WHERE v.addon_id = $1) AS mails,
        (SELECT count(*)::int FROM audit_entry WHERE action = 'version-rejected' AND details->>'addonId' = $1::text) AS audited`,
      [made.id],
    );
    expect(counts).toEqual({ mails: 3, audited: 3 });
  });

  it('does nothing when one is refused, and names it', async () => {
    await act(other, 'rejectVersion', { id: versionId(1), comments: 'No.' });
    expect(await review('APPROVE', all())).toMatchObject({
      ...{ __typename: 'InvalidInputError', message: 'Nothing was done, because version 2.0 was refused.' },
      path: ['versions'],
    });
    const expected = { newestNote: null };
    const read = [
      { id: versionId(0), expected },
      { id: versionId(1), expected },
    ];
    expect(await review('APPROVE', read)).toMatchObject({
      ...{ __typename: 'ReviewConflictError', note: { action: 'REJECTED', comments: 'No.' } },
      message: expect.stringContaining('version 2.0'),
    });
    expect(await review('REJECT', [{ id: versionId(0) }, { id: versionId(2) }])).toMatchObject({
      fields: [
        { name: 'versions', messages: ['Nothing was done, because version 1.0 was refused.'] },
        { name: 'comments', messages: ['This field may not be blank.'] },
      ],
    });
    expect(await stages()).toEqual(['awaiting_review', 'rejected', 'awaiting_review']);
  });

  it('is for 1 to 20 versions of one add-on that the viewer may decide about', async () => {
    expect(await review('APPROVE', [])).toMatchObject({ path: ['versions'], message: 'Choose at least one version.' });
    const many = Array.from({ length: 21 }, (_, index) => ({ id: globalId('Version', index + 1) }));
    expect(await review('APPROVE', many)).toMatchObject({ path: ['versions'] });
    const foreign = await addon({ status: 'nominated', versions: [WAITING] });
    const both = [{ id: versionId(0) }, { id: globalId('Version', foreign.versions[0]?.id) }];
    expect(await review('APPROVE', both)).toMatchObject({ path: ['versions'], code: 'BAD_USER_INPUT' });
    expect(await review('APPROVE', [{ id: versionId(0) }, { id: globalId('Version', 999_999) }])).toMatchObject({
      ...{ __typename: 'NotFoundError', message: expect.stringContaining(globalId('Version', 999_999)) },
    });
    const stranger = await act(author, 'reviewVersions', { act: 'APPROVE', versions: all() });
    expect(stranger).toMatchObject({ __typename: 'NotPermittedError', message: expect.stringContaining(versionId(0)) });
    expect(await stages()).toEqual(['awaiting_review', 'awaiting_review', 'awaiting_review']);
    expect((await review('APPROVE', [all()[0] ?? {}, all()[0] ?? {}])).notes).toHaveLength(1);
  });

  it('meets another one at the same moment without a deadlock', async () => {
    const results = await Promise.all([
      review('APPROVE', all()),
      act(other, 'reviewVersions', { act: 'REJECT', versions: all().reverse(), comments: 'No.' }),
    ]);
    expect(results.map(({ __typename }) => __typename).sort()).toEqual(['InvalidInputError', 'ReviewVersionsPayload']);
    expect(new Set(await stages()).size).toBe(1);
  });
});

describe('Version.reviewActs', () => {
  const actsOf = async (client: Client) => {
    const text = 'query($id: ID!) { node(id: $id) { ... on Version { reviewActs } } }';
    const acts: string[][] = [];
    for (const index of [0, 1, 2]) {
      const { node } = await client.graphql<{ node: { reviewActs: string[] } }>(text, { id: versionId(index) });
      acts.push(node.reviewActs);
    }
    return acts;
  };

  it('names what the viewer may do now', async () => {
    await act(reviewer, 'rejectVersion', { id: versionId(0), comments: 'No.' });
    await act(reviewer, 'referVersion', { id: versionId(1) });
    const decide = ['APPROVE', 'REJECT'];
    const ask = ['REQUEST_INFORMATION', 'REFER'];
    expect(await actsOf(reviewer)).toEqual([[], ask, [...decide, ...ask, 'REPLY', 'COMMENT']]);
    expect(await actsOf(await app.memberWith('Addons:Edit', 'Addons:Review'))).toEqual([
      ...[[], [...decide, ...ask], [...decide, ...ask, 'REPLY', 'COMMENT']],
    ]);
    expect(await actsOf(author)).toEqual([[], [], ['REPLY']]);
  });
});
