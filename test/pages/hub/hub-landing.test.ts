/* What visitors read about the developer hub, review times, and places in the queue. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { textOf, Visitor, visitorOf } from '../../support/pages.ts';
import { statementsDuring } from '../../support/statements.ts';

const app = setUpApp();

const HOUR = 3_600_000;
/** A listed version whose review took this many hours and ended `daysAgo`. */
const reviewed = (hours: number, daysAgo = 1) => {
  const end = Date.now() - daysAgo * 24 * HOUR;
  return { reviewed: new Date(end), created: new Date(end - hours * HOUR) };
};

describe('the developer hub for visitors', () => {
  beforeAll(async () => {
    for (const hours of [1, 5, 40]) await addon({ versions: [reviewed(hours)] });
    await addon({ versions: [reviewed(900, 31)] });
    await addon({ versions: [{ ...reviewed(700), channel: 'unlisted' }], status: 'incomplete' });
    await addon({ type: 'statictheme', versions: [reviewed(96)] });
  });

  it.each([
    ['en', 'What you can do here', 'Publish your first add-on in three steps', 'Extensions 5 hours 3 Themes 4 days 1'],
    ['de', 'Was Sie hier tun können', 'In drei Schritten', '5 Stunden'],
    ['he', 'מה אפשר לעשות כאן', 'שלושה', '5 שעות'],
  ])('says in %s what one can do, three steps and current review times', async (language, can, steps, times) => {
    const page = await new Visitor(app).get(`/developers/?lang=${language}`);
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'public, no-cache']);
    for (const text of [can, steps, times]) expect(textOf(page)).toContain(text);
    expect(page.text).toContain('href="/login/?next=%2Fdevelopers%2F"');
    expect(page.text).not.toContain('noindex');
  });

  it('reads review times once in ten minutes', async () => {
    const visitor = new Visitor(app);
    await visitor.get('/developers/');
    const statements = await statementsDuring(() => visitor.get('/developers/'));
    expect(statements.filter((text) => text.includes('percentile_cont'))).toEqual([]);
    const { reviewTimes } = await app.anonymous.graphql<{ reviewTimes: object[] }>(
      '{ reviewTimes { type medianHours count } }',
    );
    expect(reviewTimes).toEqual([
      { type: 'EXTENSION', medianHours: 5, count: 3 },
      { type: 'STATICTHEME', medianHours: 96, count: 1 },
    ]);
  });

  it('is the hub of their own for those who are signed in', async () => {
    const visitor = await visitorOf(app, await app.developer());
    const text = textOf(await visitor.get('/developers/'));
    expect(text).not.toContain('What you can do here');
    expect(text).toContain('Publish your first add-on in three steps');
  });
});

describe('the place in the review queue', () => {
  it('counts the versions of the same type and channel that have waited longer', async () => {
    const owner = await app.developer();
    const waiting = async (slug: string, hours: number, type = 'extension') => {
      const made = await addon({
        ...{ slug, type, authors: [owner.accountId ?? 0], status: 'nominated' },
        versions: [{ stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] }],
      });
      await app.sql("UPDATE review_queue SET waiting_since = now() - $2 * interval '1 hour' WHERE addon_id = $1", [
        ...[made.id, hours],
      ]);
    };
    await waiting('second', 2);
    await waiting('first', 3);
    await waiting('theme', 1, 'statictheme');
    await waiting('third', 1);
    await addon({ slug: 'published', authors: [owner.accountId ?? 0] });
    const query = '{ developerAddons(sort: NAME) { nodes { slug channelStates { queuePlace } } } }';
    const read = () =>
      owner.graphql<{
        developerAddons: { nodes: { slug: string; channelStates: { queuePlace: number | null }[] }[] };
      }>(query);
    const { developerAddons } = await read();
    const places = developerAddons.nodes.map(({ slug, channelStates }) => [slug, channelStates[0]?.queuePlace]);
    expect(Object.fromEntries(places)).toEqual({ first: 1, second: 2, third: 3, theme: 1, published: null });
    const visitor = await visitorOf(app, owner);
    expect(textOf(await visitor.get('/developers/addon/third/'))).toContain('Place 3 in the review queue.');
    expect((await statementsDuring(read)).filter((text) => text.includes('row_number'))).toHaveLength(1);
  });
});
