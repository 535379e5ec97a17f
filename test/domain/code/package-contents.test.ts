/* Reading the code of versions by GraphQL: what is shown, and to whom. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type VersionFacts } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { type PackageFiles, xpi, zip } from '../../support/packages.ts';
import { animated, png } from '../../support/pictures.ts';
import { statementsDuring } from '../../support/statements.ts';
import { storePackage } from '../../support/store-package.ts';

const SIGNED: VersionFacts = { stage: 'signed' };
const WAITING: VersionFacts = { stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };
const UNLISTED: VersionFacts = { stage: 'signed', channel: 'unlisted' };

const app = setUpApp();
let author: Client;
let stranger: Client;
let reviewer: Client;
let unlistedReviewer: Client;
let themeReviewer: Client;
beforeAll(async () => {
  author = await app.developer();
  stranger = await app.developer();
  reviewer = await app.memberWith('Addons:Review');
  unlistedReviewer = await app.memberWith('Addons:ReviewUnlisted');
  themeReviewer = await app.memberWith('Addons:ThemeReview');
});

let numbers = 0;

/** The global ids of versions of one add-on, each with a package of these files. */
async function versionsWith(
  packages: (PackageFiles | Buffer)[],
  { version = SIGNED, isSourcePublic = false, status = 'public' } = {},
): Promise<string[]> {
  const files = await Promise.all(
    packages.map(async (each) =>
      storePackage(Buffer.isBuffer(each) ? each : await zip({ 'manifest.json': '{}', ...each })),
    ),
  );
  const made = await addon({
    ...{ status, isSourcePublic, authors: [author.accountId ?? 0] },
    versions: files.map((file) => ({
      ...{ version: `1.${++numbers}`, ...version },
      files: [{ ...file, ...version.files?.[0] }],
    })),
  });
  return made.versions.map(({ id }) => globalId('Version', id));
}

const FILES = 'query($id: ID!) { version(id: $id) { contents { fileCount size files { path size hash isText } } } }';
const TEXT = `query($id: ID!, $path: String!) { version(id: $id) { contents { file(path: $path) {
  path isText content { text encoding } } } } }`;
const DIFF = `query($from: ID!, $to: ID!) { packageDiff(from: $from, to: $to) { from { id } to { id }
  files { path kind additions deletions notCompared before { path } after { path } } } }`;
const LINES = `query($from: ID!, $to: ID!, $path: String!, $context: Int, $ignore: Boolean) { packageDiff(from: $from, to: $to) {
  file(path: $path, context: $context, isWhitespaceIgnored: $ignore) { kind additions deletions notCompared
    hunks { oldStart oldLines newStart newLines lines { kind text oldNumber newNumber isUnterminated } } } } }`;

type Contents = { version: { contents: { fileCount: number; size: number; files: { path: string }[] } | null } | null };

/** The code of the first error, whether the client gets the contents of a version, or whether they are null. */
async function accessOf(client: Client, id: string): Promise<string> {
  const { data, errors } = await client.graphqlResult<Contents>(FILES, { id });
  const code = errors?.[0]?.extensions?.code;
  return code === undefined ? (data?.version?.contents ? 'contents' : 'null') : String(code);
}

/** The same of a comparison. */
async function comparisonOf(client: Client, from: string, to: string): Promise<string> {
  const { data, errors } = await client.graphqlResult<{ packageDiff: object | null }>(DIFF, { from, to });
  const code = errors?.[0]?.extensions?.code;
  return code === undefined ? (data?.packageDiff ? 'contents' : 'null') : String(code);
}

