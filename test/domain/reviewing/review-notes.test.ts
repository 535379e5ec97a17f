import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client, Reply } from '../../support/client.ts';
import { addNotes } from '../../support/notes.ts';
import { makeThread, type ThreadWorld } from '../../support/review-thread.ts';
import { statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let world: ThreadWorld;

beforeAll(async () => {
  world = await makeThread(app);
});

const of = (name: string): Client => world.client(name);
const list = () => `/api/v4/addons/addon/thread/versions/${world.versionId('public')}/reviewnotes/`;
const resultsOf = (reply: Reply) => (reply.json as { results: Record<string, unknown>[] }).results;

describe('Version.reviewNotes and reviewNote', () => {
  const FIELDS = 'id databaseId action actionLabel kind user { databaseId name url username } comments created';
  const LIST = `query($ref: String!, $id: Int!, $first: Int, $after: String) {
    addon(by: { slug: $ref }) { version(by: { databaseId: $id }) { id
      reviewNotes(first: $first, after: $after) {
        totalCount edges { cursor node { ${FIELDS} } } pageInfo { hasNextPage } } } } }`;
  interface Thread {
    totalCount: number;
    edges: { cursor: string; node: Record<string, unknown> & { id: string; databaseId: number } }[];
    pageInfo: { hasNextPage: boolean };
  }
  const thread = async (client: Client, variables = {}): Promise<Thread | null> => {
    const data = await client.graphql<{ addon: { version: { reviewNotes: Thread | null } } }>(LIST, {
      ref: 'thread',
      id: world.versionId('public'),
      ...variables,
    });
    return data.addon.version.reviewNotes;
  };

  it('returns what REST returns', async () => {
    for (const name of ['author', 'reviewer', 'administrator']) {
      const found = await thread(of(name));
      const rest = resultsOf(await of(name).get(list()));
      expect(
        found?.edges.map(({ node }) => ({
          id: node.databaseId,
          action: String(node.action).toLowerCase().replaceAll('_', '-'),
          action_label: node.actionLabel,
          user: { id: (node.user as { databaseId: number }).databaseId },
          comments: node.comments,
          date: node.created,
        })),
      ).toEqual(rest.map((note) => ({ ...note, user: { id: (note.user as { id: number }).id } })));
      expect(found?.totalCount).toBe(rest.length);
    }
    expect((await thread(of('reviewer')))?.edges.map(({ node }) => node.kind)).toEqual([
      'DECISION',
      'DECISION',
      'DEVELOPER_REPLY',
      'REQUEST',
      'COMMENT',
      'REQUEST',
      'REQUEST',
    ]);
  });

  it('has a null thread for viewers without access', async () => {
    for (const name of ['stranger', 'editor', 'themeReviewer', 'anonymous']) expect(await thread(of(name))).toBeNull();
  });

  it('is paged by cursor', async () => {
    const first = await thread(of('reviewer'), { first: 3 });
    expect([first?.edges.length, first?.pageInfo.hasNextPage]).toEqual([3, true]);
    const rest = await thread(of('reviewer'), { first: 10, after: first?.edges[2]?.cursor });
    const all = await thread(of('reviewer'));
    const ids = (page: Thread | null) => page?.edges.map(({ node }) => node.databaseId) ?? [];
    expect([...ids(first), ...ids(rest)]).toEqual(ids(all));
  });

  it('names the paging argument at fault', async () => {
    const variables = { ref: 'thread', id: world.versionId('public') };
    for (const [argument, value] of Object.entries({ first: 101, after: 'x' })) {
      const { errors } = await of('reviewer').graphqlResult(LIST, { ...variables, [argument]: value });
      expect(errors?.[0]?.extensions?.details).toMatchObject({ fields: { [argument]: [expect.any(String)] } });
    }
  });

  it('finds one note by its global id, and as a node', async () => {
    const ONE = `query($id: ID!) { reviewNote(id: $id) { ${FIELDS} } }`;
    const find = (name: string, id = world.notes[2]) =>
      of(name).graphqlResult<{ reviewNote: { id: string; comments: string } | null }>(ONE, {
        id: Buffer.from(`ReviewNote:${id}`).toString('base64'),
      });
    const { data } = await find('reviewer');
    expect(data?.reviewNote).toMatchObject({ comments: 'I saw this <b>code</b> elsewhere.' });
    for (const [name, code] of [
      ['author', 'NOT_FOUND'],
      ['stranger', 'NOT_PERMITTED'],
      ['anonymous', 'NOT_AUTHENTICATED'],
    ] as const) {
      expect((await find(name)).errors?.[0]?.extensions?.code).toBe(code);
    }
    const NODE = 'query($id: ID!) { node(id: $id) { ... on ReviewNote { comments version { version } } } }';
    const id = data?.reviewNote?.id;
    expect(await of('reviewer').graphql(NODE, { id })).toMatchObject({ node: { version: { version: 'public' } } });
    expect((await of('author').graphqlResult(NODE, { id })).errors?.[0]?.extensions?.code).toBe('NOT_FOUND');
  });

  it('finds a thread by add-on and version number, for those who read it', async () => {
    const THREAD = `query($number: String!, $note: Int!) {
      reviewThread(addon: { slug: "thread" }, version: { number: $number }) {
        notes { totalCount } note(databaseId: $note) { comments } } }`;
    const find = (name: string, number = 'public') => of(name).graphqlResult(THREAD, { number, note: world.notes[2] });
    expect((await find('reviewer')).data).toEqual({
      reviewThread: {
        notes: { totalCount: (await thread(of('reviewer')))?.totalCount },
        note: { comments: 'I saw this <b>code</b> elsewhere.' },
      },
    });
    expect((await find('author')).data).toMatchObject({ reviewThread: { note: null } });
    for (const [name, number, code] of [
      ['reviewer', 'unknown', 'NOT_FOUND'],
      ['stranger', 'public', 'NOT_PERMITTED'],
      ['anonymous', 'public', 'NOT_AUTHENTICATED'],
    ] as const) {
      const { data, errors } = await find(name, number);
      expect([data, errors?.[0]?.extensions?.code]).toEqual([{ reviewThread: null }, code]);
    }
  });

  it('reads the threads of many versions with a constant number of statements', async () => {
    const MANY = `query($first: Int!) { addon(by: { slug: "thread" }) { versions(filter: ALL_WITH_UNLISTED, first: $first) { edges { node {
      reviewNotes(first: 5) { totalCount edges { node { user { name } } } } } } } } }`;
    const count = async (first: number) =>
      (await statementsDuring(() => of('administrator').graphql(MANY, { first }))).length;
    await addNotes(app, world.versionId('waiting'), [{ action: 'review-requested' }]);
    expect(await count(5)).toBe(await count(1));
  });
});
