import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';

const app = setUpApp();
let keeper: Client;
let reviewer: Client;

interface Canned {
  id: string;
  databaseId: number;
  name: string;
  text: { value: string; all: { locale: string; value: string }[] };
}
interface Result {
  __typename: string;
  code?: string;
  message?: string;
  path?: string[];
  cannedResponse?: Canned;
  deletedId?: string;
}

const FIELDS = 'id databaseId name text { value(lang: "he") all { locale value } }';
/** Changes the one with the `id` of the input, or creates one. */
const set = async ({ id, ...input }: Record<string, unknown>, client = keeper): Promise<Result> => {
  const [name, type] = id === undefined ? ['create', 'Create'] : ['update', 'Update'];
  const { result } = await client.graphql<{ result: Result }>(
    `mutation($input: ${type}CannedResponseInput!) { result: ${name}CannedResponse(input: $input) { __typename
      ... on UserError { code message path } ... on ${type}CannedResponsePayload { cannedResponse { ${FIELDS} } } } }`,
    { input: id === undefined ? input : { id, ...input } },
  );
  return result;
};
const remove = async (id: string, client = keeper): Promise<Result> =>
  (
    await client.graphql<{ deleteCannedResponse: Result }>(
      `mutation($input: DeleteCannedResponseInput!) { deleteCannedResponse(input: $input) { __typename
        ... on UserError { code } ... on DeleteCannedResponsePayload { deletedId } } }`,
      { input: { id } },
    )
  ).deleteCannedResponse;
const list = (client: Client) =>
  client.graphqlResult<{ cannedResponses: Canned[] }>(`{ cannedResponses { ${FIELDS} } }`);
const names = async () => (await list(reviewer)).data?.cannedResponses.map(({ name }) => name);
const english = (value: string | null) => [{ locale: 'en-US', value }];
const audit = async () =>
  (await app.sql('SELECT actor, action, details FROM audit_entry ORDER BY id DESC LIMIT 1'))[0] ?? {};

beforeAll(async () => {
  keeper = await app.memberWith('Admin:Review');
  reviewer = await app.memberWith('Addons:ThemeReview');
});

