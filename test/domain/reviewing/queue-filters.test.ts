import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type VersionFacts } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let author: Client;
let reviewer: Client;
let other: Client;
const ids: Record<string, number> = {};

interface Item {
  id: string;
  version: { version: string };
  addon: { slug: string };
  waitingSince: string;
  claimedBy: { databaseId: number } | null;
  base: { version: string } | null;
}
type Queue = { edges: { cursor: string; node: Item }[]; totalCount: number };

const ITEM = `id version { version } addon { slug } waitingSince claimedBy { databaseId } isInformationRequested isInformationGiven
  isReferred base { version } baseVersion authorDecisions { approvedCount rejectedCount }`;
const LIST = `query($filter: ReviewQueueFilter, $sort: ReviewQueueSort, $first: Int, $after: String, $last: Int, $before: String) {
  reviewQueue(filter: $filter, sort: $sort, first: $first, after: $after, last: $last, before: $before) {
    totalCount edges { cursor node { ${ITEM} } } } }`;
const queue = async (client: Client, variables: Record<string, unknown> = {}): Promise<Queue> =>
  (await client.graphql<{ reviewQueue: Queue }>(LIST, variables)).reviewQueue;
const slugs = ({ edges }: Queue) => edges.map(({ node }) => node.addon.slug);
const filtered = async (filter: Record<string, unknown>, client = reviewer) => {
  const found = await queue(client, { filter });
  expect(found.totalCount).toBe(found.edges.length);
  return slugs(found);
};
const itemOf = async (slug: string) => (await queue(reviewer)).edges.find(({ node }) => node.addon.slug === slug)?.node;

const CLAIM = `mutation($input: ClaimReviewInput!) { claimReview(input: $input) { __typename
  ... on UserError { message } ... on ClaimReviewPayload { item { ${ITEM} } } } }`;
const claim = async (client: Client, slug: string, release?: boolean) => {
  const input = { id: globalId('Version', ids[slug]), release };
  return (
    await client.graphql<{ claimReview: { __typename: string; message?: string; item?: Item } }>(CLAIM, { input })
  ).claimReview;
};

/** Writes a note on the version of an add-on. */
const note = (client: Client, name: string, slug: string, comments?: string) =>
  client.graphql(
    `mutation($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { __typename } }`,
    {
      input: { id: globalId('Version', ids[slug]), comments },
    },
  );

const HOUR = 3_600_000;
const waiting = (hours: number, facts: VersionFacts = {}): VersionFacts => ({
  stage: 'awaiting_review',
  files: [{ status: 1 }],
  created: new Date(Date.now() - hours * HOUR),
  ...facts,
});

beforeAll(async () => {
  author = await app.developer();
  reviewer = await app.memberWith('Addons:Review', 'Addons:ThemeReview', 'Addons:ReviewUnlisted');
  other = await app.memberWith('Addons:Review');
  const made: [slug: string, type: string, version: VersionFacts][] = [
    ['new', 'extension', waiting(1)],
    ['old', 'extension', waiting(100)],
    ['theme', 'statictheme', waiting(50)],
    ['unlisted', 'extension', waiting(30, { channel: 'unlisted' })],
    ['language', 'language', waiting(20)],
  ];
  const users: Record<string, number> = { unlisted: 900, new: 500 };
  for (const [slug, type, version] of made) {
    const { versions } = await addon({
      slug,
      type,
      averageDailyUsers: users[slug] ?? 0,
      authors: [author.accountId ?? 0],
      status: 'nominated',
      versions: [version],
    });
    ids[slug] = versions[0]?.id ?? 0;
  }
  await note(reviewer, 'referVersion', 'old');
});

