import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { mutate } from '../../support/mutate.ts';
import { attemptRating } from '../../support/ratings.ts';

const app = setUpApp({
  settings: {
    RATING_DENIED_WORDS: ['Casino', 'pills'],
    RATING_HOLD_LINKS: true,
    RATING_NEW_ACCOUNT_DAYS: 1,
    RATING_NEW_ACCOUNT_LIMIT: 2,
    RATING_FLOOD: 3,
  },
});
let moderator: Client;
beforeAll(async () => {
  moderator = await app.memberWith('AbuseReports:Edit');
});

/** A visitor whose account is not new. */
async function oldVisitor(): Promise<Client> {
  const client = await app.developer();
  await app.sql("UPDATE account SET created = now() - interval '1 year' WHERE id = $1", [client.accountId]);
  return client;
}

async function rate(client: Client, made: MadeAddon, score: number, body?: string) {
  const { rating } = await attemptRating(client, made, score, body);
  return rating ?? { databaseId: 0, isOnHold: false };
}

interface Waiting {
  databaseId: number;
  holdReason: string | null;
  flagCounts: { reason: string }[];
}
const waiting = async () =>
  (
    await moderator.graphql<{ ratingsToModerate: { nodes: Waiting[] } }>(
      '{ ratingsToModerate { nodes { databaseId holdReason flagCounts { reason } } } }',
    )
  ).ratingsToModerate.nodes;
const byAddon = async (made?: MadeAddon) =>
  (
    await moderator.graphql<{ ratingsToModerateByAddon: unknown[] }>(
      `query($addon: AddonRefInput) { ratingsToModerateByAddon(addon: $addon) {
        addon { databaseId } count floodCount flood { databaseId } } }`,
      { addon: made && { databaseId: made.id } },
    )
  ).ratingsToModerateByAddon;
const countOf = async ({ id }: MadeAddon) =>
  (
    await app.anonymous.graphql<{ addon: { userRatings: { totalCount: number; nodes: unknown[] } } }>(
      `{ addon(by: { databaseId: ${id} }) { userRatings { totalCount nodes { id } } } }`,
    )
  ).addon.userRatings.nodes.length;

describe('ratings on hold', () => {
  it('have a denied word or a link, and are shown after an edit or a decision', async () => {
    const made = await addon();
    const [one, two] = [await oldVisitor(), await oldVisitor()];
    const word = await rate(one, made, 5, 'Best CASINO add-on');
    const link = await rate(two, made, 5, 'See www.example.org');
    expect([word.isOnHold, link.isOnHold, await countOf(made)]).toEqual([true, true, 0]);
    expect(await waiting()).toMatchObject([
      { databaseId: link.databaseId, holdReason: 'TEXT' },
      { databaseId: word.databaseId, holdReason: 'TEXT' },
    ]);
    await mutate(one, 'updateRating', { id: globalId('Rating', word.databaseId), body: 'Best add-on' });
    await mutate(moderator, 'decideRating', { id: globalId('Rating', link.databaseId), decision: 'KEEP' });
    expect([await countOf(made), await waiting()]).toEqual([2, []]);
    await mutate(one, 'updateRating', { id: globalId('Rating', word.databaseId), body: 'pills.example.com' });
    expect(await countOf(made)).toBe(1);
  });

  it('are of new accounts that rate often', async () => {
    const visitor = await app.developer();
    const held: boolean[] = [];
    for (const _ of [1, 2, 3]) held.push((await rate(visitor, await addon(), 4)).isOnHold);
    expect(held).toEqual([false, false, true]);
    const [newest] = await waiting();
    expect(newest?.holdReason).toBe('NEW_ACCOUNT');
    const mine = await visitor.graphql<{ viewer: { ratings: { nodes: unknown[] } } }>(
      '{ viewer { ratings { nodes { isOnHold } } } }',
    );
    expect(mine.viewer.ratings.nodes).toHaveLength(3);
  });

  it('are none in a flood of one star, which is flagged', async () => {
    const made = await addon();
    const ids: number[] = [];
    for (const _ of [1, 2, 3, 4]) ids.unshift((await rate(await oldVisitor(), made, 1)).databaseId);
    const flagged = (await waiting()).filter(({ databaseId }) => ids.includes(databaseId));
    expect(flagged).toEqual(
      ids.map((databaseId) => ({ databaseId, holdReason: null, flagCounts: [{ reason: 'FLOOD' }] })),
    );
    expect(await countOf(made)).toBe(4);
    const other = await addon();
    for (const _ of [1, 2, 3]) await rate(await oldVisitor(), other, 1);
    const decide = (id: number, input: object) =>
      mutate(moderator, 'decideRating', { id: globalId('Rating', id), ...input });
    expect(await byAddon(made)).toEqual([
      {
        addon: { databaseId: made.id },
        ...{ count: 4, floodCount: 4, flood: { databaseId: ids[0] } },
      },
    ]);
    expect(await byAddon()).toMatchObject([
      { addon: { databaseId: made.id } },
      { addon: { databaseId: other.id }, ...{ count: 3, floodCount: 3 } },
      ...[
        { count: 1, flood: null },
        { count: 1, flood: null },
      ],
    ]);
    await decide(ids[1] ?? 0, { decision: 'KEEP', openFlags: 1 });
    await decide(ids[0] ?? 0, { decision: 'HIDE', openFlags: 1, includeFlood: true });
    expect([await countOf(made), await countOf(other)]).toEqual([1, 3]);
    const kept = (await waiting()).filter(({ databaseId }) => ids.includes(databaseId));
    expect(kept).toEqual([]);
    const audits = await app.sql("SELECT FROM audit_entry WHERE action = 'rating-hidden'");
    expect(audits).toHaveLength(3);
  });
});
