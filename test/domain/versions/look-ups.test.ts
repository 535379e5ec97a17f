import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';

const app = setUpApp();
let author: Client;
let open: MadeAddon;
let hidden: MadeAddon;

beforeAll(async () => {
  author = await app.developer();
  const authors = [author.accountId ?? 0];
  open = await addon({ slug: 'open', authors });
  hidden = await addon({ slug: 'hidden', authors, status: 'incomplete', versions: [{ channel: 'unlisted' }] });
});

const globalId = (type: string, id: unknown) => Buffer.from(`${type}:${id}`).toString('base64');
const versionId = ({ versions }: MadeAddon) => versions[0]?.id ?? 0;

interface Result {
  data: Record<string, unknown>;
  errors?: { path: string[]; extensions: { code: string } }[];
}
async function lookUp(client: Client, fields: string) {
  const { data, errors = [] } = (await client.graphqlResult(
    `{ open: addon(by: { slug: "open" }) { slug } ${fields} }`,
  )) as Result;
  return { data, errors: errors.map(({ path, extensions }) => [path.join('.'), extensions.code]) };
}

describe('a look-up that fails', () => {
  it.each([
    ['an unknown add-on', () => 'found: addon(by: { slug: "unknown" }) { id }', 'NOT_FOUND'],
    ['an add-on that is not public', () => 'found: addon(by: { slug: "hidden" }) { id }', 'NOT_AUTHENTICATED'],
    ['an unknown version', () => `found: version(id: "${globalId('Version', 999_999)}") { id }`, 'NOT_FOUND'],
    ['a version by its database id', () => `found: version(id: "${versionId(open)}") { id }`, 'BAD_USER_INPUT'],
    [
      'a hidden version',
      () => `found: version(id: "${globalId('Version', versionId(hidden))}") { id }`,
      'NOT_AUTHENTICATED',
    ],
  ])('is null with a code for %s, and leaves the rest of the response', async (_title, field, code) => {
    const { data, errors } = await lookUp(app.anonymous, field());
    expect(data).toEqual({ open: { slug: 'open' }, found: null });
    expect(errors).toEqual([['found', code]]);
  });

  it('is null in the add-on for a version of another one', async () => {
    const field = `found: addon(by: { slug: "open" }) { slug version(by: { databaseId: ${versionId(hidden)} }) { id } }`;
    const { data, errors } = await lookUp(author, field);
    expect(data.found).toEqual({ slug: 'open', version: null });
    expect(errors).toEqual([['found.version', 'NOT_FOUND']]);
  });
});

describe('a version', () => {
  it('of an add-on is found by its number or its database id, one of them', async () => {
    const id = versionId(open);
    const found = async (ref: string) =>
      (await app.anonymous.graphqlResult(
        `{ addon(by: { slug: "open" }) { version(by: ${ref}) { databaseId } } }`,
      )) as Result;
    for (const ref of ['{ number: "1.0" }', `{ databaseId: ${id} }`]) {
      expect((await found(ref)).data.addon).toEqual({ version: { databaseId: id } });
    }
    for (const ref of ['{}', `{ number: "1.0", databaseId: ${id} }`, '{ number: null }']) {
      expect((await found(ref)).errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    }
  });

  it('is found by its global id, with its add-on', async () => {
    const found = `found: version(id: "${globalId('Version', versionId(open))}") { databaseId addon { slug } }`;
    const { data } = await lookUp(app.anonymous, found);
    expect(data.found).toEqual({ databaseId: versionId(open), addon: { slug: 'open' } });
  });
});

describe('a file', () => {
  it('is a node for viewers who may see its version', async () => {
    const [file] = await app.sql<{ id: number }>('SELECT id FROM file WHERE version_id = $1', [versionId(hidden)]);
    const id = globalId('File', file?.id);
    const field = `found: node(id: "${id}") { id ... on File { databaseId status } }`;
    expect((await lookUp(author, field)).data.found).toEqual({ id, databaseId: file?.id, status: 'PUBLIC' });
    expect((await lookUp(app.anonymous, field)).data.found).toBeNull();
  });
});

describe('an authorship', () => {
  it('has one id per add-on and account', async () => {
    const { data } = await lookUp(
      author,
      'found: addon(by: { slug: "hidden" }) { authors { id } } open2: addon(by: { slug: "open" }) { authors { id } }',
    );
    const ids = [hidden, open].map(({ id }) => globalId('AddonAuthor', `${id}:${author.accountId}`));
    expect(data).toMatchObject({ found: { authors: [{ id: ids[0] }] }, open2: { authors: [{ id: ids[1] }] } });
  });
});

describe('featuredAddons', () => {
  it.each([0, -1, 51])('refuses a size of %i', async (first) => {
    const { errors } = await app.anonymous.graphqlResult(
      `{ featuredAddons(app: DESKTOP_BROWSER, first: ${first}) { id } }`,
    );
    expect(errors?.[0]?.message).toBe(`first is ${first}; use a number from 1 to 50.`);
  });
});
