import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let developer: Client;
let stranger: Client;
let administrator: Client;
const NUMBERS = ['3.0', '2.0', '1.0'];

interface Uploads {
  edges: { cursor: string; node: { version: string; stage: string; files: unknown[] } }[];
  totalCount: number;
}

const LIST = `query($id: ID!, $first: Int, $after: String) { node(id: $id) { ... on Account {
  uploads(first: $first, after: $after) { edges { cursor node { id version stage files { url } } } totalCount } } } }`;
const uploads = async (client: Client, variables: object = {}): Promise<Uploads | null> => {
  const id = btoa(`Account:${developer.accountId}`);
  return (await client.graphql<{ node: { uploads: Uploads | null } }>(LIST, { id, ...variables })).node.uploads;
};
const versions = (list: Uploads | null) => list?.edges.map(({ node }) => node.version);

beforeAll(async () => {
  [developer, stranger, administrator] = [
    await app.developer(),
    await app.developer(),
    await app.memberWith('Users:Edit'),
  ];
  const authors = [developer.accountId ?? 0, stranger.accountId ?? 0];
  const versions = [...NUMBERS].reverse().map((version) => ({ version }));
  const created = await addon({ authors, versions: [...versions, { version: '4.0' }] });
  const owners = [...versions.map(() => developer), stranger].map(({ accountId }) => accountId);
  for (const [index, { id }] of created.versions.entries()) {
    await app.sql(
      'INSERT INTO upload (pk, addon_id, version_id, account_id, file_name, updated) VALUES ($1, $2, $3, $4, $5, now())',
      [`${index}`.repeat(32), created.id, id, owners[index], 'a.xpi'],
    );
  }
});

describe('Account.uploads', () => {
  it('shows an account its own uploads, newest first', async () => {
    const own = await uploads(developer);
    expect(versions(own)).toEqual(NUMBERS);
    expect(own?.totalCount).toBe(3);
    expect(own?.edges[0]?.node).toMatchObject({ stage: 'SIGNED', files: [{}] });
    const { viewer } = await developer.graphql<{ viewer: { uploads: { totalCount: number } } }>(
      '{ viewer { uploads { totalCount } } }',
    );
    expect(viewer.uploads.totalCount).toBe(3);
  });

  it('is null for other viewers, except holders of Users:Edit', async () => {
    expect(await uploads(app.anonymous)).toBeNull();
    expect(await uploads(stranger)).toBeNull();
    expect(versions(await uploads(administrator))).toEqual(NUMBERS);
  });

  it('is paged by cursor with a constant number of statements', async () => {
    const first = await uploads(developer, { first: 1 });
    expect(versions(await uploads(developer, { first: 5, after: first?.edges[0]?.cursor }))).toEqual(['2.0', '1.0']);
    const statements = async (size: number) =>
      (await statementsDuring(() => uploads(developer, { first: size }))).length;
    expect(await statements(3)).toBe(await statements(1));
  });
});
