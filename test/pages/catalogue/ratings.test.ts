/* Ratings as pages: a visitor rates and edits, an author replies, a reader flags, a moderator decides. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { documentOf, formFields, textOf, Visitor, visitorOf } from '../../support/pages.ts';
import { addRatings, rate } from '../../support/ratings.ts';

const app = setUpApp();
let visitors: Record<'visitor' | 'author' | 'reader' | 'moderator' | 'anonymous', Visitor>;
let authorId: number;
let made: MadeAddon;
let list: string;

beforeAll(async () => {
  const [visitor, author, reader] = [await app.developer(), await app.developer(), await app.developer()];
  authorId = author.accountId ?? 0;
  visitors = {
    visitor: await visitorOf(app, visitor),
    author: await visitorOf(app, author),
    reader: await visitorOf(app, reader),
    moderator: await visitorOf(app, await app.memberWith('AbuseReports:Edit')),
    anonymous: new Visitor(app),
  };
  made = await addon({ slug: 'rated', authors: [authorId] });
  list = '/addon/rated/reviews/';
});

/** Sends a form of a page with what it carries and these fields. Returns the address that follows. */
async function send(who: keyof typeof visitors, path: string, name: string, fields: Record<string, string>) {
  const carried = await formFields(visitors[who], path, name);
  const { status, headers } = await visitors[who].submit(path, name, { ...carried, ...fields });
  return [status, String(headers.location)] as const;
}

