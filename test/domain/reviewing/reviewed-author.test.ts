import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';

const app = setUpApp();
let reviewer: Client;
let author: Client;
const made: Record<string, { id: number; versions: { id: number }[] }> = {};
beforeAll(async () => {
  reviewer = await app.memberWith('Addons:Review');
  author = await app.developer();
  const id = author.accountId ?? 0;
  const waiting = { version: '2.0', stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };
  made.listed = await addon({ authors: [id], versions: [{ version: '1.0' }, waiting] });
  made.theme = await addon({ authors: [id], type: 'statictheme' });
  made.unlisted = await addon({ authors: [id], status: 'incomplete', versions: [{ channel: 'unlisted' }] });
  made.hidden = await addon({ authors: [{ id, listed: false }] });
  for (const [action, each] of [
    ['approved', made.listed],
    ['rejected', made.theme],
    ['comment', made.listed],
  ] as const) {
    await app.sql(
      `INSERT INTO activity (action, account_id, addon_id, version_id, comments, created)
       VALUES ($1, $2, $3, $4, 'Words.', '2026-05-04T12:00:00Z')`,
      [action, reviewer.accountId, each?.id, each?.versions[0]?.id],
    );
  }
});

interface Author {
  account: { databaseId: number };
  decisions: { approvedCount: number; rejectedCount: number };
  addons: { nodes: { addon: { databaseId: number }; waitingCount: number; reportCount: number }[] };
}
const authorOf = (client: Client, by: object = { databaseId: author.accountId }) =>
  client.graphqlResult<{ reviewedAuthor: Author | null }>(
    `query($by: AccountRefInput!) { reviewedAuthor(by: $by) { account { databaseId } reportCount
      decisions { approvedCount rejectedCount } addons { nodes { addon { databaseId } waitingCount reportCount } } } }`,
    { by },
  );
const addonsOf = async (client: Client) =>
  (await authorOf(client)).data?.reviewedAuthor?.addons.nodes.map(({ addon: { databaseId } }) => databaseId);

describe('reviewedAuthor', () => {
  it('has the add-ons and decisions that the viewer may review', async () => {
    const { data } = await authorOf(reviewer);
    expect(data?.reviewedAuthor).toMatchObject({
      account: { databaseId: author.accountId },
      decisions: { approvedCount: 1, rejectedCount: 0 },
      addons: { nodes: [{ addon: { databaseId: made.listed?.id }, waitingCount: 1, reportCount: 0 }] },
    });
    expect(await addonsOf(await app.memberWith('Addons:ThemeReview'))).toEqual([made.theme?.id]);
    expect(await addonsOf(await app.memberWith('Addons:ReviewUnlisted', 'Addons:Edit'))).toEqual(
      [made.hidden, made.unlisted, made.theme, made.listed].map((each) => each?.id),
    );
  });

  it('is null for accounts without such add-ons, and refused for others than reviewers', async () => {
    for (const by of [{ username: 'unknown' }, { username: 'a\0b' }, { databaseId: reviewer.accountId }]) {
      expect((await authorOf(reviewer, by)).data).toEqual({ reviewedAuthor: null });
    }
    expect((await authorOf(author)).errors?.[0]?.extensions?.code).toBe('NOT_PERMITTED');
    expect((await authorOf(app.anonymous)).errors?.[0]?.extensions?.code).toBe('NOT_AUTHENTICATED');
  });
});

describe('reviewLog', () => {
  const log = async (client: Client, filter: object = {}) =>
    (
      await client.graphql<{ reviewLog: { nodes: { action: string }[] } }>(
        'query($filter: ReviewLogFilter) { reviewLog(filter: $filter) { nodes { action } } }',
        { filter },
      )
    ).reviewLog.nodes.map(({ action }) => action);

  it.each([
    [{}, ['COMMENT', 'APPROVED']],
    [{ actions: ['APPROVED'] }, ['APPROVED']],
    [{ actions: [] }, []],
    [{ from: '2026-05-04', to: '2026-05-04' }, ['COMMENT', 'APPROVED']],
    [{ from: '2026-05-05' }, []],
    [{ to: '2026-05-03' }, []],
    [{ reviewer: { username: 'a\0b' } }, []],
    [{ addon: { slug: 'unknown\0' } }, []],
  ])('%j selects', async (filter, expected) => {
    expect(await log(reviewer, filter)).toEqual(expected);
  });

  it('selects by reviewer and add-on', async () => {
    const addonId = made.listed?.id;
    expect(
      await log(reviewer, { reviewer: { databaseId: reviewer.accountId }, addon: { databaseId: addonId } }),
    ).toEqual(['COMMENT', 'APPROVED']);
    expect(await log(reviewer, { reviewer: { id: globalId('Account', author.accountId) } })).toEqual([]);
    expect(await log(reviewer, { addon: { id: globalId('Addon', made.theme?.id) } })).toEqual([]);
  });

  it('has what the viewer may review, in pages', async () => {
    expect(await log(await app.memberWith('Addons:ThemeReview'))).toEqual(['REJECTED']);
    expect(await log(author)).toEqual([]);
    expect(await log(app.anonymous)).toEqual([]);
    const page = async (args: string) =>
      (
        await reviewer.graphql<{ reviewLog: { edges: { cursor: string; node: { action: string } }[] } }>(
          `{ reviewLog(${args}) { edges { cursor node { action } } } }`,
        )
      ).reviewLog.edges;
    const [first] = await page('first: 1');
    expect(first?.node.action).toBe('COMMENT');
    expect((await page(`first: 1, after: "${first?.cursor}"`)).map(({ node }) => node.action)).toEqual(['APPROVED']);
  });
});

describe('a rejected version', () => {
  it('counts as imported without a decision, and has the text of one for its reviewers', async () => {
    const maker = await app.developer();
    const rejected = (version: string) => ({ version, stage: 'rejected', files: [{ status: 5 }] });
    const { id, versions } = await addon({
      authors: [maker.accountId ?? 0],
      versions: [{ version: '1.0' }, rejected('1.1'), rejected('1.2')],
    });
    await app.sql(
      `INSERT INTO activity (action, account_id, addon_id, version_id, comments)
       VALUES ('approved', $1, $2, $3, 'Fine.'), ('rejected', $1, $2, $4, 'Sends too much.')`,
      [reviewer.accountId, id, versions[0]?.id, versions[2]?.id],
    );
    const read = async (client: Client) =>
      (
        await client.graphql<{ reviewedAuthor: unknown }>(
          `query($by: AccountRefInput!) { reviewedAuthor(by: $by) { decisions { rejectedCount newest { comments } }
            addons { nodes { rejectedCount importedRejectionCount } } } }`,
          { by: { databaseId: maker.accountId } },
        )
      ).reviewedAuthor;
    expect(await read(reviewer)).toEqual({
      decisions: { rejectedCount: 1, newest: [{ comments: 'Sends too much.' }, { comments: 'Fine.' }] },
      addons: { nodes: [{ rejectedCount: 2, importedRejectionCount: 1 }] },
    });
    // Holders of Addons:Edit see decisions about public versions, whose threads they may not read.
    const other = await app.memberWith('Addons:ReviewUnlisted', 'Addons:Edit');
    expect(await read(other)).toMatchObject({ decisions: { newest: [{ comments: null }] } });
  });
});
