/* The pages that show the code of versions. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { linesIn, mainOf, pageText, published, textsIn, treeIn } from '../../support/code-pages.ts';
import { addon } from '../../support/factories.ts';
import { zip } from '../../support/packages.ts';
import { documentOf, Visitor, visitorOf } from '../../support/pages.ts';
import { storePackage } from '../../support/store-package.ts';

const app = setUpApp();
let visitor: Visitor;
beforeAll(async () => {
  visitor = new Visitor(app);
});

const textOf = (path: string, query: Record<string, string> = {}) => pageText(visitor, path, query);

describe('the files of a version', () => {
  it('are shown folder by folder', async () => {
    const path = `${await published({ 'manifest.json': '{}', 'lib/a.js': 'a', 'lib/deep/b.js': 'b' })}versions/1.0/files/`;
    const root = await textOf(path);
    expect(root).toContain('3 files, 4 bytes');
    expect(root).toContain('<bdi dir="ltr">lib/</bdi>');
    expect(mainOf(root)).not.toContain('a.js');
    const folder = await textOf(path, { folder: 'lib' });
    expect(folder).toContain('<bdi dir="ltr">deep/</bdi>');
    expect(folder).toContain('?file=lib%2Fa.js');
  });

  it('are shown line by line, with a file to save', async () => {
    const path = `${await published({ 'a.js': 'let a = "<b>";\r\nlet b;\n' })}versions/1.0/files/`;
    expect(linesIn(await textOf(path, { file: 'a.js' }))).toEqual(['let a = "<b>";', 'let b;']);
    const { status, headers, text } = await visitor.get(`${path}?file=a.js&raw=1`);
    expect([status, headers['content-type'], text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'let a = "<b>";\r\nlet b;\n',
    ]);
    expect(headers['content-disposition']).toContain('attachment; filename=a.js');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*; sandbox$/);
  });

  it('are a tree, in which the folders of the file are open', async () => {
    const path = `${await published({ 'b/c.js': '', 'b/d/e.js': '', 'f/g.js': '', 'h.js': '' })}versions/1.0/files/`;
    expect(treeIn(await textOf(path, { file: 'b/c.js' }))).toBe('Files [open] b/ 2 d/ 1 e.js c.js f/ 1 g.js h.js');
  });

  it('are a tree with links to folders that are too large for it, and with the names around the file', async () => {
    const many = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`many/${1000 + index}.js`, '']));
    const path = `${await published({ 'a.js': '', 'few/b.js': '', ...many })}versions/1.0/files/`;
    const tree = await textOf(path);
    expect(treeIn(tree)).toBe('Files few/ 1 many/ 700 a.js');
    expect(tree).toContain('?folder=many"');
    const shown = treeIn(await textOf(path, { file: 'many/1350.js' }));
    expect(shown).toMatch(
      /^Files few\/ 1 \[open\] many\/ 700 300 more names 1300\.js .* 1399\.js 300 more names a\.js$/,
    );
    expect(treeIn(await textOf(path, { file: 'many/1000.js' }))).toContain('many/ 700 1000.js');
    expect(treeIn(await textOf(path, { file: 'many/1699.js' }))).toContain('1699.js a.js');
  });

  it('have the colours of their language', async () => {
    const path = `${await published({ 'a.js': 'let a = `<b>\n\u202e`;', 'a.txt': 'let a' })}versions/1.0/files/`;
    const page = await textOf(path, { file: 'a.js' });
    expect(page).toContain('<span class="code-keyword">let</span> a = <span class="code-string">`&lt;b&gt;</span>');
    expect(page).toContain('<span class="code-string">&lt;U+202E&gt;`</span>;');
    expect(await textOf(path, { file: 'a.txt' })).not.toContain('class="code-keyword');
  });

  it('have no colours when there is too much on a page', async () => {
    const lines = `${'let a = 1;\n'.repeat(1_000)}"${'x'.repeat(120_000)}"\n`;
    const path = `${await published({ 'a.js': lines })}versions/1.0/files/`;
    expect(await textOf(path, { file: 'a.js' })).not.toContain('code-keyword');
  });

  it('are formatted on request, with the place of each line', async () => {
    const path = `${await published({ 'a.js': 'let a=1;f(a)', 'a.txt': 'a', 'bad.css': 'a'.repeat(9) })}versions/1.0/files/`;
    const address = { file: 'a.js', pretty: '1' };
    const page = await textOf(path, address);
    expect(linesIn(page)).toEqual(['let a = 1;', 'f(a)']);
    expect(textsIn(page, '.code-origin')).toEqual(['1:1', '1:9']);
    expect(page).toContain('The code is formatted for reading');
    expect(await textOf(path, { file: 'a.txt', pretty: '1' })).toContain('could not be formatted');
    expect((await visitor.get(`${path}?file=a.js&raw=1&pretty=1`)).text).toBe('let a=1;f(a)');
  });

  it('have 2,000 lines on a page', async () => {
    const lines = Array.from({ length: 2_001 }, (_, index) => `line ${index + 1}\n`).join('');
    const path = `${await published({ 'a.js': lines })}versions/1.0/files/`;
    expect(linesIn(await textOf(path, { file: 'a.js' }))).toHaveLength(2_000);
    expect(linesIn(await textOf(path, { file: 'a.js', page: '2' }))).toEqual(['line 2001']);
    expect(linesIn(await textOf(path, { file: 'a.js', page: '3' }))).toEqual([]);
  });

  it('have 200 rows of a folder on a page', async () => {
    const files = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`${1000 + index}.js`, '']));
    const path = `${await published(files)}versions/1.0/files/`;
    expect(mainOf(await textOf(path))).not.toContain('1200.js');
    expect(mainOf(await textOf(path, { page: '2' }))).toContain('1200.js');
  });

  it('say why they are not shown', async () => {
    const large = Array.from({ length: 90_000 }, (_, index) => `${index}\n`).join('');
    const path = `${await published({ 'a.bin': Buffer.from('\0'), 'large.js': large, 'empty.js': '' })}versions/1.0/files/`;
    expect(await textOf(path, { file: 'a.bin' })).toContain('This file is no text.');
    expect(await textOf(path, { file: 'large.js' })).toContain('too large for this page');
    expect(await textOf(path, { file: 'empty.js' })).toContain('This file is empty.');
    expect((await visitor.get(`${path}?file=a.bin&raw=1`)).status).toBe(404);
  });

  it.each([
    ['bidirectional controls', 'a\u202eb\u2066c', 'a<U+202E>b<U+2066>c'],
    ['terminal escapes', 'a\u001b[31mb', 'a<U+001B>[31mb'],
    ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0xc0]), 'a\ufffd\ufffd'],
    ['a long line', 'x'.repeat(450), `${'x'.repeat(400)}… Whole line 1`],
    ['a line separator', 'a\u2028b', 'a<U+2028>b'],
  ])('show %s as text', async (_kind, content, shown) => {
    const path = `${await published({ 'a.js': content })}versions/1.0/files/`;
    expect(linesIn(await textOf(path, { file: 'a.js' }))).toEqual([shown]);
  });

  it('show the whole of a long line on a page of its own, 100,000 characters at a time', async () => {
    const long = `let a = "${'x'.repeat(99_990)}😀${'y'.repeat(50_000)}";`;
    const path = `${await published({ 'a.js': `1;\n${long}\n3;\n` })}versions/1.0/files/`;
    const file = documentOf(await visitor.get(`${path}?file=a.js`));
    const link = file('.code-whole').attr('href') ?? '';
    expect(link).toBe(`${path}?file=a.js&line=2`);
    const parts = [];
    for (const rest of ['', '&page=2', '&page=3']) {
      const $ = documentOf(await visitor.get(`${link}${rest}`));
      parts.push($('.code-table td:last-child').text());
      expect($('main a[href$="#file-L2"]').first().attr('href')).toBe(`${path}?file=a.js#file-L2`);
    }
    // The limit is within a character, which stays whole.
    expect(parts).toEqual([`${long.slice(0, 100_001)}…`, `…${long.slice(100_001)}`, '']);
    expect((await visitor.get(`${link}&page=3`)).text).toContain('There is no page 3');
    for (const line of ['4', '999999999'])
      expect((await visitor.get(`${path}?file=a.js&line=${line}`)).status).toBe(404);
    for (const line of ['x', '0', '-1', '2.5', '9999999999']) {
      expect(linesIn(await textOf(path, { file: 'a.js', line })), line).toHaveLength(3);
    }
  });

  it('show a long line of a formatted file', async () => {
    const path = `${await published({ 'a.js': `f();g("${'x'.repeat(500)}")` })}versions/1.0/files/`;
    const file = documentOf(await visitor.get(`${path}?file=a.js&pretty=1`));
    const $ = documentOf(await visitor.get(file('.code-whole').attr('href') ?? ''));
    expect($('.code-table td:last-child').text()).toBe(`g("${'x'.repeat(500)}")`);
    expect($('.code-table .code-origin').text()).toBe('1:5');
    expect($('.code-table .code-string').text()).toBe(`"${'x'.repeat(500)}"`);
  });

  it.each(['absent', '../a.js', '/a.js', '', 'a.js/', 'A.JS', '%00', 'a'.repeat(3_000)])(
    'are not found at another path: %s',
    async (file) => {
      const path = `${await published({ 'a.js': 'a' })}versions/1.0/files/`;
      const { status } = await visitor.get(`${path}?file=${encodeURIComponent(file)}`);
      expect([200, 400, 404]).toContain(status);
      if (status === 200) expect(file).toBe('');
      expect((await visitor.get(`${path}?folder=${encodeURIComponent(`${file}x`)}`)).status).not.toBe(200);
    },
  );

  it('are not found for visitors when the source is not public', async () => {
    await addon({ slug: 'closed', versions: [{ files: [await storePackage(await zip({ 'a.js': 'a' }))] }] });
    expect((await visitor.get('/addon/closed/versions/1.0/files/')).status).toBe(404);
    expect((await visitor.get('/addon/closed/compare/1.0...1.0/')).status).toBe(404);
    expect((await visitor.get('/addon/closed/versions/1.0/')).text).not.toContain('/files/');
  });

  it('have the messages of the validator below their lines, for readers of source code', async () => {
    const owner = await app.developer();
    const file = await storePackage(await zip({ 'a.js': 'one\ntwo\n', 'b.js': 'x' }));
    const made = await addon({
      slug: 'with-messages',
      isSourcePublic: true,
      authors: [owner.accountId ?? 0],
      versions: [{ files: [file] }],
    });
    const message = { type: 'warning', id: ['rule'], description: '', column: 1 };
    const messages = [
      { ...message, message: 'About the second line.', file: 'a.js', line: 2 },
      { ...message, message: 'About the file.', file: 'a.js', line: null },
      { ...message, message: 'About another file.', file: 'b.js', line: 1 },
    ];
    await app.sql(
      `INSERT INTO upload (pk, account_id, addon_id, version_id, file_name, validation) VALUES (md5('m'), $1, $2, $3, 'a.xpi', $4)`,
      [owner.accountId, made.id, made.versions[0]?.id, { errors: 0, warnings: 3, notices: 0, messages }],
    );
    const address = '/addon/with-messages/versions/1.0/files/?file=a.js';
    const { text } = await (await visitorOf(app, owner)).get(address);
    expect(text).toMatch(
      /About the file\..*<td><code>one.*class="marked".*two.*class="code-note".*About the second line\./s,
    );
    expect(text).not.toContain('About another file.');
    expect((await visitor.get(address)).text).not.toContain('About the');
  });

  it('have messages on the lines that are meant, however the validator counts lines', async () => {
    const owner = await app.developer();
    const file = await storePackage(
      await zip({ 'a.js': 'one\rtwo\u2028three\nfour\r\nfive', 'b.css': 'a{}\fb{}\nc{}', 'c.js': 'f();g();h()' }),
    );
    const made = await addon({ slug: 'counted', authors: [owner.accountId ?? 0], versions: [{ files: [file] }] });
    const about = (name: string, line: number, column = 1) => ({
      ...{ type: 'warning', id: ['rule'], description: '', message: `${name} ${line}`, file: name, line, column },
    });
    const messages = [
      about('a.js', 3),
      about('a.js', 4),
      about('a.js', 5),
      about('b.css', 2),
      about('b.css', 3),
      about('c.js', 1, 6),
    ];
    await app.sql(
      `INSERT INTO upload (pk, account_id, addon_id, version_id, file_name, validation) VALUES (md5('n'), $1, $2, $3, 'a.xpi', $4)`,
      [owner.accountId, made.id, made.versions[0]?.id, { errors: 0, warnings: 6, notices: 0, messages }],
    );
    const author = await visitorOf(app, owner);
    const placesIn = async (query: Record<string, string>) => {
      const $ = documentOf(await author.get(`/addon/counted/versions/1.0/files/?${new URLSearchParams(query)}`));
      return [...$('tr[id] > th, .code-note span[lang=en]')].map((element) => $(element).text());
    };
    expect(await placesIn({ file: 'a.js' })).toEqual(['1', 'a.js 3', '2', 'a.js 4', '3', 'a.js 5']);
    expect(await placesIn({ file: 'b.css' })).toEqual(['1', 'b.css 2', '2', 'b.css 3']);
    expect(await placesIn({ file: 'c.js', pretty: '1' })).toEqual(['1', '2', 'c.js 1', '3']);
    const tree = await author.get('/addon/counted/versions/1.0/files/');
    expect(treeIn(tree.text)).toBe('Files a.js 3 warnings b.css 2 warnings c.js 1 warning');
    const badges = [...documentOf(tree)('.file-tree a.badge.warning')].map(({ attribs }) => attribs.href);
    const lineOf = (file: string, line: number) => `/addon/counted/versions/1.0/files/?file=${file}#file-L${line}`;
    expect(badges).toEqual([lineOf('a.js', 3), lineOf('b.css', 2), lineOf('c.js', 1)]);
  });

  it('are linked from the page of the version', async () => {
    const path = await published({ 'a.js': 'a' });
    expect(await textOf(`${path}versions/1.0/`)).toContain(`href="${path}versions/1.0/files/"`);
  });
});
