import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { mutate } from '../../support/mutate.ts';
import { statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let developer: Client;
let colleague: Client;
let editor: Client;
const slugs = ['open', 'second', 'waiting', 'disabled', 'blocked', 'unlisted-only', 'hidden-author', 'deleted'];

const account = () => btoa(`Account:${developer.accountId}`);
const LIST = `query($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { node(id: $id) { ... on Account {
  addons(first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { slug } } pageInfo { hasNextPage hasPreviousPage } totalCount } } } }`;

interface Listed {
  edges: { cursor: string; node: { slug: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean };
  totalCount: number;
}

const listed = async (client: Client, variables: object = {}): Promise<Listed> =>
  (await client.graphql<{ node: { addons: Listed } }>(LIST, { id: account(), ...variables })).node.addons;
const slugsOf = ({ edges }: Listed) => edges.map(({ node }) => node.slug);

beforeAll(async () => {
  [developer, colleague, editor] = [await app.developer(), await app.developer(), await app.memberWith('Addons:Edit')];
  const authors = [developer.accountId ?? 0];
  await addon({ slug: 'open', authors });
  await addon({ slug: 'second', authors: [colleague.accountId ?? 0, ...authors] });
  await addon({ slug: 'waiting', authors, status: 'nominated', versions: [{ stage: 'awaiting_review' }] });
  await addon({ slug: 'disabled', authors, isDisabledByDeveloper: true });
  await addon({ slug: 'blocked', authors, status: 'disabled' });
  await addon({ slug: 'unlisted-only', authors, status: 'incomplete', versions: [{ channel: 'unlisted' }] });
  await addon({ slug: 'hidden-author', authors: [colleague.accountId ?? 0, { id: authors[0] ?? 0, listed: false }] });
  const { id } = await addon({ slug: 'deleted', authors });
  await mutate(developer, 'deleteAddon', { id });
});

describe('Account.addons', () => {
  it('lists all add-ons of the account except deleted ones to the account, newest first', async () => {
    const own = await listed(developer);
    expect(slugsOf(own)).toEqual(slugs.slice(0, -1).reverse());
    expect(own.totalCount).toBe(7);
  });

  it('lists only public add-ons with the account as a listed author to other viewers, editors included', async () => {
    for (const client of [app.anonymous, colleague, editor]) {
      const { totalCount, ...list } = await listed(client);
      expect([totalCount, slugsOf({ ...list, totalCount })]).toEqual([2, ['second', 'open']]);
    }
  });

  it('is paged by cursor in both directions', async () => {
    const first = await listed(developer, { first: 3 });
    expect(slugsOf(first)).toEqual(['hidden-author', 'unlisted-only', 'blocked']);
    expect(first.pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false });
    const next = await listed(developer, { first: 3, after: first.edges[2]?.cursor });
    expect(slugsOf(next)).toEqual(['disabled', 'waiting', 'second']);
    const back = await listed(developer, { last: 2, before: next.edges[0]?.cursor });
    expect(slugsOf(back)).toEqual(['unlisted-only', 'blocked']);
    expect(back.pageInfo.hasPreviousPage).toBe(true);
  });

  it('sends a constant number of statements for any number of accounts', async () => {
    const authorsOf = (first: number) =>
      statementsDuring(() =>
        app.anonymous.graphql(
          `query($first: Int) { addons(first: $first) { edges { node { authors { account { username
            addons(first: 5) { totalCount edges { node { slug } } } } } } } } }`,
          { first },
        ),
      );
    const one = await authorsOf(1);
    expect((await authorsOf(3)).length).toBe(one.length);
  });
});
