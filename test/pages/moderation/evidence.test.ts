/* What the page of a report shows of what was reported, so that a moderator decides there; and nothing that the viewer may not see. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { documentOf, formFields, textOf, type Visitor } from '../../support/pages.ts';
import { addRatings, changeRating, rate } from '../../support/ratings.ts';
import { makeReportWorld, type ReportWorld } from '../../support/report-world.ts';
import { areConstant, statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let world: ReportWorld;
let visitors: ReportWorld['visitors'];
let described: MadeAddon;

const LONG = 'A word. '.repeat(200);

beforeAll(async () => {
  world = await makeReportWorld(app);
  visitors = world.visitors;
  described = await addon({
    slug: 'described',
    name: { 'en-US': 'Described' },
    summary: { 'en-US': 'A short summary.' },
    description: { 'en-US': 'It <b>promises</b> a list.' },
    developerComments: { 'en-US': LONG },
    versions: [
      { version: '1.0', files: [{ permissions: ['tabs'] }] },
      { version: '2.0', files: [{ permissions: ['cookies'] }], releaseNotes: { 'en-US': 'New button.' } },
    ],
  });
});

const reportAbout = (made: MadeAddon, facts: Parameters<ReportWorld['report']>[0] = {}) =>
  world.report({ addonGuid: made.guid, addonId: made.id, ...facts });

const shownTo = async (visitor: Visitor, path: string) => {
  const section = documentOf(await visitor.get(path))('section[aria-labelledby=reported]');
  return { section, text: section.text().replaceAll(/\s+/g, ' ') };
};

describe('a report about an add-on', () => {
  it('shows its texts and permissions; what is long is folded', async () => {
    const { path } = await reportAbout(described);
    const { section, text } = await shownTo(visitors.moderator, path);
    for (const part of ['A short summary.', 'It promises a list.', '2.0', 'cookies', 'New button.'])
      expect(text).toContain(part);
    expect(section.find('details[open] b').text()).toBe('promises');
    const long = section.find('details:not([open])').filter((_, each) => section.find(each).text().includes(LONG));
    expect(long.find('summary').text()).toMatch(/From the developers \(1,[56]\d\d characters\)/);
    const hrefs = section.find('a').map((_, link) => link.attribs['href']);
    for (const href of ['/addon/described/', '/addon/described/reviews/', '/addon/described/versions/2.0/'])
      expect(hrefs.get()).toContain(href);
    expect(text).not.toContain('Decisions of reviewers');
    expect(hrefs.get().some((href) => href?.startsWith('/reviewers/'))).toBe(false);
  });

  it('leads reviewers to their page and shows them earlier decisions', async () => {
    const { path } = await reportAbout(described);
    const { section, text } = await shownTo(visitors.administrator, path);
    expect(section.find('a[href="/reviewers/review/described/?version=2.0"]')).toHaveLength(1);
    expect(text).toContain('Decisions of reviewers');
  });

  it('is about the version that the sender named, or says which one is shown', async () => {
    const named = await reportAbout(described, { details: { addon_version: '1.0' } });
    const { text } = await shownTo(visitors.moderator, named.path);
    expect(text).toMatch(/1\.0 · .* named by the sender/);
    expect(text).toContain('tabs');
    expect(text).not.toContain('cookies');
    const other = await reportAbout(described, { details: { addon_version: '0.5' } });
    expect((await shownTo(visitors.moderator, other.path)).text).toMatch(/2\.0 · .* the sender named version 0\.5/);
  });

  it.each([
    ['disabled', { status: 'disabled' }, 'It is not public'],
    ['deleted', { status: 'deleted', deletedAt: new Date() }, 'It is deleted'],
  ])('shows nothing of one that the viewer may not see: %s', async (_, state, why) => {
    const hidden = await addon({ summary: { 'en-US': 'Secret summary' }, ...state });
    const { path } = await reportAbout(hidden);
    const reply = await visitors.moderator.get(path);
    expect(reply.text).not.toContain('Secret summary');
    expect(reply.text).not.toContain('storage');
    expect(textOf(reply)).toContain(why);
    const staff = await visitors.staff.get(path);
    expect(staff.text.includes('Secret summary')).toBe(state.status === 'disabled');
    if (state.status === 'disabled') expect(textOf(reply)).toContain('ask an administrator');
  });

  it('names neither code nor a review page for an unlisted version without the right to it', async () => {
    const versions = [{ version: '3.0', channel: 'unlisted' as const, files: [{ permissions: ['history'] }] }];
    const mixed = await addon({ slug: 'mixed', versions: [{ version: '1.0' }, ...versions] });
    const { path } = await reportAbout(mixed, { details: { addon_version: '3.0' } });
    expect((await shownTo(visitors.moderator, path)).text).not.toContain('history');
    expect((await shownTo(visitors.administrator, path)).text).toContain('history');
  });
});

describe('a report about an account', () => {
  it('shows the profile, if the viewer may see it, and its ratings', async () => {
    await app.sql("UPDATE account SET biography = 'Private biography' WHERE id = $1", [world.reporter.accountId]);
    await rate(world.reporter, described, 1, 'Rude words.');
    const { path } = await world.report({ accountId: world.reporter.accountId ?? 0 });
    const { text } = await shownTo(visitors.moderator, path);
    expect(text).toContain('This account has no public profile.');
    expect(text).toContain('1 rating by this account');
    expect(text).toContain('Rude words.');
    expect(text).not.toContain('Private biography');
    expect((await shownTo(visitors.staff, path)).text).toContain('Private biography');
  });

  it('shows the add-ons of a public profile', async () => {
    const { path } = await world.report({ accountId: world.reported.accountId ?? 0 });
    const { section, text } = await shownTo(visitors.moderator, path);
    expect(section.find('details a[href="/addon/reported/"]')).toHaveLength(1);
    expect(text).toContain('The profile has no biography.');
  });
});

describe('a report about a collection', () => {
  it('shows its text and notes, unless it is private', async () => {
    const { db } = await import('../../../src/infra/db.ts');
    const accountId = world.reported.accountId ?? 0;
    const texts = { name: { 'en-US': 'Bad list' }, description: { 'en-US': 'Buy here.' } };
    const made = await db.collection.create({ data: { accountId, slug: 'bad', path: randomUUID(), ...texts } });
    const notes = { 'en-US': 'The worst one.' };
    await db.collectionItem.create({ data: { collectionId: made.id, guid: described.guid, position: 0, notes } });
    const { path, number } = await world.report({ accountId });
    await app.sql("UPDATE abuse_report SET collection_id = $1, collection_path = 'someone/bad' WHERE id = $2", [
      ...[made.id, number],
    ]);
    const { text } = await shownTo(visitors.moderator, path);
    for (const part of ['Buy here.', 'The worst one.', '1 add-on']) expect(text).toContain(part);
    await app.sql('UPDATE collection SET is_public = false WHERE id = $1', [made.id]);
    const hidden = await shownTo(visitors.moderator, path);
    expect(hidden.text).toContain('It is not public');
    expect(hidden.text).not.toContain('Buy here.');
  });
});

describe('a report about a rating', () => {
  const reportOn = async (ratingId: number, accountId: number) => {
    const made = await world.report({ accountId });
    await app.sql('UPDATE abuse_report SET rating_id = $1 WHERE id = $2', [ratingId, made.number]);
    return made;
  };

  it('shows the rating with its reply, and a reply with its rating', async () => {
    const writer = await app.developer();
    const rating = await rate(writer, world.target, 2, 'Buy pills.');
    const reply = (await changeRating(world.reported, 'replyToRating', rating, { body: 'Buy elsewhere.' })) as {
      rating?: unknown;
    };
    expect(reply).toBeDefined();
    const [row] = await app.sql<{ id: number }>('SELECT id FROM rating WHERE reply_to = $1', [rating]);
    for (const id of [rating, row?.id ?? 0]) {
      const { path } = await reportOn(id, writer.accountId ?? 0);
      const { text } = await shownTo(visitors.moderator, path);
      expect(text).toContain('Buy pills.');
      expect(text).toContain('Buy elsewhere.');
    }
  });

  it('decides about the rating there, in a form of its own, and leads back to the report', async () => {
    const writer = await app.developer();
    const rating = await rate(writer, described, 2, 'Spam here.');
    const { path } = await reportOn(rating, writer.accountId ?? 0);
    const fields = await formFields(visitors.moderator, path, 'moderation-rating');
    expect((await visitors.moderator.submit(path, 'moderation-rating', { ...fields, decision: '' })).status).toBe(422);
    const sent = await visitors.moderator.submit(path, 'moderation-rating', { ...fields, decision: 'HIDE' });
    expect(sent.headers.location).toBe(`${path}?done=rating-hidden`);
    const $ = documentOf(await visitors.moderator.get(String(sent.headers.location)));
    expect($('[role=status]').text()).toContain('Rating of Described is now: Hidden.');
    expect($('[role=status] a[href="#decision"]').text()).toContain('still open');
    const [held] = await app.sql<{ held: boolean }>('SELECT held_at IS NOT NULL AS held FROM rating WHERE id = $1', [
      rating,
    ]);
    expect(held?.held).toBe(true);
    expect(documentOf(await visitors.staff.get(path))('form#moderation-rating')).toHaveLength(1);
  });
});

describe('the page of a report', () => {
  it('takes a constant number of statements, however much was reported', async () => {
    const accountId = world.reported.accountId ?? 0;
    const addMore = async (text: string) => {
      const made = await addon({ authors: [accountId], versions: [{ version: '4.0' }, { version: '5.0' }] });
      await rate(world.reported, await addon(), 3, text);
      await addRatings(app, made.id, 2);
      await reportAbout(world.target);
      await world.report({ accountId });
    };
    const reports = [await reportAbout(world.target), await world.report({ accountId })];
    await addMore('First');
    const statementsOf = (path: string) => statementsDuring(() => visitors.administrator.get(path));
    // The first visits run statements of their own, such as that of the session.
    for (const { path } of reports) await statementsOf(path);
    const few: string[][] = [];
    for (const { path } of reports) few.push(await statementsOf(path));
    for (let more = 0; more < 8; more++) await addMore(`Text ${more}`);
    // The lists of the page load documents in one batch or in several, as they arrive.
    for (const [index, { path }] of reports.entries())
      await expect.poll(async () => areConstant(few[index] ?? [], await statementsOf(path))).toBe(true);
  });
});
