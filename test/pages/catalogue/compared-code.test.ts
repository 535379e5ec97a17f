/* The pages that compare the code of versions, and show source code and pictures. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { linesIn, mainOf, pageText, published, textsIn, treeIn } from '../../support/code-pages.ts';
import { addon } from '../../support/factories.ts';
import { zip } from '../../support/packages.ts';
import { documentOf, Visitor, visitorOf } from '../../support/pages.ts';
import { animated } from '../../support/pictures.ts';
import { storePackage } from '../../support/store-package.ts';

const app = setUpApp();
let visitor: Visitor;
beforeAll(async () => {
  visitor = new Visitor(app);
});

const textOf = (path: string, query: Record<string, string> = {}) => pageText(visitor, path, query);

describe('the comparison of two versions', () => {
  it('lists the files that differ, and is linked from the files of a version', async () => {
    const path = await published(
      { 'a.js': 'a\n', 'b.js': 'b\n', c: Buffer.from('\0') },
      { 'a.js': 'a\nx\n', c: Buffer.from('\0\0') },
    );
    expect(await textOf(`${path}versions/2.0/files/`)).toContain(`href="${path}compare/1.0...2.0/"`);
    const page = await textOf(`${path}compare/1.0...2.0/`, { all: '1' });
    expect(page).toContain('3 files differ.');
    expect(mainOf(page)).toContain('a.js Modified +1 −0 b.js Deleted +0 −1 c Modified no text');
    expect(treeIn(page)).toBe('Files a.js Modified +1 −0 b.js Deleted +0 −1 c Modified');
  });

  it('shows the lines of the first text, with a link to the list of all files', async () => {
    const old = { '0.bin': Buffer.from('\0'), 'a/b.js': 'a\n', 'c.js': 'a\n', same: '' };
    const path = await published(old, { ...old, '0.bin': Buffer.from('\0\0'), 'a/b.js': 'b\n', 'c.js': 'c\n' });
    const page = await textOf(`${path}compare/1.0...2.0/`, { ws: 'ignore' });
    expect(linesIn(page)).toEqual(['−a', '+b']);
    const $ = documentOf({ text: page });
    expect($('.file-tree a[aria-current]').attr('href')).toBe(`${path}compare/1.0...2.0/?ws=ignore&file=a%2Fb.js`);
    expect($('main a:contains("Show all lines")').attr('href')).toMatch(/file=a%2Fb\.js&full=1$/);
    expect($('main [rel=prev]').attr('href')).toMatch(/\?ws=ignore&file=0\.bin$/);
    const list = $('main a:contains("All files that differ")').attr('href') ?? '';
    expect(list).toBe(`${path}compare/1.0...2.0/?all=1`);
    const shown = documentOf(await visitor.get(list));
    expect(shown('table tbody tr')).toHaveLength(3);
    expect(shown('table tbody a').first().attr('href')).toBe(`${path}compare/1.0...2.0/?file=0.bin`);
    const folder = documentOf(await visitor.get(`${path}compare/1.0...2.0/?folder=a`));
    expect(folder('table tbody tr')).toHaveLength(1);
    expect(folder('main a:contains("All files that differ")').attr('href')).toBe(list);
  });

  it.each([
    ['no text differs', { 'a.bin': Buffer.from('\0'), 'b.js': 'b' }, { 'a.bin': Buffer.from('\0\0'), 'b.js': 'b' }, 1],
    ['nothing differs', { 'b.js': 'b' }, { 'b.js': 'b' }, 0],
  ])('is the list of files when %s', async (_case, before, after, count) => {
    const path = await published(before, after);
    const page = await textOf(`${path}compare/1.0...2.0/`);
    expect([textsIn(page, 'main tbody tr').length, linesIn(page).length]).toEqual([count, 0]);
  });

  it("has the number of the validator's messages about the whole file, and shows those without a line first", async () => {
    const owner = await app.developer();
    const [old, recent] = [
      await storePackage(await zip({ 'a.js': 'one\ntwo\n', 'b.bin': Buffer.from('\0') })),
      await storePackage(await zip({ 'a.js': 'one\n2\n', 'b.bin': Buffer.from('\0\0') })),
    ];
    const made = await addon({
      ...{ slug: 'compared-messages', authors: [owner.accountId ?? 0] },
      versions: [{ files: [old] }, { files: [recent] }],
    });
    const about = (file: string, line: number | null, type = 'warning') => ({
      ...{ type, id: ['rule'], description: '', column: null, message: `${file} ${line}`, file, line },
    });
    const messages = [about('a.js', 2), about('a.js', null), about('a.js', 1, 'error'), about('b.bin', null, 'notice')];
    await app.sql(
      `INSERT INTO upload (pk, account_id, addon_id, version_id, file_name, validation) VALUES (md5('c'), $1, $2, $3, 'a.xpi', $4)`,
      [owner.accountId, made.id, made.versions[1]?.id, { errors: 1, warnings: 2, notices: 1, messages }],
    );
    const author = await visitorOf(app, owner);
    const $ = documentOf(await author.get('/addon/compared-messages/compare/1.0...2.0/'));
    const badges = (selector: string) =>
      $(`${selector} .badge[href]`)
        .toArray()
        .map((link) => [$(link).text(), $(link).attr('class'), $(link).attr('href')]);
    const files = '/addon/compared-messages/versions/2.0/files/?file=';
    expect(badges('.file-tree')).toEqual([
      ['1 error, 2 warnings in the whole file', 'badge plain', `${files}a.js`],
      ['1 notice in the whole file', 'badge plain', `${files}b.bin`],
    ]);
    expect(
      $('main .message-list span[lang=en]')
        .toArray()
        .map((each) => $(each).text()),
    ).toEqual(['a.js null', 'a.js 1', 'a.js 2']);
    expect($('.code-note .message-list li')).toHaveLength(2);
    const binary = documentOf(await author.get('/addon/compared-messages/compare/1.0...2.0/?file=b.bin'));
    expect(binary('main .message-list').text()).toContain('b.bin null');
  });

  it('shows the lines of a file', async () => {
    const path = await published({ 'a.js': 'a\nb\nc\nd\ne\nf\ng\nh' }, { 'a.js': 'a\nb\nc\nd\ne\nf\nG\nh' });
    const lines = async (query = {}) => linesIn(await textOf(`${path}compare/1.0...2.0/`, { file: 'a.js', ...query }));
    expect(await lines()).toEqual(['d', 'e', 'f', '−g', '+G', 'h']);
    expect(await lines({ full: '1' })).toEqual(['a', 'b', 'c', 'd', 'e', 'f', '−g', '+G', 'h']);
  });

  it('shows all parts of a file in one table, each below its place', async () => {
    const text = (first: string, last: string) => [first, ...'bcdefghi', last].join('\n');
    const path = await published({ 'a.js': text('a', 'j') }, { 'a.js': text('A', 'J') });
    const page = await textOf(`${path}compare/1.0...2.0/`);
    expect(textsIn(page, '.code-table')).toHaveLength(1);
    expect(textsIn(page, '.code-hunk')).toEqual(['@@ −1,4 +1,4 @@', '@@ −7,4 +7,4 @@']);
    const $ = documentOf({ text: page });
    expect([...$('.code-hunk')].map((row) => $(row).next().text())).toEqual(['1−a', '7g']);
  });

  it('leads from each file to those before and after it', async () => {
    const path = await published(
      { 'a.js': 'a', 'b/c.js': 'a', 'd.js': 'a' },
      { 'a.js': 'b', 'b/c.js': 'b', 'd.js': 'b' },
    );
    const linksOf = async (file: string) => {
      const $ = documentOf(
        await visitor.get(`${path}compare/1.0...2.0/?${new URLSearchParams({ ws: 'ignore', file })}`),
      );
      return ['prev', 'next'].map((rel) => $(`main [rel=${rel}]`).attr('href')?.split('?')[1]);
    };
    expect(await linksOf('a.js')).toEqual([undefined, 'ws=ignore&file=b%2Fc.js']);
    expect(await linksOf('b/c.js')).toEqual(['ws=ignore&file=a.js', 'ws=ignore&file=d.js']);
  });

  it('compares formatted texts on request', async () => {
    const path = await published({ 'b/a.js': 'f();g();h()' }, { 'b/a.js': 'f();i(1);h()' });
    const page = await textOf(`${path}compare/1.0...2.0/`, { file: 'b/a.js', pretty: '1' });
    expect(linesIn(page)).toEqual(['f();', '−g();', '+i(1);', 'h()']);
    expect(page).toContain('<ins>i(<span class="code-number">1</span>);</ins>');
    expect(textsIn(page, '.code-origin')).toEqual(['1:1', '1:5', '1:5', '1:10']);
    expect(treeIn(page)).toBe('Files [open] b/ 1 a.js Modified +1 −1');
  });

  it('links lines that are cut to the whole of them in their version', async () => {
    const [old, recent] = ['a'.repeat(500), 'b'.repeat(500)];
    const path = await published({ 'a.js': `${old}\n` }, { 'a.js': `1;\n${recent}\n` });
    const $ = documentOf(await visitor.get(`${path}compare/1.0...2.0/?file=a.js`));
    const links = $('.code-whole')
      .toArray()
      .map((link) => $(link).attr('href') ?? '');
    expect(links).toEqual([
      `${path}versions/1.0/files/?file=a.js&line=1`,
      `${path}versions/2.0/files/?file=a.js&line=2`,
    ]);
    expect(linesIn((await visitor.get(links[0] ?? '')).text)).toEqual([old]);
    expect(linesIn((await visitor.get(links[1] ?? '')).text)).toEqual([recent]);
  });

  it('ignores white space when it is told to', async () => {
    const path = await published({ 'a.js': 'a\n' }, { 'a.js': '  a\n' });
    const address = `${path}compare/1.0...2.0/`;
    expect(linesIn(await textOf(address, { file: 'a.js' }))).toEqual(['−a', '+  a']);
    expect(await textOf(address, { file: 'a.js', ws: 'ignore' })).toContain('No line differs.');
  });

  it('says that lines differ only in their ends', async () => {
    const path = await published({ 'a.js': 'a\r\nb\r\n', 'b.js': 'a\n' }, { 'a.js': 'a\nb\n', 'b.js': 'b\n' });
    const address = `${path}compare/1.0...2.0/`;
    const note = 'Some lines differ only in their ends';
    const page = await textOf(address, { file: 'a.js' });
    expect(linesIn(page)).toEqual(['−a', '−b', '+a', '+b']);
    expect(page).toContain(note);
    expect(await textOf(address, { file: 'b.js' })).not.toContain(note);
    expect(await textOf(address, { file: 'a.js', ws: 'ignore' })).toContain('No line differs.');
  });

  it('shows a file as replaced when its lines are not compared', async () => {
    const path = await published({ 'a.bin': Buffer.from('\0') }, { 'a.bin': Buffer.from('\0\0') });
    const page = await textOf(`${path}compare/1.0...2.0/`, { file: 'a.bin' });
    expect(page).toContain('It is shown as replaced');
    expect(page).toContain('sha256:');
  });

  it.each(['1.0', '1.0..2.0', '1.0...', '...2.0', '1.0...2.0...3.0', '1.0...9.9', 'x...y'])(
    'does not exist for %s',
    async (range) => {
      const path = await published({ 'a.js': 'a' }, { 'a.js': 'b' });
      expect((await visitor.get(`${path}compare/${encodeURIComponent(range)}/`)).status).toBe(404);
    },
  );
});

describe('the source code of a version', () => {
  it('is shown to reviewers, whose reads of an hour are one entry of the audit log', async () => {
    const { originalSha256 } = await storePackage(await zip({ 'a.js': 'a' }));
    const made = await addon({ slug: 'reviewed-source' });
    await app.sql(`INSERT INTO version_source (version_id, name, size, sha256) VALUES ($1, 'source.zip', 1, $2)`, [
      made.versions[0]?.id,
      originalSha256,
    ]);
    const reviewer = await visitorOf(app, await app.reviewer());
    for (const query of ['', '?file=a.js', '?file=a.js&raw=1']) {
      expect((await reviewer.get(`/addon/reviewed-source/versions/1.0/source/${query}`)).status).toBe(200);
    }
    const rows = await app.sql(`SELECT details->>'versionId' AS version FROM audit_entry WHERE action = 'source-read'`);
    expect(rows).toEqual([{ version: String(made.versions[0]?.id) }]);
  });

  it('is shown to its authors, file by file, and to no one else', async () => {
    const owner = await app.developer();
    const { originalSha256 } = await storePackage(
      await zip({ 'src/a.js': 'let a;\n', 'README.txt': 'Build.', 'src/empty.js': '' }),
    );
    const made = await addon({ slug: 'with-source', isSourcePublic: true, authors: [owner.accountId ?? 0] });
    await app.sql(`INSERT INTO version_source (version_id, name, size, sha256) VALUES ($1, 'source.zip', 1, $2)`, [
      made.versions[0]?.id,
      originalSha256,
    ]);
    const author = await visitorOf(app, owner);
    const address = '/addon/with-source/versions/1.0/source/';
    const { text, status } = await author.get(address);
    expect(status).toBe(200);
    expect(text).toContain('source.zip');
    expect(treeIn(text)).toBe('Files src/ 2 a.js empty.js README.txt');
    expect(linesIn((await author.get(`${address}?file=src/a.js`)).text)).toEqual(['let a;']);
    expect((await author.get(`${address}?file=src/a.js&raw=1`)).text).toBe('let a;\n');
    expect((await author.get(`${address}?file=absent`)).status).toBe(404);
    for (const path of ['', '?file=src/a.js', '?file=src/a.js&raw=1'])
      expect((await visitor.get(address + path)).status).toBe(404);
  });
});

describe('pictures in a package', () => {
  it('are shown as decoded copies, before and after', async () => {
    const png = await picture('png');
    const path = await published(
      { 'a.png': png },
      { 'a.png': await picture('jpeg'), 'fake.png': Buffer.from('\0<svg>') },
    );
    const page = await textOf(`${path}versions/1.0/files/`, { file: 'a.png' });
    expect(page).toContain('8 × 6 pixels');
    expect(page).toContain(`<img src="${path}versions/1.0/files/?file=a.png&amp;picture=1" width="8" height="6"`);
    const copy = await fetch(`${app.url}${path}versions/1.0/files/?file=a.png&picture=1`);
    expect([copy.status, copy.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(copy.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(copy.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await sharp(Buffer.from(await copy.arrayBuffer())).metadata()).toMatchObject({ format: 'png', width: 8 });
    const compared = await textOf(`${path}compare/1.0...2.0/`, { file: 'a.png' });
    expect(textsIn(compared, 'h3')).toEqual(['Version 1.0', 'Version 2.0']);
    for (const absent of ['This file is no text.', 'ws=ignore', 'full=1']) expect(compared).not.toContain(absent);
    const $ = documentOf({ text: compared });
    expect([...$('main figure img')].map((picture) => $(picture).attr('src'))).toEqual([
      `${path}versions/1.0/files/?file=a.png&picture=1`,
      `${path}versions/2.0/files/?file=a.png&picture=1`,
    ]);
    expect((await visitor.get(`${path}versions/2.0/files/?file=fake.png&picture=1`)).status).toBe(404);
    expect(await textOf(`${path}versions/2.0/files/`, { file: 'fake.png' })).toContain('This file is no text.');
  });

  it.each(['gif', 'webp', 'png'] as const)('are the first frame of an animated %s', async (format) => {
    const file = `a.${format.toUpperCase()}`;
    const path = await published({ [file]: await animated(format) }, { [file]: await picture(format), b: 'b' });
    const shown = await textOf(`${path}versions/1.0/files/`, { file });
    expect(shown).toContain('8 × 6 pixels; the first frame of an animation<');
    const copy = await fetch(`${app.url}${path}versions/1.0/files/?file=${file}&picture=1`);
    expect([copy.status, copy.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await sharp(Buffer.from(await copy.arrayBuffer())).metadata()).toMatchObject({ format: 'png', width: 8 });
    const compared = await textOf(`${path}compare/1.0...2.0/`, { file });
    expect(textsIn(compared, 'figcaption')).toEqual(['8 × 6 pixels; the first frame of an animation', '8 × 6 pixels']);
  });
});

const picture = (format: 'png' | 'jpeg' | 'gif' | 'webp'): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
    .toFormat(format)
    .toBuffer();
