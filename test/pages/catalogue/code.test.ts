/* The pages that show and compare the code of versions. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon, type VersionFacts } from '../../support/factories.ts';
import { type PackageFiles, zip } from '../../support/packages.ts';
import { Visitor, visitorOf } from '../../support/pages.ts';
import { storePackage } from '../../support/store-package.ts';

const app = setUpApp();
let visitor: Visitor;
beforeAll(async () => {
  visitor = new Visitor(app);
});

let addons = 0;

/** A public add-on with public source, and a version for each package: 1.0, 2.0 and so on. Returns its path. */
async function published(...packages: PackageFiles[]): Promise<string> {
  const slug = `code-${++addons}`;
  const versions: VersionFacts[] = await Promise.all(
    packages.map(async (each) => ({ files: [await storePackage(await zip(each))] })),
  );
  await addon({ slug, isSourcePublic: true, versions });
  return `/addon/${slug}/`;
}

async function textOf(path: string, query: Record<string, string> = {}): Promise<string> {
  const { status, text } = await visitor.get(`${path}?${new URLSearchParams(query)}`);
  expect(status, path).toBe(200);
  return text;
}

/** The page without its tree of files. */
const mainOf = (page: string): string => page.slice(page.indexOf('</nav></details>'));

/** The tree as text, with the open folders marked. */
const treeIn = (page: string): string =>
  page
    .slice(page.indexOf('class="file-tree"'), page.indexOf('</nav></details>'))
    .replace(/<details open>/g, '[open] ')
    .replace(/^[^>]*>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The cells of the code table: sign and text of each line. */
const linesIn = (page: string): string[] =>
  [...page.matchAll(/<td class="code-sign">(.?)<\/td><td>(.*?)<\/td>/g)].map(
    ([, sign = '', cell = '']) => `${sign}${cell.replace(/<[^>]+>/g, '')}`,
  );

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
    expect(linesIn(await textOf(path, { file: 'a.js' }))).toEqual(['let a = &quot;&lt;b&gt;&quot;;', 'let b;']);
    const { status, headers, text } = await visitor.get(`${path}?file=a.js&raw=1`);
    expect([status, headers['content-type'], text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'let a = "<b>";\r\nlet b;\n',
    ]);
    expect(headers['content-disposition']).toContain('attachment; filename="a.js"');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('are a tree, in which the folders of the file are open', async () => {
    const path = `${await published({ 'b/c.js': '', 'b/d/e.js': '', 'f/g.js': '', 'h.js': '' })}versions/1.0/files/`;
    expect(treeIn(await textOf(path, { file: 'b/c.js' }))).toBe('Files [open] b/ 2 d/ 1 e.js c.js f/ 1 g.js h.js');
  });

  it('are a tree with links to folders that are too large for it', async () => {
    const many = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`many/${index}.js`, '']));
    const tree = await textOf(`${await published({ 'a.js': '', ...many })}versions/1.0/files/`);
    expect(treeIn(tree)).toBe('Files many/ 700 a.js');
    expect(tree).toContain('?folder=many"');
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
    expect([...page.matchAll(/class="code-origin">(.*?)</g)].map(([, place]) => place)).toEqual(['1:1', '1:9']);
    expect(page).toContain('The code is formatted for reading');
    expect(await textOf(path, { file: 'a.txt', pretty: '1' })).toContain('could not be formatted');
    expect((await visitor.get(`${path}?file=a.js&raw=1&pretty=1`)).text).toBe('let a=1;f(a)');
  });

  it('have 2,000 lines on a page', async () => {
    const lines = Array.from({ length: 2_001 }, (_, index) => `line ${index + 1}\n`).join('');
    const path = `${await published({ 'a.js': lines })}versions/1.0/files/`;
    expect(linesIn(await textOf(path, { file: 'a.js' }))).toHaveLength(2_000);
    expect(linesIn(await textOf(path, { file: 'a.js', page: '2' }))).toEqual(['line 2001']);
  });

  it('have 500 rows of a folder on a page', async () => {
    const files = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`${1000 + index}.js`, '']));
    const path = `${await published(files)}versions/1.0/files/`;
    expect(mainOf(await textOf(path))).not.toContain('1500.js');
    expect(mainOf(await textOf(path, { page: '2' }))).toContain('1500.js');
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
    ['bidirectional controls', 'a\u202eb\u2066c', 'a&lt;U+202E&gt;b&lt;U+2066&gt;c'],
    ['terminal escapes', 'a\u001b[31mb', 'a&lt;U+001B&gt;[31mb'],
    ['markup', '<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0xc0]), 'a\ufffd\ufffd'],
    ['a long line', 'x'.repeat(450), `${'x'.repeat(400)}…`],
    ['a line separator', 'a\u2028b', 'a&lt;U+2028&gt;b'],
  ])('show %s as text', async (_kind, content, shown) => {
    const path = `${await published({ 'a.js': content })}versions/1.0/files/`;
    expect(linesIn(await textOf(path, { file: 'a.js' }))).toEqual([shown]);
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
      const { text } = await author.get(`/addon/counted/versions/1.0/files/?${new URLSearchParams(query)}`);
      return [...text.matchAll(/id="file-L(\d+)"|<span lang="en" dir="ltr">(.*?)<|class="code-note"/g)].flatMap(
        ([, line, message]) => line ?? message ?? [],
      );
    };
    expect(await placesIn({ file: 'a.js' })).toEqual(['1', 'a.js 3', '2', 'a.js 4', '3', 'a.js 5']);
    expect(await placesIn({ file: 'b.css' })).toEqual(['1', 'b.css 2', '2', 'b.css 3']);
    expect(await placesIn({ file: 'c.js', pretty: '1' })).toEqual(['1', '2', 'c.js 1', '3']);
    expect(treeIn((await author.get('/addon/counted/versions/1.0/files/')).text)).toBe(
      'Files a.js 3 messages b.css 2 messages c.js 1 message',
    );
  });

  it('are linked from the page of the version', async () => {
    const path = await published({ 'a.js': 'a' });
    expect(await textOf(`${path}versions/1.0/`)).toContain(`href="${path}versions/1.0/files/"`);
  });
});

