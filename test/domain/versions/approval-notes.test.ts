import { beforeAll, describe, expect, it } from 'vitest';
import { globalId } from '../../../src/graphql/global-id.ts';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { mutate } from '../../support/mutate.ts';

const app = setUpApp();
let owner: Client;
let developer: Client;

beforeAll(async () => {
  [owner, developer] = [await app.developer(), await app.developer()];
});

const DONE = { __typename: 'UpdateVersionPayload' };
const update = (client: Client, id: unknown, input: object) => mutate(client, 'updateVersion', { id, ...input });

describe('Version.approvalNotes', () => {
  it('is for authors and reviewers', async () => {
    const authors = [owner.accountId ?? 0, { id: developer.accountId ?? 0, role: 'developer' as const }];
    const id = (await addon({ authors })).versions[0]?.id ?? 0;
    const notes = 'Sign in as demo/demo.\nThen press Start.';
    expect(await update(developer, id, { approvalNotes: ` ${notes}\0 ` })).toEqual(DONE);
    const read = async (client: Client) =>
      (
        await client.graphql<{ node: unknown }>(
          'query($id: ID!) { node(id: $id) { ... on Version { approvalNotes } } }',
          {
            id: globalId('Version', id),
          },
        )
      ).node;
    const reviewer = await app.memberWith('Addons:Review');
    for (const client of [owner, developer, reviewer]) expect(await read(client)).toEqual({ approvalNotes: notes });
    for (const client of [app.anonymous, await app.developer()])
      expect(await read(client)).toEqual({ approvalNotes: null });
    expect(await update(developer, id, { approvalNotes: 'é'.repeat(3_001), compatibility: [] })).toMatchObject({
      message: 'Ensure this value has at most 3000 characters (it has 3001).',
      path: ['approvalNotes', 'compatibility'],
    });
    expect(await update(developer, id, { approvalNotes: '' })).toEqual(DONE);
    expect(await read(owner)).toEqual({ approvalNotes: '' });
  });
});
