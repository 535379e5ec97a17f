import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { mutate } from '../../support/mutate.ts';
import { statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let author: Client;
let deletedId: number;

interface Queue {
  edges: {
    cursor: string;
    node: { version: { id: string; version: string }; addon: { slug: string }; waitingSince: string };
  }[];
  totalCount: number;
}

const LIST = `query($first: Int, $after: String) { reviewQueue(first: $first, after: $after) {
  edges { cursor node { version { id version } addon { slug } waitingSince } } totalCount } }`;
const queue = async (client: Client, variables: Record<string, unknown> = {}): Promise<Queue> =>
  (await client.graphql<{ reviewQueue: Queue }>(LIST, variables)).reviewQueue;
const slugs = ({ edges }: Queue) => edges.map(({ node }) => node.addon.slug);

beforeAll(async () => {
  author = await app.developer();
  const waiting = { authors: [author.accountId ?? 0], status: 'nominated' };
  const version = { stage: 'awaiting_review', files: [{ status: 1 }] };
  await addon({ ...waiting, slug: 'first', versions: [version] });
  await addon({ ...waiting, slug: 'theme', type: 'statictheme', versions: [version] });
  await addon({ ...waiting, slug: 'unlisted', versions: [{ ...version, channel: 'unlisted' }] });
  await addon({ ...waiting, slug: 'language', type: 'language', versions: [version] });
  await addon({ slug: 'decided', authors: [author.accountId ?? 0] });
  const { id } = await addon({ ...waiting, slug: 'deleted', versions: [version] });
  deletedId = id;
  await mutate(author, 'deleteAddon', { id });
});

describe('reviewQueue', () => {
  it.each([
    ['Addons:Review', ['first', 'language']],
    ['Addons:ThemeReview', ['theme']],
    ['Addons:ReviewUnlisted', ['unlisted']],
    ['*:*', ['first', 'theme', 'unlisted', 'language']],
    ['Addons:ContentReview', []],
    ['Addons:Edit', []],
  ])('contains the versions that holders of %s may review, oldest first', async (rule, expected) => {
    const found = await queue(await app.memberWith(rule));
    expect(slugs(found)).toEqual(expected);
    expect(found.totalCount).toBe(expected.length);
  });

  it('has referred versions of each channel and type for holders of Addons:Edit alone', async () => {
    const [editor, reviewer] = [await app.memberWith('Addons:Edit'), await app.memberWith('Addons:Review')];
    const mark = (isReferred: boolean) =>
      app.sql(
        "UPDATE review_queue SET is_referred = $1 WHERE addon_id IN (SELECT id FROM addon WHERE slug IN ('theme', 'unlisted', 'deleted'))",
        [isReferred],
      );
    const PARTS = '{ reviewQueueParts { part count isAwaitingDecision } waitingWork { versions } }';
    expect(await editor.graphql(PARTS)).toEqual({
      reviewQueueParts: [{ part: 'REFERRED', count: 0, isAwaitingDecision: true }],
      waitingWork: { versions: 0 },
    });
    await mark(true);
    const found = await queue(editor);
    expect([slugs(found), found.totalCount]).toEqual([['theme', 'unlisted'], 2]);
    expect(slugs(await queue(reviewer))).toEqual(['first', 'language']);
    expect(await editor.graphql(PARTS)).toEqual({
      reviewQueueParts: [{ part: 'REFERRED', count: 2, isAwaitingDecision: true }],
      waitingWork: { versions: 2 },
    });
    await mark(false);
    expect(slugs(await queue(editor))).toEqual([]);
  });

  it('is empty for anonymous viewers and authors', async () => {
    for (const client of [app.anonymous, author]) expect(await queue(client)).toEqual({ edges: [], totalCount: 0 });
  });

  it('is paged by cursor with a constant number of statements', async () => {
    const reviewer = await app.admin();
    const first = await queue(reviewer, { first: 1 });
    expect(slugs(await queue(reviewer, { first: 2, after: first.edges[0]?.cursor }))).toEqual(['theme', 'unlisted']);
    const statements = async (size: number) => (await statementsDuring(() => queue(reviewer, { first: size }))).length;
    expect(await statements(4)).toBe(await statements(1));
  });

  it('no longer contains a rejected version', async () => {
    const reviewer = await app.memberWith('Addons:Review');
    const [waiting] = (await queue(reviewer)).edges;
    expect(waiting?.node).toMatchObject({ version: { version: '1.0' }, waitingSince: '2018-10-01T00:00:00Z' });
    const reject = `mutation($id: ID!) { rejectVersion(input: { id: $id, comments: "No." }) {
      ... on RejectVersionPayload { version { id } } } }`;
    await reviewer.graphql(reject, { id: waiting?.node.version.id });
    expect(slugs(await queue(reviewer))).toEqual(['language']);
  });

  it('contains the versions of a restored add-on at their old place', async () => {
    expect(await mutate(await app.admin(), 'reviveAddon', { id: deletedId })).toMatchObject({
      __typename: 'ReviveAddonPayload',
    });
    const [, restored] = (await queue(await app.memberWith('Addons:Review'))).edges;
    expect(restored?.node).toMatchObject({ version: { version: '1.0' }, waitingSince: '2018-10-01T00:00:00Z' });
  });
});
