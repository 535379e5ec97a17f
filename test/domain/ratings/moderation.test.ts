import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { mutate } from '../../support/mutate.ts';
import { changeRating, type ListedRatings, listedRatings, rate, ratingsOf } from '../../support/ratings.ts';

const app = setUpApp();
let author: Client;
let visitor: Client;
let other: Client;
let editor: Client;
let moderator: Client;

beforeAll(async () => {
  [author, visitor, other] = [await app.developer(), await app.developer(), await app.developer()];
  [editor, moderator] = [await app.memberWith('Addons:Edit'), await app.memberWith('AbuseReports:Edit')];
});

const make = (facts: AddonFacts = {}) => addon({ authors: [author.accountId ?? 0], ...facts });
const listed = (...list: ListedRatings) => listedRatings(app, ...list);

describe('replies', () => {
  it('are by authors, replaced by the next, and deleted with the rating', async () => {
    const made = await make();
    const id = await rate(visitor, made, 2, 'Slow.');
    expect(await changeRating(visitor, 'replyToRating', id, { body: 'x' })).toMatchObject({ code: 'NOT_PERMITTED' });
    expect(await changeRating(author, 'replyToRating', id, { body: ' ' })).toMatchObject({ path: ['body'] });
    await changeRating(author, 'replyToRating', id, { body: 'Faster now.' });
    await changeRating(author, 'replyToRating', id, { body: 'Much faster now.' });
    expect((await ratingsOf(app, made)).userRatings.nodes).toEqual([
      { databaseId: id, body: 'Slow.', reply: { body: 'Much faster now.' } },
    ]);
    const [reply] = await app.sql<{ id: number }>('SELECT id FROM rating WHERE reply_to = $1', [id]);
    const replyId = reply?.id ?? 0;
    expect(await changeRating(editor, 'replyToRating', replyId, { body: 'x' })).toMatchObject({
      message: 'This is a reply, which takes no reply.',
    });
    expect(await changeRating(author, 'updateRating', replyId, { body: 'Fast.', score: 1 })).toMatchObject({
      __typename: 'UpdateRatingPayload',
    });
    expect(await changeRating(author, 'updateRating', replyId, { body: '' })).toMatchObject({ path: ['body'] });
    await changeRating(author, 'deleteRating', replyId);
    expect((await ratingsOf(app, made)).userRatings.nodes[0]?.reply).toBeNull();
    await changeRating(author, 'replyToRating', id, { body: 'Again.' });
    expect((await ratingsOf(app, made)).userRatings.nodes[0]?.reply).toEqual({ body: 'Again.' });
    await changeRating(visitor, 'deleteRating', id);
    expect(await app.sql('SELECT FROM rating WHERE (id = $1 OR reply_to = $1) AND deleted_at IS NULL', [id])).toEqual(
      [],
    );
  });
});

describe('mails about ratings', () => {
  const mails = (cause: string) =>
    app.sql<{ account: number; kind: string; text: string }>(
      'SELECT account_id AS account, notification AS kind, text FROM outgoing_mail WHERE cause = $1 ORDER BY id',
      [cause],
    );

  it('go to authors once, and to the writer about a reply, unless they have switched them off', async () => {
    const [writer, quiet] = [await app.developer(), await app.developer()];
    for (const { accountId } of [author, writer, quiet])
      await app.sql("UPDATE account SET email = 'a' || id || '@example.org' WHERE id = $1", [accountId]);
    await app.sql("INSERT INTO notification_setting (account_id, name, enabled) VALUES ($1, 'reply', false)", [
      quiet.accountId,
    ]);
    const made = await make();
    const id = await rate(writer, made, 2, 'Slow.');
    expect(await mails(`rating:${id}`)).toEqual([
      { account: author.accountId, kind: 'new_review', text: expect.stringContaining('Slow.') },
    ]);
    const replies = async (ratingId: number) => {
      for (const body of ['Faster.', 'Much faster.']) await changeRating(author, 'replyToRating', ratingId, { body });
      const [reply] = await app.sql<{ id: number }>('SELECT id FROM rating WHERE reply_to = $1', [ratingId]);
      return (await mails(`rating:${reply?.id}`)).map(({ account, kind }) => [account, kind]);
    };
    expect(await replies(id)).toEqual([[writer.accountId, 'reply']]);
    expect(await replies(await rate(quiet, made, 3))).toEqual([]);
  });
});