describe('reviewQueue(filter:)', () => {
  it('is in the order of waiting, whatever the order of ids', async () => {
    expect(await filtered({})).toEqual(['old', 'theme', 'unlisted', 'language', 'new']);
  });

  it.each([
    [{ types: ['STATICTHEME', 'LANGUAGE'] }, ['theme', 'language']],
    [{ types: [] }, []],
    [{ channel: 'UNLISTED' }, ['unlisted']],
    [{ channel: 'LISTED', types: ['EXTENSION'] }, ['old', 'new']],
    [{ isClaimed: true }, []],
    [{ isInformationRequested: true }, []],
    [{ isInformationRequested: false, isReferred: true }, ['old']],
    [{ isReferred: false, olderThanHours: 25 }, ['theme', 'unlisted']],
    [{ isAwaitingDecision: true }, ['theme', 'unlisted', 'language', 'new']],
    [{ isAwaitingDecision: false }, ['old']],
    [{ isAvailable: true }, ['theme', 'unlisted', 'language', 'new']],
    [{ isAvailable: false }, ['old']],
    [{ olderThanHours: 0 }, ['old', 'theme', 'unlisted', 'language', 'new']],
    [{ olderThanHours: 2_147_483_647 }, []],
    [
      { types: null, channel: null, isClaimed: null, olderThanHours: null },
      ['old', 'theme', 'unlisted', 'language', 'new'],
    ],
  ])('%j selects', async (filter, expected) => {
    expect(await filtered(filter)).toEqual(expected);
  });

  it('refuses a negative age', async () => {
    const { errors } = await reviewer.graphqlResult(LIST, { filter: { olderThanHours: -1 } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  it('selects only what the viewer may review', async () => {
    expect(await filtered({ types: ['STATICTHEME'] }, other)).toEqual([]);
    expect(await filtered({ channel: 'UNLISTED' }, other)).toEqual([]);
    expect(await filtered({ types: ['EXTENSION'] }, other)).toEqual(['old', 'new']);
    expect(await filtered({}, app.anonymous)).toEqual([]);
  });

  it('shows and selects marks of requests for information', async () => {
    await note(other, 'requestInformation', 'new', 'Why?');
    expect(await itemOf('new')).toMatchObject({ isInformationRequested: true, isInformationGiven: false });
    expect(await filtered({ isInformationRequested: true })).toEqual(['new']);
    await note(author, 'replyToReview', 'new', 'Because.');
    expect(await itemOf('new')).toMatchObject({ isInformationGiven: true, base: null, baseVersion: null });
    const facts = 'query($id: ID!) { version(id: $id) { reviewFacts { isInformationRequested isInformationGiven } } }';
    const { version } = await reviewer.graphql<{ version: object }>(facts, { id: globalId('Version', ids.new) });
    expect(version).toEqual({ reviewFacts: { isInformationRequested: false, isInformationGiven: true } });
    expect(await filtered({ isInformationRequested: true })).toEqual([]);
  });

  it.each([
    [{ part: 'REFERRED' }, ['old']],
    [{ part: 'LISTED' }, ['language', 'new']],
    [{ part: 'UNLISTED' }, ['unlisted']],
    [{ part: 'THEMES', olderThanHours: 1 }, ['theme']],
    [{ part: 'INFORMATION_REQUESTED' }, []],
    [{ author: { username: 'unknown-name' } }, []],
  ])('%j selects a part', async (filter, expected) => {
    expect(await filtered(filter)).toEqual(expected);
  });

  it('selects by a listed author', async () => {
    const other = await app.developer();
    const id = other.accountId ?? 0;
    await addon({ slug: 'by-other', authors: [id], versions: [waiting(2)] });
    await addon({ slug: 'by-hidden', authors: [{ id, listed: false }], versions: [waiting(3)] });
    const [{ username } = { username: '' }] = await app.sql<{ username: string }>(
      'SELECT username FROM account WHERE id = $1',
      [other.accountId],
    );
    const names = [{ username }, { databaseId: other.accountId }, { id: globalId('Account', other.accountId) }];
    for (const author of names) expect(await filtered({ author })).toEqual(['by-other']);
    const editor = await app.memberWith('Addons:Review', 'Addons:Edit');
    expect(await filtered({ author: { username } }, editor)).toEqual(['by-hidden', 'by-other']);
    await app.sql(
      "UPDATE version SET stage = 'rejected' WHERE addon_id IN (SELECT addon_id FROM addon_author WHERE account_id = $1)",
      [id],
    );
  });

  it('selects first versions of add-ons, and those that the viewer has claimed', async () => {
    const versions = [{}, waiting(3)];
    const { id } = await addon({ slug: 'approved-before', authors: [author.accountId ?? 0], versions });
    expect(await filtered({ isFirstVersion: false })).toEqual(['approved-before']);
    expect(await itemOf('approved-before')).toMatchObject({ base: { version: '1.0' }, baseVersion: '1.0' });
    expect(await filtered({ isFirstVersion: true })).not.toContain('approved-before');
    await claim(reviewer, 'new');
    expect(await filtered({ isClaimedByViewer: true })).toEqual(['new']);
    expect(await filtered({ isClaimedByViewer: true }, other)).toEqual([]);
    expect(await filtered({ isClaimedByViewer: false })).not.toContain('new');
    await claim(reviewer, 'new', true);
    await app.sql("UPDATE version SET stage = 'rejected' WHERE addon_id = $1", [id]);
  });

  it('is sorted by age and by users, with cursors of each order', async () => {
    const newest = await queue(reviewer, { sort: 'NEWEST', first: 2 });
    expect(slugs(newest)).toEqual(['new', 'language']);
    const after = newest.edges[1]?.cursor;
    expect(slugs(await queue(reviewer, { sort: 'NEWEST', first: 2, after }))).toEqual(['unlisted', 'theme']);
    expect(slugs(await queue(reviewer, { sort: 'NEWEST', last: 1, before: after }))).toEqual(['new']);
    const most = await queue(reviewer, { sort: 'USERS', first: 2 });
    expect(slugs(most)).toEqual(['unlisted', 'new']);
    const rest = await queue(reviewer, { sort: 'USERS', after: most.edges[1]?.cursor });
    expect(slugs(rest).sort()).toEqual(['language', 'old', 'theme']);
    const { errors } = await reviewer.graphqlResult(LIST, { after });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  it('has the numbers and the oldest age of its parts, in one statement', async () => {
    const PARTS = '{ reviewQueueParts { part count oldest } }';
    interface Part {
      part: string;
      count: number;
      oldest: string | null;
    }
    const parts = async (client: Client) =>
      (await client.graphql<{ reviewQueueParts: Part[] }>(PARTS)).reviewQueueParts;
    const all = await parts(reviewer);
    expect(all.map(({ part, count }) => [part, count])).toEqual([
      ['LISTED', 2],
      ['UNLISTED', 1],
      ['THEMES', 1],
      ['INFORMATION_REQUESTED', 0],
      ['REFERRED', 1],
    ]);
    expect(all.map(({ oldest }) => oldest && Math.round((Date.now() - Date.parse(oldest)) / HOUR))).toEqual([
      ...[20, 30, 50, null, 100],
    ]);
    const themes = await app.memberWith('Addons:ThemeReview');
    expect((await parts(themes)).map(({ part, count }) => [part, count])).toEqual([
      ...[
        ['THEMES', 1],
        ['INFORMATION_REQUESTED', 0],
        ['REFERRED', 0],
      ],
    ]);
    expect(await parts(app.anonymous)).toEqual([]);
    expect(await parts(author)).toEqual([]);
    const statements = await statementsDuring(() => parts(reviewer));
    expect(statements.filter((sql) => sql.includes('review_queue'))).toHaveLength(1);
  });

  it('continues after a version that has left the queue, in both directions', async () => {
    const { slug } = await addon({ slug: 'gone', authors: [author.accountId ?? 0], versions: [waiting(40)] });
    const before = await queue(reviewer, { first: 3 });
    expect(slugs(before)[2]).toBe(slug);
    const cursor = before.edges[2]?.cursor;
    await app.sql(`UPDATE version SET stage = 'rejected' WHERE addon_id = (SELECT id FROM addon WHERE slug = 'gone')`);
    expect(slugs(await queue(reviewer, { first: 2, after: cursor }))).toEqual(['unlisted', 'language']);
    expect(slugs(await queue(reviewer, { last: 1, before: cursor }))).toEqual(['theme']);
  });

  it('costs a constant number of statements', async () => {
    await claim(reviewer, 'old');
    const statements = async (first: number) =>
      (await statementsDuring(() => queue(reviewer, { first, filter: { types: ['EXTENSION', 'STATICTHEME'] } })))
        .length;
    await statements(4);
    expect(await statements(4)).toBe(await statements(1));
    await claim(reviewer, 'old', true);
  });
});

describe('claimReview', () => {
  it('claims a version for its viewer until it is released', async () => {
    const { id } = (await itemOf('new')) ?? {};
    const { item } = await claim(other, 'new');
    expect(item).toMatchObject({ id, addon: { slug: 'new' }, claimedBy: { databaseId: other.accountId } });
    expect(await filtered({ isClaimed: true })).toEqual(['new']);
    expect(await filtered({ isClaimed: false, types: ['EXTENSION'] })).toEqual(['old', 'unlisted']);
    const [claimant] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [
      other.accountId,
    ]);
    const taken = { __typename: 'InvalidInputError', message: `This version is claimed by ${claimant?.username}.` };
    for (const release of [undefined, false, true]) expect(await claim(reviewer, 'new', release)).toMatchObject(taken);
    expect((await claim(other, 'new')).item?.claimedBy).toEqual({ databaseId: other.accountId });
    expect((await claim(other, 'new', true)).item?.claimedBy).toBeNull();
    expect((await claim(other, 'new', true)).item?.claimedBy).toBeNull();
    expect((await claim(reviewer, 'new')).item?.claimedBy).toEqual({ databaseId: reviewer.accountId });
  });

  it('ends two hours after the claim', async () => {
    await claim(reviewer, 'language');
    await app.sql(`UPDATE review_queue SET claimed_until = claimed_until - interval '2 hours' WHERE version_id = $1`, [
      ids.language,
    ]);
    expect((await itemOf('language'))?.claimedBy).toBeNull();
    expect((await claim(other, 'language')).item?.claimedBy).toEqual({ databaseId: other.accountId });
  });

  it('is for reviewers of the version, while it waits', async () => {
    expect(await claim(author, 'old')).toMatchObject({ __typename: 'NotPermittedError' });
    expect(await claim(other, 'theme')).toMatchObject({ __typename: 'NotPermittedError' });
    const { errors } = await app.anonymous.graphqlResult(CLAIM, { input: { id: globalId('Version', ids.old) } });
    expect(errors?.[0]?.extensions?.code).toBe('NOT_AUTHENTICATED');
    ids.unknown = 999_999;
    expect(await claim(reviewer, 'unknown')).toMatchObject({ __typename: 'NotFoundError' });
    await claim(reviewer, 'language');
    await note(other, 'rejectVersion', 'language', 'No.');
    expect(await claim(reviewer, 'language')).toMatchObject({ __typename: 'InvalidInputError' });
  });

  it('gives a version to one of two reviewers at the same moment', async () => {
    await claim(reviewer, 'new', true);
    const results = await Promise.all([claim(reviewer, 'new'), claim(other, 'new')]);
    expect(results.map(({ __typename }) => __typename).sort()).toEqual(['ClaimReviewPayload', 'InvalidInputError']);
  });
});
