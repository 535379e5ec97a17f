import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { mutationError } from '../../support/mutate.ts';
import {
  attemptRating,
  changeRating,
  type ListedRatings,
  listedRatings,
  rate,
  ratingsOf,
  readRatings,
} from '../../support/ratings.ts';
import { statementsDuring } from '../../support/statements.ts';

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
const grouped = async (made: MadeAddon) => (await ratingsOf(app, made)).groupedRatings.map(({ count }) => count);

describe('ratings of an add-on', () => {
  it('change its sums, its documents and its place in searches at once', async () => {
    const made = await make();
    const first = await rate(visitor, made, 4, '  Works well. ');
    const second = await rate(other, made, 1);
    expect(await ratingsOf(app, made)).toMatchObject({
      ratings: { count: 2, textCount: 1, average: 2.5 },
      userRatings: {
        totalCount: 2,
        nodes: [
          { databaseId: second, body: null },
          { databaseId: first, body: 'Works well.' },
        ],
      },
    });
    expect(await grouped(made)).toEqual([1, 0, 0, 1, 0]);
    const detail = (await app.anonymous.get(`/api/v4/addons/addon/${made.id}/`)).json as { ratings: object };
    expect(detail.ratings).toMatchObject({ count: 2, text_count: 1, average: 2.5 });
    expect(await changeRating(visitor, 'updateRating', first, { score: 5 })).toMatchObject({
      __typename: 'UpdateRatingPayload',
    });
    expect((await ratingsOf(app, made)).ratings.average).toBe(3);
    const [row] = await app.sql<{ rating: number }>(
      'SELECT s.rating FROM addon_search s JOIN addon a ON a.id = s.addon_id AND a.rating_bayesian = s.rating WHERE a.id = $1',
      [made.id],
    );
    expect(row?.rating).toBeCloseTo(3);
    expect(await changeRating(other, 'deleteRating', second)).toMatchObject({ __typename: 'DeleteRatingPayload' });
    expect((await ratingsOf(app, made)).ratings).toMatchObject({ count: 1, textCount: 1, average: 5 });
    expect(await listed(made)).toEqual([first]);
    expect(await changeRating(visitor, 'updateRating', first, { body: null })).toMatchObject({
      __typename: 'UpdateRatingPayload',
    });
    expect((await ratingsOf(app, made)).ratings).toMatchObject({ count: 1, textCount: 0 });
  });

  it('are added to imported sums, which stay when all ratings are deleted', async () => {
    const made = await make({ ratingCount: 3, ratingTextCount: 2, ratingAverage: 4.333333 });
    const id = await rate(visitor, made, 1, 'No.');
    expect((await ratingsOf(app, made)).ratings).toMatchObject({
      count: 4,
      textCount: 3,
      average: (3 * 4.333333 + 1) / 4,
    });
    expect(await grouped(made)).toEqual([1, 0, 0, 0, 0]);
    await changeRating(visitor, 'deleteRating', id);
    expect((await ratingsOf(app, made)).ratings).toMatchObject({ count: 3, textCount: 2, average: 4.333333 });
  });

  it('count once for each account, by the newest of its versions', async () => {
    const made = await make({ versions: [{}, {}, { channel: 'unlisted' }] });
    const old = await rate(visitor, made, 1, 'Bad.');
    const now = await rate(visitor, made, 5, 'Better.', 1);
    expect((await ratingsOf(app, made)).ratings).toMatchObject({ count: 1, average: 5 });
    expect(await listed(made)).toEqual([now]);
    expect(await listed(made, { version: globalId('Version', made.versions[0]?.id ?? 0) })).toEqual([old]);
    const { node } = await app.anonymous.graphql<{ node: object }>(
      'query($id: ID!) { node(id: $id) { ... on Rating { isLatest previousCount version { number } } } }',
      { id: globalId('Rating', now) },
    );
    expect(node).toEqual({ isLatest: true, previousCount: 1, version: { number: '2.0' } });
    await changeRating(visitor, 'deleteRating', now);
    expect((await ratingsOf(app, made)).ratings).toMatchObject({ count: 1, average: 1 });
    expect(await attemptRating(visitor, made, 3, null, 0)).toMatchObject({
      message: expect.stringContaining('already rated'),
    });
    expect(await attemptRating(visitor, made, 3, null, 2)).toMatchObject({ path: ['version'] });
    expect(await attemptRating(visitor, await make(), 6)).toMatchObject({ path: ['score'] });
    expect(await attemptRating(visitor, made, 3, 'x'.repeat(10_001), 1)).toMatchObject({ path: ['body'] });
  });

  it('are refused of authors, and of accounts that share a way to sign in with one', async () => {
    const made = await make();
    expect(await attemptRating(author, made, 5)).toMatchObject({ message: 'Authors of an add-on cannot rate it.' });
    const second = await app.developer();
    for (const [index, { accountId }] of [author, second].entries()) {
      await app.sql('INSERT INTO account_identity (account_id, issuer, subject, email) VALUES ($1, $2, $3, $4)', [
        ...[accountId, 'https://provider.example', `subject-${index}`, 'Same@example.org'],
      ]);
    }
    expect(await attemptRating(second, made, 5)).toMatchObject({ message: 'Authors of an add-on cannot rate it.' });
    const input = { addon: { databaseId: made.id }, version: { databaseId: made.versions[0]?.id }, score: 5 };
    expect(await mutationError(app.anonymous, 'createRating', input)).toBe('NOT_AUTHENTICATED');
  });

  it('are listed by score, text, answer and exclusion, with counts from the sums', async () => {
    const made = await make();
    const [one, two, three] = [
      await rate(visitor, made, 1, 'One.'),
      await rate(other, made, 2),
      await rate(editor, made, 5, 'Five.'),
    ];
    expect(await listed(made, { scores: [1, 2] })).toEqual([two, one]);
    expect(await listed(made, { scores: [1, 2], hasText: true })).toEqual([one]);
    expect(await listed(made, { hasText: true })).toEqual([three, one]);
    expect(await listed(made, { hasText: true, includeOwn: true }, other)).toEqual([three, two, one]);
    expect(await listed(made, { excludeRatings: [one, 1].map((id) => globalId('Rating', id)) })).toEqual([three, two]);
    await changeRating(author, 'replyToRating', one, { body: 'Sorry.' });
    expect(await listed(made, { isAnswered: false, hasText: true })).toEqual([three]);
    expect(await listed(made, { isAnswered: true })).toEqual([one]);
    await changeRating(visitor, 'deleteRating', one);
    expect(await listed(made, { includeDeleted: true }, editor)).toEqual([three, two, one]);
    const refused = await readRatings(visitor, made, { includeDeleted: true });
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_PERMITTED' });
  });

  it('take the same number of statements for any number of ratings', async () => {
    const [few, many] = [await make(), await make()];
    await rate(visitor, few, 3, 'x');
    for (const client of [visitor, other, editor, moderator]) await rate(client, many, 3, 'x');
    const query = `query($id: Int!) { addon(by: { databaseId: $id }) { groupedRatings { count } userRatings { totalCount nodes { body score
      user { name url } version { number version { id } } reply { body user { name } } viewerFlag { reason } viewerRights } } } }`;
    const count = async (made: MadeAddon) => {
      await app.anonymous.graphql(query, { id: made.id });
      return (await statementsDuring(() => app.anonymous.graphql(query, { id: made.id }))).length;
    };
    expect(await count(many)).toBe(await count(few));
    expect(await count(many)).toBeLessThanOrEqual(9);
  });

  it('are those of an account on its page and of deleted accounts under another name', async () => {
    const made = await make();
    const leaving = await app.developer();
    const id = await rate(leaving, made, 2, 'I was here.');
    const mine = await leaving.graphql<{ viewer: { ratings: { nodes: object[] } } }>(
      '{ viewer { ratings { nodes { databaseId } totalCount } } }',
    );
    expect(mine.viewer.ratings).toEqual({ nodes: [{ databaseId: id }], totalCount: 1 });
    const { deleteAccountByName } = await import('../../../src/domain/profiles/delete-account.ts');
    const [row] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [
      leaving.accountId,
    ]);
    await deleteAccountByName(row?.username ?? '');
    const { node } = await app.anonymous.graphql<{ node: { user: object } }>(
      'query($id: ID!) { node(id: $id) { ... on Rating { body user { name url } } } }',
      { id: globalId('Rating', id) },
    );
    expect(node).toMatchObject({ body: 'I was here.', user: { name: expect.stringContaining(' user '), url: null } });
  });
});

describe('nightly averages', () => {
  it('follow the mean of the catalogue, once', async () => {
    const { recomputeBayesianAverages } = await import('../../../src/domain/ratings/rating-sums.ts');
    await recomputeBayesianAverages();
    const made = await make();
    await rate(visitor, made, 5);
    const before = (await ratingsOf(app, made)).ratings.bayesianAverage;
    await make({ ratingCount: 1_000, ratingAverage: 1 });
    expect(await recomputeBayesianAverages()).toBeGreaterThan(0);
    expect((await ratingsOf(app, made)).ratings.bayesianAverage).toBeLessThan(before);
    expect(await recomputeBayesianAverages()).toBe(0);
  });
});
