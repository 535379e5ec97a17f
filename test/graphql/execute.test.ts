import { beforeAll, describe, expect, it } from 'vitest';
import { ANONYMOUS, type Viewer } from '../../src/auth/viewer.ts';
import type { Context } from '../../src/graphql/context.ts';
import { setUpApp } from '../support/app.ts';
import { globalId } from '../support/global-ids.ts';

const app = setUpApp();
let run: (text: string, variables?: Record<string, unknown>, viewer?: Viewer) => Promise<Record<string, unknown>>;
let developer: Viewer;

beforeAll(async () => {
  const { execute } = await import('../../src/execution/execute.ts');
  const { TypedDocumentString } = await import('../../src/generated/operations/graphql.ts');
  run = (text, variables = {}, viewer = ANONYMOUS) => {
    const context: Context = { viewer, locale: 'de', ip: null, requestId: 'test' };
    return execute(new TypedDocumentString<Record<string, unknown>, Record<string, unknown>>(text), variables, context);
  };
  const { accountId } = await app.developer();
  developer = {
    kind: 'account',
    accountId: accountId ?? 0,
    username: 'developer',
    rules: [],
    via: { scheme: 'bearer', tokenId: 1, signedInAt: new Date() },
  };
});

const UPDATE = `mutation($input: UpdateAddonInput!) { updateAddon(input: $input) { __typename } }`;

describe('an internal operation', () => {
  it('returns its data', async () => {
    expect(await run('{ viewer { databaseId } }', {}, developer)).toMatchObject({
      viewer: { databaseId: developer.kind === 'account' ? developer.accountId : 0 },
    });
  });

  it('throws the error of a query unchanged', async () => {
    await expect(run('{ addon(by: { slug: "none" }) { id } }')).rejects.toMatchObject({
      name: 'NotFoundError',
      code: 'NOT_FOUND',
      details: {},
    });
  });

  it('throws the error of a mutation with details that the operation does not select', async () => {
    await expect(run(UPDATE, { input: { id: 'nonsense' } }, developer)).rejects.toMatchObject({
      name: 'InvalidInputError',
      code: 'INVALID_INPUT',
      details: { fields: { id: ['Expected a global id of type "Addon", got "nonsense".'] } },
    });
  });

  it('is isolated from concurrent operations', async () => {
    const outcomes = await Promise.allSettled([
      run(UPDATE, { input: { id: 'nonsense' } }, developer),
      run('{ viewer { databaseId } }', {}, developer),
      run(UPDATE, { input: { id: globalId('Addon', 2_147_483_647) } }, developer),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done'))).toEqual([
      'INVALID_INPUT',
      'done',
      'NOT_FOUND',
    ]);
  });

  it('throws unexpected errors unchanged', async () => {
    await app.sql('alter table category rename to category_away');
    try {
      await expect(run('{ categories { id } }')).rejects.toMatchObject({ name: 'PrismaClientKnownRequestError' });
    } finally {
      await app.sql('alter table category_away rename to category');
    }
  });

  it('refuses only mutations in read-only mode', async () => {
    app.config.READ_ONLY = true;
    try {
      await expect(run(UPDATE, { input: { id: globalId('Addon', 1) } }, developer)).rejects.toMatchObject({
        code: 'READ_ONLY',
        message: expect.stringContaining('Wartungsarbeiten'),
      });
      expect(await run('{ __typename }')).toEqual({ __typename: 'Query' });
    } finally {
      app.config.READ_ONLY = false;
    }
  });

  it('throws "Invalid operation" if it does not match the schema', async () => {
    await expect(run('{ nothing }')).rejects.toThrow(/^Invalid operation: Cannot query field "nothing"/);
  });
});
