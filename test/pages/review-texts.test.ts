/* What reviewers write: comments on lines, from the draft to the author. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';
import { documentOf, type Visitor, visitorOf } from '../support/pages.ts';
import { storePackage } from '../support/store-package.ts';
import { sent } from '../support/waiting-version.ts';

const app = setUpApp();
const visitors = {} as Record<'reviewer' | 'otherReviewer' | 'author', Visitor>;
let authorId: number;
let reviewerId: number;
let addons = 0;
beforeAll(async () => {
  const author = await app.developer();
  authorId = author.accountId ?? 0;
  visitors.author = await visitorOf(app, author);
  const reviewer = await app.memberWith('Addons:Review');
  reviewerId = reviewer.accountId ?? 0;
  visitors.reviewer = await visitorOf(app, reviewer);
  visitors.otherReviewer = await visitorOf(app, await app.memberWith('Addons:Review'));
});

const BACKGROUND = 'let started = true;\nfetch("https://x.example");\n';

/** A waiting version with a file of two lines, which had the content `before`, and the pages about it. */
async function reviewed(background = BACKGROUND, before: string | null = null) {
  const slug = `commented-${++addons}`;
  const files = { 'background.js': background };
  const [old, recent] = [
    await storePackage(await xpi({ version: '1.0', files: before === null ? {} : { 'background.js': before } })),
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
  const oldId = made.versions[0]?.id ?? 0;
  return { id, oldId, file, changes, hub, path: `/reviewers/review/${slug}/?version=2.0` };
}

describe('comments on lines', () => {
  /** The anchors of lines of a page, and the comments below them. */
  async function places(address: string, visitor = visitors.reviewer) {
    const reply = await visitor.get(address);
    expect(reply.status, address).toBe(200);
    const shown = documentOf(reply);
    return shown('.line-comment')
      .toArray()
      .map((each) => [
        shown(each).closest('tr').prevAll('[id]').first().attr('id'),
        shown(each).find('.thread-text').text(),
      ]);
  }

  const comment = (visitor: Visitor, path: string, id: number, text: string, line = '2') =>
    visitor.submit(path, 'line-comment', { version: globalId('Version', id), path: 'background.js', line, text });

  it('are drafted and shown in a formatted file, at the line that begins theirs', async () => {
    const made = await reviewed('f();g()\n\nh();i()\n');
    const page = `${made.file}&pretty=1`;
    const $ = documentOf(await visitors.reviewer.get(page));
    const links = $('.code-action')
      .toArray()
      .map((cell) =>
        $(cell)
          .find('a')
          .attr('href')
          ?.replace(/.*comment=/, ''),
      );
    // The lines of the page: f(); g() (empty) h(); i()
    expect(links).toEqual(['1#file-L1', undefined, undefined, '3#file-L4', undefined]);
    const opened = documentOf(await visitors.reviewer.get(`${page}&comment=3`));
    expect(opened('#line-comment').closest('tr').prevAll('[id]').first().attr('id')).toBe('file-L4');
    const at = opened('#line-comment [name=at]').attr('value') ?? '';
    const { status, headers } = await visitors.reviewer.submit(`${page}&comment=3`, 'line-comment', {
      ...{ version: globalId('Version', made.id), path: 'background.js', line: '3', at, text: 'Why h?' },
    });
    expect([status, headers.location]).toEqual([303, `${page}&done=line-comment#file-L4`]);
    await comment(visitors.reviewer, page, made.id, 'About the empty line.', '2');
    expect(await places(page)).toEqual([
      ['file-L1', 'About the empty line.'],
      ['file-L4', 'Why h?'],
    ]);
    expect(await places(made.file)).toEqual([
      ['file-L2', 'About the empty line.'],
      ['file-L3', 'Why h?'],
    ]);
  });

  it('are shown on both sides of a comparison, formatted or not', async () => {
    const made = await reviewed('f();g();\n\nh();i();\n', 'f();\n\nh();old();\n');
    const add = (version: number, line: number, text: string) =>
      app.sql(
        `INSERT INTO line_comment (version_id, account_id, path, line, quote, text) VALUES ($1, $2, 'background.js', $3, '', $4)`,
        [version, reviewerId, line, text],
      );
    await add(made.oldId, 2, 'The empty line of 1.0');
    await add(made.oldId, 3, 'h of 1.0');
    await add(made.id, 1, 'f of 2.0');
    await add(made.id, 3, 'h of 2.0');
    expect(await places(made.changes)).toEqual([
      ['diff-L1', 'f of 2.0'],
      ['diff-L2', 'The empty line of 1.0'],
      ['diff-D3', 'h of 1.0'],
      ['diff-L3', 'h of 2.0'],
    ]);
    expect(await places(made.changes.replace(/\?.*/, ''))).toHaveLength(4);
    const pretty = `${made.changes}&pretty=1`;
    // The lines of the page: f(); +g(); (empty) h(); -old(); +i();
    expect(await places(pretty)).toEqual([
      ['diff-L1', 'The empty line of 1.0'],
      ['diff-L1', 'f of 2.0'],
      ['diff-L4', 'h of 1.0'],
      ['diff-L4', 'h of 2.0'],
    ]);
    const $ = documentOf(await visitors.reviewer.get(pretty));
    expect($('.line-comment').first().text()).toContain('Version 1.0');
    const link = $('#diff-L4 .code-action a').attr('href') ?? '';
    expect(link).toMatch(/comment=3#diff-L4$/);
    const opened = documentOf(await visitors.reviewer.get(link.replace(/#.*/, '')));
    expect(opened('#line-comment').closest('tr').prevAll('[id]').first().attr('id')).toBe('diff-L4');
    await comment(visitors.reviewer, link.replace(/#.*/, ''), made.id, 'Again h of 2.0', '3');
    expect(await places(made.changes)).toContainEqual(['diff-L3', 'Again h of 2.0']);
    expect(await places(pretty, visitors.otherReviewer)).toEqual([]);
  });

  it('of the older version are a hundred at a time, too', async () => {
    const made = await reviewed('b();\n'.repeat(120), 'a();\n'.repeat(120));
    await app.sql(
      `INSERT INTO line_comment (version_id, account_id, path, line, quote, text)
       SELECT $1, $2, 'background.js', line, 'a();', 'On ' || line FROM generate_series(1, 120) AS line`,
      [made.oldId, reviewerId],
    );
    const first = documentOf(await visitors.reviewer.get(made.changes));
    expect(first('.line-comment')).toHaveLength(100);
    expect(first('main').text()).toContain('Version 1.0: The comments on lines 1 to 100 are shown here.');
    const next = first('.code-switches a[rel=next]').attr('href') ?? '';
    expect(await places(next)).toHaveLength(20);
    expect((await visitors.reviewer.get(`${made.changes}&oldcomments=x`)).status).toBeLessThan(500);
    expect((await visitors.reviewer.get(made.changes.replace(/\?.*/, ''))).headers.location).toBe(made.changes);
  });

  it('are shown a hundred at a time', async () => {
    const made = await reviewed('a();\n'.repeat(120));
    await app.sql(
      `INSERT INTO line_comment (version_id, account_id, path, line, quote, text)
       SELECT $1, $2, 'background.js', line, 'a();', 'On ' || line FROM generate_series(1, 120) AS line`,
      [made.id, reviewerId],
    );
    for (const page of [made.file, made.changes]) {
      const first = documentOf(await visitors.reviewer.get(page));
      expect(first('.line-comment')).toHaveLength(100);
      expect(first('main').text()).toContain('The comments on lines 1 to 100 are shown here.');
      const next = first('.code-switches a[rel=next]').attr('href') ?? '';
      const second = documentOf(await visitors.reviewer.get(next));
      expect(second('.line-comment')).toHaveLength(20);
      expect(second('main').text()).toContain('The comments on lines 101 to 120 are shown here.');
      expect(second('.code-switches a[rel=next]')).toHaveLength(0);
      expect(second(`main a[href="${page}"]`).text()).toContain('First comments');
      expect((await visitors.reviewer.get(`${page}&comments=x`)).status).toBeLessThan(500);
    }
  });

  it('stay on their page of lines', async () => {
    const made = await reviewed('a();\n'.repeat(2_001));
    const $ = documentOf(await visitors.reviewer.get(`${made.file}&page=2`));
    const link = $('#file-L2001 .code-action a').attr('href') ?? '';
    expect(documentOf(await visitors.reviewer.get(link.replace(/#.*/, '')))('#line-comment')).toHaveLength(1);
  });

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
    expect($('#drafts').text()).toBe('2 draft comments');
    const hints = $('[name=decision] ~ .field-hint').text();
    for (const [rule, count] of [
      ['Sends your drafts.', 4],
      ['Needs a text', 1],
      ['only reviewers read', 2],
      ['Your draft comments stay drafts.', 2],
    ] as const) {
      expect(hints.split(rule).length - 1).toBe(count);
    }
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

describe('the texts of decisions', () => {
  it('says of each decision whether it needs a text, as the mutation has it', async () => {
    const made = await reviewed();
    const hints = async () => {
      const $ = documentOf(await visitors.reviewer.get(made.path));
      expect($('label[for=review-decision-comments]').text()).toBe(
        'Text (the developers read it; that of a referral or a comment for reviewers, only reviewers)',
      );
      return Object.fromEntries(
        $('[name=decision]')
          .map((_, input) => [[$(input).val(), $(`#${$(input).attr('aria-describedby')}`).text()]])
          .get(),
      );
    };
    expect(await hints()).toEqual({
      approve: 'It is signed and published. A text for the developers is optional.',
      reject: 'It is not signed. Needs a text for the developers.',
      request: 'It waits for the answer of the developers. Needs a text for the developers.',
      refer: 'An administrator decides about it. A text, which only reviewers read, is optional.',
      reply: 'The version stays as it is. Needs a text for the developers.',
      comment: 'The version stays as it is. Needs a text, which only reviewers read.',
    });
    const send = (decision: string) =>
      visitors.reviewer.submit(made.path, 'review-decision', { ...sent(made.id), decision });
    for (const decision of ['reject', 'request', 'reply', 'comment']) {
      expect((await send(decision)).status).toBe(422);
    }
  });
});