describe('ratings as pages', () => {
  let path: string;

  it('are written by a form with stars, which refuses and keeps what was typed', async () => {
    const $ = documentOf(await visitors.visitor.get(list));
    expect($('#rate input[type=radio][name=score]').length).toBe(5);
    const refused = await visitors.visitor.submit(list, 'rate', {
      ...(await formFields(visitors.visitor, list, 'rate')),
      body: 'Typed text.',
    });
    expect([refused.status, refused.text.includes('Typed text.')]).toEqual([422, true]);
    const [status, location] = await send('visitor', list, 'rate', { score: '2', body: 'Slow.' });
    expect([status, /^\/ratings\/\d+\/\?done=rate$/.test(location)]).toEqual([303, true]);
    path = location.replace(/\?.*/, '');
    const shown = documentOf(await visitors.anonymous.get(list));
    expect(shown('.rating-item').text()).toContain('Slow.');
    expect(shown('#rate').length).toBe(0);
    expect(shown(`a[href="/login/?next=${encodeURIComponent(list)}"]`).length).toBeGreaterThan(0);
    expect(documentOf(await visitors.visitor.get(list))(`a[href="${path}#rating-edit"]`).length).toBeGreaterThan(0);
    expect(documentOf(await visitors.author.get(list))('#rate').length).toBe(0);
    const offers = async (who: keyof typeof visitors) =>
      documentOf(await visitors[who].get('/addon/rated/'))(`.link-list a[href="${list}"]`).length;
    expect([await offers('anonymous'), await offers('reader'), await offers('author')]).toEqual([1, 1, 0]);
    const reports = async (who: keyof typeof visitors) => {
      const links = documentOf(await visitors[who].get(list))('.rating-item a');
      return links.get().flatMap(({ attribs }) => /#rating-flag$|report\/$/.exec(attribs['href'] ?? '')?.[0] ?? []);
    };
    expect([await reports('anonymous'), await reports('reader')]).toEqual([['report/'], ['#rating-flag']]);
  });

  it('are edited by their writer, answered by authors and found by score and answer', async () => {
    expect((await send('visitor', path, 'rating-edit', { score: '3', body: 'Not so fast.' }))[0]).toBe(303);
    expect((await visitors.reader.submit(path, 'rating-edit', { score: '1' })).status).toBe(403);
    expect(textOf(await visitors.anonymous.get(`${list}?answered=no`))).toContain('Not so fast.');
    const overview = documentOf(await visitors.author.get('/developers/addon/rated/'));
    expect(overview(`dd a[href="${list}?answered=no"]`).text()).toMatch(/^1/);
    expect((await send('author', path, 'rating-reply', { body: 'Faster now.' }))[0]).toBe(303);
    expect(textOf(await visitors.anonymous.get(`${list}?score=3`))).toMatch(/Not so fast\..*Faster now\./);
    for (const query of ['?score=5', '?answered=no'])
      expect(textOf(await visitors.anonymous.get(list + query))).toContain('No rating matches.');
    expect((await visitors.anonymous.get(`${list}?page=2`)).status).toBe(404);
  });

  it('are flagged by readers, and kept or hidden by moderators', async () => {
    const [status] = await send('reader', path, 'rating-flag', { reason: 'OTHER', note: '' });
    expect(status).toBe(422);
    expect((await send('reader', path, 'rating-flag', { reason: 'OTHER', note: 'It is <b>rude</b>.' }))[0]).toBe(303);
    expect((await visitors.reader.get('/moderation/ratings/')).status).toBe(403);
    const inbox = await visitors.moderator.get('/moderation/ratings/');
    expect(documentOf(inbox)(`a[href="${path}#rating-${/\d+/.exec(path)?.[0]}"]`).text()).toContain('Not so fast.');
    const page = await visitors.moderator.get(path);
    expect(page.text).toContain('It is &lt;b&gt;rude&lt;/b&gt;.');
    expect(textOf(page)).toMatch(/Something else : reported by \S+ , /);
    const id = /\d+/.exec(path)?.[0];
    const hidden = await send('moderator', path, 'rating-decide', { decision: 'HIDE', note: '' });
    expect(hidden).toEqual([303, `/moderation/ratings/?rating=${id}&done=rating-hidden`]);
    const queue = documentOf(await visitors.moderator.get(hidden[1]));
    expect(queue('[role=status]').text()).toContain('You can show it again.');
    expect(queue('[role=status] a').attr('href')).toBe(path);
    expect((await visitors.anonymous.get(path)).status).toBe(404);
    expect(textOf(await visitors.visitor.get(path))).toContain('Hidden');
    const listed = async (list: string) => {
      const $ = documentOf(await visitors.moderator.get(`/moderation/ratings/?addon=rated&list=${list}`));
      expect($('nav.tabs a[aria-current]').last().attr('href')).toBe(`/moderation/ratings/?addon=rated&list=${list}`);
      return [$('nav.tabs').last().text().match(/\d+/g), $('tbody td, tbody th').text().includes('Hidden')];
    };
    expect(await listed('hidden')).toEqual([['0', '1', '1'], true]);
    expect(await listed('decided')).toEqual([['0', '1', '1'], true]);
    const decider = await visitors.moderator.get(path);
    expect(documentOf(decider)('#rating-decide').text()).toContain('Show again: everyone sees it');
    expect((await send('moderator', path, 'rating-decide', { decision: 'KEEP', note: '' }))[0]).toBe(303);
    expect((await visitors.anonymous.get(path)).status).toBe(200);
    const ways = documentOf(await visitors.moderator.get(list))('.rating-item a, section p a').get();
    const hrefs = ways.map(({ attribs }) => attribs['href']);
    expect(hrefs).toContain(`${path}#rating-${id}`);
    expect(hrefs).toContain('/moderation/ratings/?list=hidden&addon=rated');
    expect(hrefs.filter((href) => /#rating-flag$|report\/$/.test(href ?? ''))).toEqual([]);
    expect(await listed('hidden')).toEqual([['0', '0', '1'], false]);
    expect(await listed('decided')).toEqual([['0', '0', '1'], false]);
  });

  it('open from the list at the decision, except those of the moderator, about which another one decides', async () => {
    const [staff, other] = [await app.memberWith('AbuseReports:Edit', 'Addons:Edit'), await app.developer()];
    const queued = await addon({ slug: 'queued' });
    const ids = [await rate(staff, queued, 1, 'My own words.'), await rate(other, queued, 2, 'Other words.')];
    await app.sql('UPDATE rating SET open_flags = 1 WHERE id = ANY($1)', [ids]);
    const visitor = await visitorOf(app, staff);
    const list = documentOf(await visitor.get('/moderation/ratings/?addon=queued&done=rating-kept'));
    const [own, others] = ids.map((id) => `/ratings/${id}/`);
    const decision = `${others}#rating-${ids[1]}`;
    expect(list(`tbody a[href="${own}"]`).parents('tr').text()).toContain('Another moderator decides');
    expect(list('[role=status] a').attr('href')).toBe(decision);
    expect(list(`tbody a[href="${decision}"]`)).toHaveLength(1);
    const formsOf = (reply: { text: string }) =>
      documentOf(reply)('.rating-page form')
        .get()
        .map((form) => form.attribs['id']);
    const page = await visitor.get(own ?? '');
    expect(textOf(page)).toContain('You wrote this, so another moderator decides about it.');
    expect(formsOf(page)).not.toContain('rating-decide');
    const decided = await visitor.get(others ?? '');
    expect(formsOf(decided)).toEqual(['rating-decide', 'rating-edit', 'rating-reply']);
    const folded = documentOf(decided)('.rating-page details').get();
    expect(folded.map(({ attribs }) => attribs['open'])).toEqual([undefined, undefined]);
    expect(textOf(decided)).toContain('It is not a message to those who reported the rating.');
    await app.sql('UPDATE rating SET open_flags = 0');
  });

  it('that are hidden leave the list of their add-on, and a hidden reply is marked there for its writer and moderators', async () => {
    const marked = await addon({ slug: 'marked', authors: [authorId] });
    const [hidden, shown] = [
      await rate(await app.developer(), marked, 1, 'Hidden words.'),
      await rate(await app.developer(), marked, 4, 'Shown words.'),
    ];
    await send('author', `/ratings/${shown}/`, 'rating-reply', { body: 'Reply words.' });
    const [reply] = await app.sql<{ id: number }>('SELECT id FROM rating WHERE reply_to = $1', [shown]);
    for (const id of [hidden, reply?.id])
      await send('moderator', `/ratings/${id}/`, 'rating-decide', { decision: 'HIDE', note: '' });
    const of = async (who: keyof typeof visitors) => {
      const $ = documentOf(await visitors[who].get('/addon/marked/reviews/'));
      const replies = $('.rating-reply').text();
      return [$('.rating-item').length, replies.includes('Reply words.'), $('.rating-reply .badge').text()];
    };
    expect(await of('moderator')).toEqual([1, true, 'Hidden']);
    expect(await of('author')).toEqual([1, true, 'Hidden']);
    expect(await of('reader')).toEqual([1, false, '']);
    const rows = documentOf(await visitors.moderator.get('/moderation/ratings/?list=hidden&addon=marked'))('tbody tr');
    expect([rows.length, rows.find('th .badge').text()]).toEqual([2, 'HiddenHidden']);
    expect(rows.first().find('td').eq(1).text()).toMatch(/^\S+ hid it, .*\d/);
    expect(documentOf(await visitors.moderator.get(`/ratings/${hidden}/`))('.rating-item .badge').text()).toBe(
      'Hidden',
    );
  });

  it('of a flood are decided together on the page of their add-on', async () => {
    const flooded = await addon({ slug: 'flooded' });
    await addRatings(app, flooded.id, 3);
    const inbox = documentOf(await visitors.moderator.get('/moderation/'));
    expect(inbox('.site-nav a[href="/moderation/"] .count').text()).toBe('3 ratings');
    const path = '/moderation/ratings/?addon=flooded';
    expect(inbox(`main a[href="${path}#flood"]`).text()).toMatch(/^3 ratings/);
    const $ = documentOf(await visitors.moderator.get(path));
    expect($('tbody a[href="/addon/flooded/"]').length).toBe(3);
    expect($(`.filter-list a[href="/moderation/ratings/"][aria-current]`).text()).toContain('3');
    expect(documentOf(await visitors.moderator.get('/moderation/ratings/?addon=rated'))('tbody').length).toBe(0);
    const refused = await visitors.moderator.submit(path, 'flood-decide', {
      ...(await formFields(visitors.moderator, path, 'flood-decide')),
      note: 'Typed note.',
    });
    expect([refused.status, refused.text.includes('Typed note.')]).toEqual([422, true]);
    expect(await send('moderator', path, 'flood-decide', { decision: 'DELETE', note: '' })).toEqual([
      303,
      `${path}&done=flood-decide`,
    ]);
    expect(documentOf(await visitors.moderator.get(path))('tbody, #flood').length).toBe(0);
    const rows = await app.sql('SELECT FROM rating WHERE addon_id = $1 AND deleted_at IS NULL', [flooded.id]);
    expect(rows).toEqual([]);
  });

  it('are deleted by their writer', async () => {
    expect(await send('visitor', path, 'rating-delete', {})).toEqual([303, `${list}?done=rating-delete`]);
    expect(textOf(await visitors.anonymous.get(list))).toContain('No one has written anything yet.');
  });

  it('show a new name of their writer at once', async () => {
    const writer = await app.developer();
    await rate(writer, made, 5, 'Fine.');
    await visitors.anonymous.get(list);
    await app.sql("UPDATE account SET display_name = 'Newly Named' WHERE id = $1", [writer.accountId]);
    expect(textOf(await visitors.anonymous.get(list))).toContain('Newly Named');
  });
});