describe('the comparison of two versions', () => {
  it('lists the files that differ, and is linked from the files of a version', async () => {
    const path = await published(
      { 'a.js': 'a\n', 'b.js': 'b\n', c: Buffer.from('\0') },
      { 'a.js': 'a\nx\n', c: Buffer.from('\0\0') },
    );
    expect(await textOf(`${path}versions/2.0/files/`)).toContain(`href="${path}compare/1.0...2.0/"`);
    const page = await textOf(`${path}compare/1.0...2.0/`);
    expect(page).toContain('3 files differ.');
    expect(
      mainOf(page)
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' '),
    ).toContain('a.js Modified +1 −0 b.js Deleted +0 −1 c Modified no text');
    expect(treeIn(page)).toBe('Files a.js M +1 −0 b.js D +0 −1 c M');
  });

  it('shows the lines of a file', async () => {
    const path = await published({ 'a.js': 'a\nb\nc\nd\ne\nf\ng\nh' }, { 'a.js': 'a\nb\nc\nd\ne\nf\nG\nh' });
    const lines = async (query = {}) => linesIn(await textOf(`${path}compare/1.0...2.0/`, { file: 'a.js', ...query }));
    expect(await lines()).toEqual(['d', 'e', 'f', '−g', '+G', 'h']);
    expect(await lines({ full: '1' })).toEqual(['a', 'b', 'c', 'd', 'e', 'f', '−g', '+G', 'h']);
  });

  it('compares formatted texts on request', async () => {
    const path = await published({ 'b/a.js': 'f();g();h()' }, { 'b/a.js': 'f();i(1);h()' });
    const page = await textOf(`${path}compare/1.0...2.0/`, { file: 'b/a.js', pretty: '1' });
    expect(linesIn(page)).toEqual(['f();', '−g();', '+i(1);', 'h()']);
    expect(page).toContain('<ins>i(<span class="code-number">1</span>);</ins>');
    expect([...page.matchAll(/class="code-origin">(.*?)</g)].map(([, place]) => place)).toEqual([
      '1:1',
      '1:5',
      '1:5',
      '1:10',
    ]);
    expect(treeIn(page)).toBe('Files [open] b/ 1 a.js M +1 −1');
  });

  it('ignores white space when it is told to', async () => {
    const path = await published({ 'a.js': 'a\n' }, { 'a.js': '  a\n' });
    const address = `${path}compare/1.0...2.0/`;
    expect(linesIn(await textOf(address, { file: 'a.js' }))).toEqual(['−a', '+  a']);
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
    expect([...compared.matchAll(/<img src="([^"]*picture=1)"/g)].map(([, src]) => src)).toEqual([
      `${path}versions/1.0/files/?file=a.png&amp;picture=1`,
      `${path}versions/2.0/files/?file=a.png&amp;picture=1`,
    ]);
    expect((await visitor.get(`${path}versions/2.0/files/?file=fake.png&picture=1`)).status).toBe(404);
    expect(await textOf(`${path}versions/2.0/files/`, { file: 'fake.png' })).toContain('This file is no text.');
  });
});

const picture = (format: 'png' | 'jpeg'): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
    .toFormat(format)
    .toBuffer();