describe('moderation', () => {
  const inbox = async (client: Client) =>
    (
      await client.graphql<{ ratingsToModerate: { nodes: { databaseId: number; openFlagCount: number }[] } }>(
        '{ ratingsToModerate { totalCount nodes { databaseId openFlagCount holdReason flagCounts { reason count openCount } flags { totalCount nodes { reason note user { name } } } } } }',
      )
    ).ratingsToModerate;

  it('lists what is flagged, once for each account, until it is decided', async () => {
    const made = await make();
    const id = await rate(visitor, made, 1, 'Buy pills.');
    expect(await changeRating(visitor, 'flagRating', id, { reason: 'SPAM' })).toMatchObject({ code: 'NOT_PERMITTED' });
    expect(await changeRating(other, 'flagRating', id, { reason: 'OTHER' })).toMatchObject({ path: ['note'] });
    await changeRating(other, 'flagRating', id, { reason: 'LANGUAGE' });
    await changeRating(other, 'flagRating', id, { reason: 'SPAM', note: 'An advertisement.' });
    await changeRating(author, 'flagRating', id, { reason: 'SPAM' });
    expect(await inbox(moderator)).toMatchObject({
      totalCount: 1,
      nodes: [
        {
          databaseId: id,
          openFlagCount: 2,
          flagCounts: [
            { reason: 'OTHER', count: 1, openCount: 1 },
            { reason: 'SPAM', count: 1, openCount: 1 },
          ],
          flags: { totalCount: 2, nodes: [{ reason: 'SPAM' }, { reason: 'OTHER', note: 'An advertisement.' }] },
        },
      ],
    });
    expect(await changeRating(moderator, 'decideRating', id, { decision: 'HIDE', openFlags: 1 })).toMatchObject({
      path: ['openFlags'],
    });
    await changeRating(moderator, 'decideRating', id, { decision: 'HIDE', openFlags: 2, note: 'Spam.' });
    expect((await ratingsOf(app, made)).ratings.count).toBe(0);
    expect(await listed(made)).toEqual([]);
    expect(await inbox(moderator)).toMatchObject({ totalCount: 0 });
    await changeRating(other, 'flagRating', id, { reason: 'SPAM' });
    await changeRating(moderator, 'decideRating', id, { decision: 'KEEP' });
    expect(await listed(made)).toEqual([id]);
    expect(await inbox(moderator)).toMatchObject({ totalCount: 0 });
    await changeRating(moderator, 'decideRating', id, { decision: 'DELETE' });
    expect((await ratingsOf(app, made)).ratings.count).toBe(0);
    const audits = await app.sql<{ action: string }>(
      "SELECT action FROM audit_entry WHERE action LIKE 'rating-%' ORDER BY id",
    );
    expect(audits.map(({ action }) => action)).toEqual(['rating-hidden', 'rating-kept', 'rating-deleted']);
  });

  it('lists the ratings of one add-on, none of an unknown one, and those of hidden ones for editors alone', async () => {
    const [made, hidden] = [await make(), await make()];
    const ids = [await rate(visitor, made, 1), await rate(visitor, hidden, 1)];
    for (const id of ids) await changeRating(other, 'flagRating', id, { reason: 'SPAM' });
    await mutate(author, 'setAddonDisabled', { id: globalId('Addon', hidden.id), by: 'DEVELOPER', isDisabled: true });
    const of = async (client: Client, by: object) => {
      const lists = await client.graphql<{
        ratingsToModerate: { totalCount: number; nodes: { databaseId: number }[] };
        ratingsToModerateByAddon: { count: number; floodCount: number; flood: null }[];
      }>(
        `query($by: AddonRefInput) { ratingsToModerate(addon: $by) { totalCount nodes { databaseId } }
           ratingsToModerateByAddon(addon: $by) { count floodCount flood { id } } }`,
        { by },
      );
      const { nodes, totalCount } = lists.ratingsToModerate;
      expect(lists.ratingsToModerateByAddon).toEqual(
        nodes.length === 0 ? [] : [{ count: totalCount, floodCount: 0, flood: null }],
      );
      return nodes.map(({ databaseId }) => databaseId);
    };
    expect(await of(moderator, { databaseId: made.id })).toEqual([ids[0]]);
    expect(await of(moderator, { databaseId: hidden.id })).toEqual([]);
    expect(await of(editor, { guid: hidden.guid })).toEqual([ids[1]]);
    for (const by of [{ slug: 'unknown' }, { guid: '\0' }, { databaseId: -1 }])
      expect(await of(moderator, by)).toEqual([]);
  });

  it('keeps decisions with their notes for those who decide, and marks flags by authors', async () => {
    const both = await app.memberWith('Addons:Edit', 'AbuseReports:Edit');
    const made = await addon({ authors: [author.accountId ?? 0, both.accountId ?? 0] });
    const id = await rate(visitor, made, 1, 'Bad.');
    await changeRating(author, 'flagRating', id, { reason: 'SPAM' });
    await changeRating(other, 'flagRating', id, { reason: 'SPAM' });
    await changeRating(moderator, 'decideRating', id, { decision: 'HIDE', note: 'An advertisement.' });
    await changeRating(editor, 'decideRating', id, { decision: 'KEEP' });
    const of = async (client: Client, page = 'first: 10') =>
      (
        await client.graphql<{ rating: { decisions: object | null; flags: { nodes: object[] } | null } }>(
          `query($id: ID!) { rating(id: $id) { flags { nodes { isByAuthor } }
             decisions(${page}) { nodes { decision note user { databaseId } } pageInfo { hasNextPage hasPreviousPage } } } }`,
          { id: globalId('Rating', id) },
        )
      ).rating;
    const kept = { decision: 'KEEP', note: null, user: { databaseId: editor.accountId } };
    const hidden = { decision: 'HIDE', note: 'An advertisement.', user: { databaseId: moderator.accountId } };
    const pageInfo = { hasNextPage: false, hasPreviousPage: false };
    const { decisions, flags } = await of(moderator);
    expect(decisions).toEqual({ nodes: [kept, hidden], pageInfo });
    expect(flags).toEqual({ nodes: [{ isByAuthor: false }, { isByAuthor: true }] });
    expect((await of(editor, 'first: 1')).decisions).toEqual({
      nodes: [kept],
      pageInfo: { ...pageInfo, hasNextPage: true },
    });
    expect((await of(editor, 'last: 1')).decisions).toMatchObject({ nodes: [hidden] });
    for (const client of [app.anonymous, visitor, author, both]) expect((await of(client)).decisions).toBeNull();
  });

  it('has no say for authors of the add-on', async () => {
    const both = await app.memberWith('Addons:Edit', 'AbuseReports:Edit');
    const made = await addon({ authors: [both.accountId ?? 0] });
    const id = await rate(visitor, made, 1, 'Bad.');
    for (const [name, input] of [
      ['deleteRating', {}],
      ['updateRating', { score: 5 }],
      ['decideRating', { decision: 'DELETE' }],
    ] as const)
      expect([name, await changeRating(both, name, id, input)]).toMatchObject([name, { code: 'NOT_PERMITTED' }]);
    expect(await changeRating(editor, 'updateRating', id, { body: 'Not good.' })).toMatchObject({
      __typename: 'UpdateRatingPayload',
    });
  });
});
