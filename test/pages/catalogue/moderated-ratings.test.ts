/* The page of a rating for those who decide about it: earlier decisions, who reported it, and the ways to other ratings. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { documentOf, formFields, textOf, type Visitor, visitorOf } from '../../support/pages.ts';
import { changeRating, rate } from '../../support/ratings.ts';
import { areConstant, statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let [author, moderator, editor] = [] as unknown as [Client, Client, Client];
let visitors: Record<'author' | 'moderator' | 'editor', Visitor>;
let made: MadeAddon;
beforeAll(async () => {
  author = await app.developer();
  [moderator, editor] = [await app.memberWith('AbuseReports:Edit'), await app.memberWith('Addons:Edit')];
  visitors = {
    author: await visitorOf(app, author),
    moderator: await visitorOf(app, moderator),
    editor: await visitorOf(app, editor),
  };
  made = await addon({ slug: 'judged', authors: [author.accountId ?? 0] });
});

const rated = async (words: string) => rate(await app.developer(), made, 1, words);
const shown = async (visitor: Visitor, id: number) => documentOf(await visitor.get(`/ratings/${id}/`));
const choicesOf = ($: ReturnType<typeof documentOf>) =>
  $('#rating-decide input[name=decision]')
    .get()
    .map((input) => $(`label[for="${input.attribs['id']}"]`).text());

describe('a decision about a rating', () => {
  it('is on its page with the note, for those who decide about it alone', async () => {
    const id = await rated('Buy pills.');
    const path = `/ratings/${id}/`;
    const fields = { ...(await formFields(visitors.moderator, path, 'rating-decide')), decision: 'HIDE' };
    await visitors.moderator.submit(path, 'rating-decide', { ...fields, note: 'An <b>advertisement</b>.' });
    for (const visitor of [visitors.moderator, visitors.editor]) {
      const section = (await shown(visitor, id))('section[aria-labelledby=decisions-title]');
      expect(section.find('li').text()).toMatch(/hid it, .*\d/);
      expect(section.find('blockquote').text()).toBe('An <b>advertisement</b>.');
    }
    await changeRating(editor, 'decideRating', id, { decision: 'KEEP' });
    const again = (await shown(visitors.moderator, id))('section[aria-labelledby=decisions-title] li');
    expect(again.text()).toMatch(/decided that everyone sees it, .*hid it/s);
    expect(textOf(await visitors.author.get(path))).not.toContain('advertisement');
    for (const [language, words] of [
      ['de', 'Entscheidungen der Moderation'],
      ['he', 'החלטות של מנחים'],
    ])
      expect(textOf(await visitors.moderator.get(`${path}?lang=${language}`))).toContain(words);
  });

  it('offers no second way to delete, and does not offer to hide what a moderator has hidden', async () => {
    const id = await rated('Hidden once.');
    const before = await shown(visitors.editor, id);
    expect(before('#rating-delete')).toHaveLength(0);
    expect(choicesOf(before)).toEqual([
      'Keep: everyone sees it',
      'Hide: its writer and moderators alone see it',
      'Delete',
    ]);
    await changeRating(moderator, 'decideRating', id, { decision: 'HIDE' });
    expect(choicesOf(await shown(visitors.editor, id))).toEqual(['Show again: everyone sees it', 'Delete']);
    await changeRating(await app.developer(), 'flagRating', id, { reason: 'SPAM' });
    const leave = 'Leave it hidden: its writer and moderators alone see it';
    const reported = ['Show again: everyone sees it', leave, 'Delete'];
    await app.sql('UPDATE rating SET open_flags = 1 WHERE id = $1', [id]);
    expect(choicesOf(await shown(visitors.editor, id))).toEqual(reported);
    await app.sql("UPDATE rating SET open_flags = 0, hold_reason = 'text' WHERE id = $1", [id]);
    expect(choicesOf(await shown(visitors.editor, id))).toEqual(reported);
    await app.sql("UPDATE rating SET hold_reason = 'moderator' WHERE id = $1", [id]);
  });

  it('is in the list of hidden ratings, in the same number of statements', async () => {
    const id = await rated('Listed.');
    await changeRating(moderator, 'decideRating', id, { decision: 'HIDE' });
    const list = '/moderation/ratings/?list=hidden&addon=judged';
    const row = documentOf(await visitors.editor.get(list))(`tbody tr:has(a[href^="/ratings/${id}/"])`);
    expect(row.text()).toMatch(/hid it, /);
    expect(row.text()).not.toContain('A moderator has hidden it.');
    const statements = () => statementsDuring(() => visitors.editor.get(list));
    const few = await statements();
    for (let more = 0; more < 5; more++)
      await changeRating(moderator, 'decideRating', await rated(`More ${more}.`), { decision: 'HIDE' });
    expect(areConstant(few, await statements())).toBe(true);
  });
});

describe('a rating that waits', () => {
  it('names an author of the add-on who reported it, and leads to the list and to the next one', async () => {
    const ids = [await rated('First.'), await rated('Second.')];
    for (const id of ids) await changeRating(author, 'flagRating', id, { reason: 'SPAM' });
    await changeRating(editor, 'flagRating', ids[0] ?? 0, { reason: 'SPAM' });
    const waysOf = async (visitor: Visitor, id = 0) => {
      const links = (await shown(visitor, id))('.rating-page > p a').get();
      return links.map(({ attribs }) => attribs['href']).slice(1);
    };
    const [first, second] = ids.map((id) => `/ratings/${id}/#rating-${id}`);
    expect(await waysOf(visitors.moderator, ids[0])).toEqual(['/moderation/ratings/', second]);
    expect(await waysOf(visitors.moderator, ids[1])).toEqual(['/moderation/ratings/', first]);
    expect(await waysOf(visitors.author, ids[0])).toEqual([]);
    const reports = (await shown(visitors.moderator, ids[0] ?? 0))('section[aria-labelledby=decide-title] li');
    const marked = reports.get().map((_, index) => reports.eq(index).text().includes('Reported by an author'));
    expect(marked).toEqual([false, true]);
  });
});
