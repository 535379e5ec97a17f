/* What reviewers write: comments on lines, from the draft to the author, and canned texts. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';
import { documentOf, type Visitor, visitorOf } from '../support/pages.ts';
import { storePackage } from '../support/store-package.ts';

const app = setUpApp();
const visitors = {} as Record<'reviewer' | 'otherReviewer' | 'author', Visitor>;
let authorId: number;
let addons = 0;
beforeAll(async () => {
  const author = await app.developer();
  authorId = author.accountId ?? 0;
  visitors.author = await visitorOf(app, author);
  visitors.reviewer = await visitorOf(app, await app.memberWith('Addons:Review'));
  visitors.otherReviewer = await visitorOf(app, await app.memberWith('Addons:Review'));
});

const BACKGROUND = 'let started = true;\nfetch("https://x.example");\n';

/** A waiting version with a file of two lines, and the pages about it. */
async function reviewed() {
  const slug = `commented-${++addons}`;
  const files = { 'background.js': BACKGROUND };
  const [old, recent] = [
    await storePackage(await xpi({ version: '1.0' })),
    await storePackage(await xpi({ version: '2.0', files })),
  ];
  const made = await addon({
    ...{ slug, authors: [authorId] },
    versions: [
      { version: '1.0', files: [old] },
      { version: '2.0', stage: 'awaiting_review', reviewed: null, files: [{ ...recent, status: 1 }] },
    ],
  });
  const id = made.versions[1]?.id ?? 0;
  const file = `/addon/${slug}/versions/2.0/files/?file=background.js`;
  const changes = `/addon/${slug}/compare/1.0...2.0/?file=background.js`;
  const hub = `/developers/addon/${slug}/activity/`;
  return { id, file, changes, hub, path: `/reviewers/review/${slug}/?version=2.0` };
}

/** What the form of decisions carries about a version. */
const sent = (id: number) => ({ id: globalId('Version', id), versions: globalId('Version', id) });

describe('comments on lines', () => {
  const comment = (visitor: Visitor, path: string, id: number, text: string, line = '2') =>
    visitor.submit(path, 'line-comment', { version: globalId('Version', id), path: 'background.js', line, text });

  it('are drafted below their line, for reviewers alone', async () => {
    const made = await reviewed();
    for (const page of [made.file, made.changes]) {
      const anchor = page === made.file ? 'file' : 'diff';
      const $ = documentOf(await visitors.reviewer.get(page));
      const link = $(`#${anchor}-L2 .code-action a`).attr('href') ?? '';
      expect(link).toMatch(new RegExp(`comment=2#${anchor}-L2$`));
      const opened = documentOf(await visitors.reviewer.get(link.replace(/#.*/, '')));
      expect(opened('#line-comment').closest('tr').prevAll('[id]').first().attr('id')).toBe(`${anchor}-L2`);
      const { status, headers } = await comment(visitors.reviewer, link.replace(/#.*/, ''), made.id, `Why, ${anchor}?`);
      expect([status, headers.location]).toEqual([303, `${page}&done=line-comment#${anchor}-L2`]);
    }
    const texts = async (visitor: Visitor, page: string) => documentOf(await visitor.get(page))('.line-comment').text();
    for (const page of [made.file, made.changes]) expect(await texts(visitors.reviewer, page)).toContain('Why, file?');
    for (const visitor of [visitors.author, visitors.otherReviewer]) expect(await texts(visitor, made.file)).toBe('');
    expect(documentOf(await visitors.author.get(`${made.file}&comment=2`))('.code-action, #line-comment')).toHaveLength(
      0,
    );
    expect((await comment(visitors.author, made.file, made.id, 'Mine.')).status).toBeGreaterThan(400);
    const refused = await comment(visitors.reviewer, `${made.file}&comment=2`, made.id, 'x'.repeat(10_001));
    expect([refused.status, documentOf(refused)('#line-comment textarea').text().trim().length]).toEqual([422, 10_001]);
  });

  it('are edited and deleted in the form of the decision, and sent with it', async () => {
    const made = await reviewed();
    await comment(visitors.reviewer, made.file, made.id, 'Why?');
    await comment(visitors.reviewer, made.file, made.id, 'Unused.', '1');
    const $ = documentOf(await visitors.reviewer.get(made.path));
    expect($('#drafts').text()).toBe('2 drafts on lines');
    const edit = $('.line-list a.button').first().attr('href')?.replace(/#.*/, '') ?? '';
    const form = documentOf(await visitors.reviewer.get(edit))('#review-draft');
    expect(form.find('textarea').text().trim()).toBe('Unused.');
    const id = String(form.find('input[name=id]').val());
    const saved = await visitors.reviewer.submit(edit, 'review-draft', { id, text: 'Is it used?' });
    expect([saved.status, saved.headers.location]).toEqual([303, `${made.path}&done=review-draft`]);
    expect((await visitors.reviewer.submit(made.path, 'review-draft-delete', { id })).status).toBe(303);
    await comment(visitors.reviewer, made.file, made.id, 'Is it used?', '1');
    const decided = await visitors.reviewer.submit(made.path, 'review-decision', {
      ...sent(made.id),
      decision: 'request',
      comments: '',
    });
    expect(decided.status).toBe(303);
    for (const [visitor, page] of [
      [visitors.author, made.file],
      [visitors.author, made.hub],
      [visitors.otherReviewer, made.path],
    ] as const) {
      const shown = documentOf(await visitor.get(page))('main').text();
      for (const text of ['Is it used?', 'Why?', 'fetch("https://x.example");']) expect(shown).toContain(text);
    }
    const hub = documentOf(await visitors.author.get(made.hub));
    expect(hub('.line-list a').first().attr('href')).toBe(`${made.file}#file-L1`);
    expect(documentOf(await visitors.reviewer.get(made.path))('#drafts')).toHaveLength(0);
  });
});

describe('canned texts', () => {
  it('are put after the typed text, in the chosen language', async () => {
    const made = await reviewed();
    const text = { 'en-US': 'Please add a privacy policy.', de: 'Bitte ergänzen Sie eine Datenschutzerklärung.' };
    const [row] = await app.sql<{ id: number }>(
      "INSERT INTO canned_response (name, text) VALUES ('Privacy', $1) RETURNING id",
      [text],
    );
    const $ = documentOf(await visitors.reviewer.get(made.path));
    const values = $('#canned option')
      .map((_, option) => $(option).attr('value'))
      .get();
    const german = `${globalId('CannedResponse', row?.id)} de`;
    expect(values).toContain(german);
    const inserted = await visitors.reviewer.submit(made.path, 'review-decision', {
      ...{ ...sent(made.id), decision: 'request', comments: 'Hello,', canned: german, add: 'canned' },
    });
    const shown = documentOf(inserted);
    expect(inserted.status).toBe(200);
    expect(shown('textarea[name=comments]').text().trim()).toBe(`Hello,\n\n${text.de}`);
    expect(shown('input[value=request]').attr('checked')).toBeDefined();
    const [version] = await app.sql<{ stage: string }>('SELECT stage FROM version WHERE id = $1', [made.id]);
    expect(version?.stage).toBe('awaiting_review');
  });
});
