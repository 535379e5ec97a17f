import { beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';

const app = setUpApp({ settings: { RATE_LIMITS: false, RATING_FLOOD: 0 } });

const WRITERS = 100;
let accountIds: number[];

beforeAll(async () => {
  const rows = await app.sql<{ id: number }>(
    "INSERT INTO account (username) SELECT 'writer-' || n FROM generate_series(1, $1::int) AS n RETURNING id",
    [WRITERS],
  );
  accountIds = rows.map(({ id }) => id);
});

/** What the rows of an add-on sum up to, and what is stored and published of them. */
const SUMS = `SELECT count(*) FILTER (WHERE r.is_latest)::int AS count, coalesce(sum(r.score) FILTER (WHERE r.is_latest), 0)::int AS points,
    count(*) FILTER (WHERE r.is_latest AND r.body IS NOT NULL)::int AS texts,
    (SELECT json_build_object('count', a.rating_count, 'texts', a.rating_text_count, 'points', round(a.rating_count * a.rating_average))
      FROM addon a WHERE a.id = $1) AS stored,
    (SELECT (d.body->'ratings'->>'count')::int FROM addon_document d WHERE d.addon_id = $1) AS published
  FROM rating r WHERE r.addon_id = $1`;

it('Sums equal the rows after changes by 100 concurrent writers', async () => {
  const made = await addon();
  const { createRating, updateRating, deleteRating } = await import('../../../src/domain/ratings/write-rating.ts');
  const contextOf = (accountId: number) => ({
    viewer: {
      kind: 'account',
      accountId,
      username: `writer-${accountId}`,
      rules: [],
      via: { scheme: 'bearer', tokenId: 1 },
    },
    ...{ locale: 'en-US', ip: null, requestId: 'test' },
  });
  const write = async (index: number) => {
    const context = () => contextOf(accountIds[index] ?? 0) as unknown as Parameters<typeof createRating>[0];
    const rating = { addon: { databaseId: made.id }, version: { number: '1.0' }, score: 1 + (index % 5) };
    const id = await createRating(context(), { ...rating, body: index % 2 ? 'x' : null });
    if (index % 5 === 0) await updateRating(context(), id, { score: 5, body: 'Changed.' });
    if (index % 10 === 0) await deleteRating(context(), id);
  };
  // More at the same time would wait for a connection longer than requests may.
  const queue = accountIds.keys();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const index of queue) await write(index);
    }),
  );
  const [sums] = await app.sql<{ count: number; texts: number; points: number }>(SUMS, [made.id]);
  const { count, texts, points } = sums ?? { count: 0, texts: 0, points: 0 };
  expect(count).toBe(WRITERS - WRITERS / 10);
  expect(sums).toEqual({ count, texts, points, stored: { count, texts, points }, published: count });
});