describe('createCannedResponse and updateCannedResponse', () => {
  it('creates a text in several languages, changes one of them, and writes both to the audit log', async () => {
    const text = [...english(' Please explain. '), { locale: 'he', value: 'הסבירו.' }];
    const { cannedResponse: made } = await set({ name: ' Explain ', text });
    expect(made).toMatchObject({ name: 'Explain', text: { value: 'הסבירו.' } });
    expect(made?.text.all).toEqual([
      { locale: 'en-US', value: 'Please explain.' },
      { locale: 'he', value: 'הסבירו.' },
    ]);
    expect(await audit()).toMatchObject({
      actor: expect.stringMatching(`^account ${keeper.accountId} `),
      action: 'canned-response-set',
      details: { id: made?.databaseId, name: 'Explain', text: { 'en-US': 'Please explain.', he: 'הסבירו.' } },
    });
    const { cannedResponse: changed } = await set({ id: made?.id, text: [{ locale: 'he', value: null }] });
    expect(changed).toMatchObject({ id: made?.id, name: 'Explain', text: { value: 'Please explain.' } });
    expect((await set({ id: made?.id, name: 'Explain why' })).cannedResponse?.name).toBe('Explain why');
    expect(await names()).toEqual(['Explain why']);
  });

  it('writes nothing for a repetition that changes nothing', async () => {
    const text = english('Again.');
    const { cannedResponse: made } = await set({ name: 'Again', text });
    const once = await app.sql('SELECT id FROM audit_entry ORDER BY id');
    for (const again of [{ id: made?.id, text }, { id: made?.id }, { id: made?.id, name: ' Again ' }]) {
      expect((await set(again)).cannedResponse).toEqual(made);
      expect(await app.sql('SELECT id FROM audit_entry ORDER BY id')).toEqual(once);
    }
    expect((await remove(made?.id ?? '')).__typename).toBe('DeleteCannedResponsePayload');
  });

  it.each([
    ['a blank name', { name: ' ', text: english('Text.') }, 'name'],
    ['a long name', { name: 'x'.repeat(256), text: english('Text.') }, 'name'],
    ['a name with control characters', { name: 'a\u0000b', text: english('Text.') }, 'name'],
    ['no text', { name: 'Empty', text: [] }, 'text'],
    ['a blank text', { name: 'Empty', text: english(' ') }, 'text'],
    ['a long text', { name: 'Long', text: english('x'.repeat(10_001)) }, 'text'],
    ['an unknown language', { name: 'Klingon', text: [{ locale: 'tlh', value: 'x' }] }, 'text'],
  ])('refuses %s', async (_what, input, field) => {
    expect(await set(input)).toMatchObject({ __typename: 'InvalidInputError', code: 'BAD_USER_INPUT', path: [field] });
  });

  it('refuses a name that another one has, and unknown ids', async () => {
    await set({ name: 'First', text: english('Text.') });
    const { cannedResponse } = await set({ name: 'Second', text: english('Text.') });
    expect(await set({ id: cannedResponse?.id, name: 'first' })).toMatchObject({ path: ['name'] });
    expect(await set({ name: 'FIRST', text: english('Other.') })).toMatchObject({ path: ['name'] });
    const unknown = Buffer.from('CannedResponse:999999').toString('base64');
    expect(await set({ id: unknown, name: 'Third' })).toMatchObject({ __typename: 'NotFoundError' });
    expect(await remove(unknown)).toMatchObject({ __typename: 'NotFoundError' });
  });

  it('creates one of the same name for two simultaneous requests', async () => {
    const both = await Promise.all([1, 2].map((n) => set({ name: 'Both', text: english(`Text ${n}.`) })));
    const [made, refused] = both.toSorted((one) => (one.cannedResponse ? -1 : 1));
    expect(made?.cannedResponse?.name).toBe('Both');
    expect(refused).toMatchObject({ __typename: 'InvalidInputError', path: ['name'] });
  });
});

describe('deleteCannedResponse', () => {
  it('deletes a text and writes it to the audit log', async () => {
    const { cannedResponse } = await set({ name: 'Old', text: english('Text.') });
    const id = cannedResponse?.id ?? '';
    expect(await remove(id)).toEqual({ __typename: 'DeleteCannedResponsePayload', deletedId: id });
    expect(await audit()).toMatchObject({ action: 'canned-response-deleted', details: { name: 'Old' } });
    expect(await names()).not.toContain('Old');
  });
});

describe('canned responses', () => {
  it('are read by reviewers and kept by holders of Admin:Review', async () => {
    const { cannedResponse } = await set({ name: 'Access', text: english('Text.') });
    const id = cannedResponse?.id ?? '';
    const NODE = 'query($id: ID!) { node(id: $id) { ... on CannedResponse { name } } }';
    const readers = ['Addons:Review', 'Addons:ReviewUnlisted', 'Personas:Review', '*:*'];
    for (const rule of readers) {
      const client = await app.memberWith(rule);
      expect((await list(client)).data?.cannedResponses.length).toBeGreaterThan(0);
      expect(await client.graphql(NODE, { id })).toEqual({ node: { name: 'Access' } });
      const changed = await set({ id, text: english('New.') }, client);
      expect(changed.__typename).toBe(rule === '*:*' ? 'UpdateCannedResponsePayload' : 'NotPermittedError');
    }
    for (const client of [await app.developer(), await app.memberWith('Addons:Edit')]) {
      expect((await list(client)).errors?.[0]?.extensions?.code).toBe('NOT_PERMITTED');
      expect((await client.graphqlResult(NODE, { id })).errors?.[0]?.extensions?.code).toBe('NOT_FOUND');
      expect((await remove(id, client)).__typename).toBe('NotPermittedError');
    }
    expect((await list(app.anonymous)).errors?.[0]?.extensions?.code).toBe('NOT_AUTHENTICATED');
  });
});