describe('the contents of a version', () => {
  it('are its files, by path', async () => {
    const [id = ''] = await versionsWith([{ 'b.js': 'let b;\n', 'icons/a.png': Buffer.from('\0\0') }]);
    const { version } = await author.graphql<Contents>(FILES, { id });
    expect(version?.contents).toMatchObject({
      ...{ fileCount: 3, size: 11 },
      files: [
        { path: 'b.js', size: 7, isText: true, hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
        { path: 'icons/a.png', size: 2, isText: false },
        { path: 'manifest.json', size: 2, isText: true },
      ],
    });
  });

  it('have the text of a file, null for one that is binary or too large, and no file of another path', async () => {
    const large = Array.from({ length: 90_000 }, (_, index) => `${index}\n`).join('');
    const [id = ''] = await versionsWith([{ 'a.js': 'let a;\r\n', 'b.bin': Buffer.from('\0'), 'large.js': large }]);
    const fileOf = async (path: string) =>
      (await author.graphql<{ version: { contents: { file: object } } }>(TEXT, { id, path })).version.contents.file;
    expect(await fileOf('a.js')).toMatchObject({ content: { text: 'let a;\r\n', encoding: 'UTF_8' } });
    expect(await fileOf('b.bin')).toMatchObject({ isText: false, content: null });
    expect(await fileOf('large.js')).toMatchObject({ isText: true, content: null });
    for (const path of ['', 'A.js', '../a.js', '/a.js', 'a.js/', '\0', 'a'.repeat(10_000)]) {
      expect(await fileOf(path), path).toBeNull();
    }
  });

  it.each([
    ['a public version', SIGNED, 'public', { reviewer: 'contents' }],
    ['a version that waits for review', WAITING, 'public', { reviewer: 'contents', stranger: 'NOT_PERMITTED' }],
    ['an unlisted version', UNLISTED, 'public', { unlistedReviewer: 'contents', reviewer: 'NOT_PERMITTED' }],
  ] as const)('are for authors and reviewers of the type and channel: %s', async (_kind, version, status, expected) => {
    const [id = ''] = await versionsWith([{}], { version, status });
    const clients = { author, reviewer, unlistedReviewer, themeReviewer, stranger, anonymous: app.anonymous };
    const other = version === SIGNED ? 'null' : 'NOT_PERMITTED';
    const access: Record<string, string> = {};
    for (const [name, client] of Object.entries(clients)) access[name] = await accessOf(client, id);
    expect(access).toEqual({
      ...{ author: 'contents', reviewer: other, unlistedReviewer: other, themeReviewer: other, stranger: other },
      anonymous: version === SIGNED ? 'null' : 'NOT_AUTHENTICATED',
      ...expected,
    });
  });

  it('have for each line of a formatted text the lines of the file that belong to it', async () => {
    const [id] = await versionsWith([{ 'a.js': '\n\nf();g()\n\nh(1,\n2);\ni()\n\n', 'b.js': 'f();g()\n' }]);
    const query = `query($id: ID!, $path: String!, $isFormatted: Boolean) { version(id: $id) { contents { file(path: $path) {
      content(isFormatted: $isFormatted) { lines { text originLines { first last } } } } } } }`;
    type Line = { text: string; originLines: { first: number; last: number } | null };
    type Shown = { version: { contents: { file: { content: { lines: Line[] } } } } };
    const lines = async (path: string, isFormatted: boolean) =>
      (await author.graphql<Shown>(query, { id, path, isFormatted })).version.contents.file.content.lines.map(
        ({ text, originLines }) => [text.trim(), originLines && [originLines.first, originLines.last]],
      );
    const formatted = (await lines('a.js', true)).filter(([text]) => text !== '');
    expect(formatted).toEqual([
      ['f();', [1, 4]],
      ['g()', null],
      ['h(1,', [5, 5]],
      ['2);', [6, 6]],
      ['i()', [7, 8]],
    ]);
    expect(await lines('b.js', true)).toEqual([
      ['f();', [1, 1]],
      ['g()', null],
    ]);
    expect(await lines('b.js', false)).toEqual([['f();g()', null]]);
  });

  it('have the picture in a file, and whether it is animated', async () => {
    const files = {
      ...{ 'a.gif': await animated('gif'), 'b.webp': await animated('webp') },
      ...{ 'c.png': await png(8, 6), 'd.png': await animated('png') },
    };
    const [id] = await versionsWith([files]);
    const query = `query($id: ID!, $path: String!) { version(id: $id) { contents { file(path: $path) {
      picture { width height copyWidth copyHeight isAnimated } } } } }`;
    const size = { width: 8, height: 6, copyWidth: 8, copyHeight: 6 };
    for (const path of Object.keys(files)) {
      expect(await author.graphql(query, { id, path })).toEqual({
        version: { contents: { file: { picture: { ...size, isAnimated: path !== 'c.png' } } } },
      });
    }
  });

  it('are for every viewer when the version is public and its source, too', async () => {
    const [id = ''] = await versionsWith([{}], { isSourcePublic: true });
    expect(await accessOf(app.anonymous, id)).toBe('contents');
    const [waiting = ''] = await versionsWith([{}], { isSourcePublic: true, version: WAITING });
    expect(await accessOf(stranger, waiting)).toBe('NOT_PERMITTED');
    const [unlisted = ''] = await versionsWith([{}], { isSourcePublic: true, version: UNLISTED });
    expect(await accessOf(stranger, unlisted)).toBe('NOT_PERMITTED');
    const [disabled = ''] = await versionsWith([{}], { isSourcePublic: true, status: 'disabled' });
    expect(await accessOf(stranger, disabled)).not.toBe('contents');
  });

  it('are refused with the reason when an imported package is no valid archive', async () => {
    const [id = ''] = await versionsWith([Buffer.from('no archive')]);
    expect(await accessOf(author, id)).toBe('INVALID_PACKAGE');
  });

  it('are null for a version without a package', async () => {
    const made = await addon({
      authors: [author.accountId ?? 0],
      versions: [{ files: [{}] }],
    });
    expect(await accessOf(author, globalId('Version', made.versions[0]?.id ?? 0))).toBe('null');
  });

  it('take one package in an operation', async () => {
    const [one, other] = await versionsWith([{}, { a: 'a' }]);
    const twice = `query($one: ID!, $other: ID!) { one: version(id: $one) { contents { fileCount } }
      other: version(id: $other) { contents { fileCount } } }`;
    const { errors } = await author.graphqlResult(twice, { one, other });
    expect(errors?.[0]?.extensions?.code).toBe('QUERY_TOO_COMPLEX');
  });
});

describe('the comparison of two versions', () => {
  it('lists the files that differ', async () => {
    const [from = '', to = ''] = await versionsWith([
      { 'a.js': 'a\nb\n', 'gone.js': 'x\n', 'icon.png': Buffer.from('\0') },
      { 'a.js': 'a\nc\nd\n', 'new.js': 'y\n', 'icon.png': Buffer.from('\0\0') },
    ]);
    expect(await reviewer.graphql(DIFF, { from, to })).toEqual({
      packageDiff: {
        ...{ from: { id: from }, to: { id: to } },
        files: [
          { ...both('a.js'), kind: 'MODIFIED', additions: 2, deletions: 1, notCompared: null },
          { ...both('gone.js'), kind: 'DELETED', additions: 0, deletions: 1, notCompared: null, after: null },
          { ...both('icon.png'), kind: 'MODIFIED', additions: null, deletions: null, notCompared: 'BINARY' },
          { ...both('new.js'), kind: 'ADDED', additions: 1, deletions: 0, notCompared: null, before: null },
        ],
      },
    });
  });

  it('has the lines of a file, with as many equal lines around them as are asked for', async () => {
    const [from = '', to = ''] = await versionsWith([{ 'a.js': 'a\nb\nc\n  d\n' }, { 'a.js': 'a\nb\nC\nd' }]);
    const linesOf = async (args: object) =>
      (await author.graphql<{ packageDiff: { file: object | null } }>(LINES, { from, to, path: 'a.js', ...args }))
        .packageDiff.file;
    expect(await linesOf({ context: 1 })).toMatchObject({
      ...{ kind: 'MODIFIED', additions: 2, deletions: 2, notCompared: null },
      hunks: [
        {
          ...{ oldStart: 2, oldLines: 3, newStart: 2, newLines: 3 },
          lines: [
            { kind: 'CONTEXT', text: 'b', oldNumber: 2, newNumber: 2 },
            { kind: 'DELETED', text: 'c', oldNumber: 3, newNumber: null },
            { kind: 'DELETED', text: '  d', oldNumber: 4, newNumber: null, isUnterminated: false },
            { kind: 'ADDED', text: 'C', oldNumber: null, newNumber: 3 },
            { kind: 'ADDED', text: 'd', oldNumber: null, newNumber: 4, isUnterminated: true },
          ],
        },
      ],
    });
    expect(await linesOf({})).toMatchObject({ hunks: [{ oldStart: 1, oldLines: 4 }] });
    expect(await linesOf({ path: 'manifest.json' })).toBeNull();
    expect(await linesOf({ path: 'absent' })).toBeNull();
  });

  it.each([-1, 100_001])('refuses %i lines of context', async (context) => {
    const [from = '', to = ''] = await versionsWith([{ 'a.js': 'a' }, { 'a.js': 'b' }]);
    const { errors } = await author.graphqlResult(LINES, { from, to, path: 'a.js', context });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  it('is refused unless the viewer may read both packages', async () => {
    const [open = ''] = await versionsWith([{}], { isSourcePublic: true });
    const [closed = ''] = await versionsWith([{ a: 'a' }]);
    const [unlisted = ''] = await versionsWith([{ a: 'b' }], { version: UNLISTED });
    const outcomes: Record<string, string> = {
      ...{
        ofStranger: await comparisonOf(stranger, open, closed),
        reversed: await comparisonOf(stranger, closed, open),
      },
      ...{
        anonymous: await comparisonOf(app.anonymous, open, closed),
        own: await comparisonOf(author, open, unlisted),
      },
      ...{ listed: await comparisonOf(reviewer, open, closed), other: await comparisonOf(reviewer, open, unlisted) },
      ...{ open: await comparisonOf(app.anonymous, open, open) },
    };
    expect(outcomes).toEqual({
      ...{ ofStranger: 'NOT_PERMITTED', reversed: 'NOT_PERMITTED', anonymous: 'NOT_AUTHENTICATED', own: 'contents' },
      ...{ listed: 'contents', other: 'NOT_PERMITTED', open: 'contents' },
    });
  });

  it.each(['x', globalId('Addon', 1), globalId('Version', 2_000_000_000)])(
    'refuses an id of no version: %s',
    async (to) => {
      const [from = ''] = await versionsWith([{}]);
      expect(await comparisonOf(author, from, to)).toMatch(/^(BAD_USER_INPUT|NOT_FOUND)$/);
    },
  );

  it('takes the same number of statements for any number of files', async () => {
    const many = (text: string) => Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.js`, text]));
    const [from = '', to = ''] = await versionsWith([many('a\n'), many('b\n')]);
    const [first = '', second = ''] = await versionsWith([{ 'a.js': 'a\n' }, { 'a.js': 'b\n' }]);
    const statements = async (one: string, other: string) =>
      (await statementsDuring(() => author.graphql(DIFF, { from: one, to: other }))).length;
    expect(await statements(from, to)).toBe(await statements(first, second));
  });
});

const both = (path: string) => ({ path, before: { path }, after: { path } });

it('an upload of a real package can be read while it waits for review', async () => {
  const bytes = await xpi({ guid: 'real@code.test', version: '1.0' });
  const [id = ''] = await versionsWith([bytes], { version: WAITING });
  const { version } = await reviewer.graphql<Contents>(FILES, { id });
  expect(version?.contents?.files.map(({ path }) => path)).toEqual(['background.js', 'manifest.json']);
});
