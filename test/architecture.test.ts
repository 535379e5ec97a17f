import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVALUATED_ONCE } from './support/evaluated-once.ts';
import { cyclesOf, type Import, isIn, ROOT, reachableFrom, readSources, type Source } from './support/sources.ts';

const LONGEST_FILE = 300;
/** Tables of texts, one entry a line. */
const TABLES = /^src\/texts\/\w+\.\w+\.ts$/;

const program = [...readSources('src'), ...readSources('prisma')];
const tests = [...readSources('test'), ...(existsSync(join(ROOT, 'bench')) ? readSources('bench') : [])];

/** What every folder may import. */
const COMMON = ['src/errors.ts', 'src/texts/', 'src/package/manifest/identity.ts'];

/** What REST and pages may import. */
const SERVING = (
  'auth/outgoing-links auth/viewer config domain/listing/declared-fields domain/listing/fields ' +
  'domain/versions/download-counts domain/versions/fields execution/endpoint execution/execute ' +
  'generated/operations/graphql graphql/context graphql/references infra/database-errors package/enums'
)
  .split(' ')
  .map((name) => `src/${name}.ts`)
  .concat('src/http/', 'src/infra/staging/');

/** A page whose table has the values of all layers, which no folder's rule covers. */
const OF_ALL_LAYERS = 'src/pages/docs/service-limits.ts';

/** The folders (with a trailing slash) and files that each folder may import, in addition to itself and to `COMMON`. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'src/package/': ['src/config.ts', 'src/infra/process-pool/', 'src/infra/signer/signer.ts'],
  'src/settings/': [],
  'src/infra/': ['src/config.ts', 'src/generated/prisma/client.ts'],
  'src/auth/': ['src/config.ts', 'src/infra/', 'src/package/enums.ts'],
  'src/domain/': [
    'src/graphql/',
    'src/auth/',
    'src/jobs/tasks.ts',
    'src/infra/',
    'src/package/',
    'src/config.ts',
    'src/generated/prisma/client.ts',
  ],
  'src/graphql/': 'auth/ config.ts generated/ infra/ package/enums.ts'.split(' ').map((path) => `src/${path}`),
  'src/execution/': 'auth/ config.ts domain/ generated/ graphql/ http/ infra/'.split(' ').map((path) => `src/${path}`),
  'src/rest/': [
    ...SERVING,
    ...['authenticate', 'permissions', 'used-nonces'].map((name) => `src/auth/${name}.ts`),
    ...['addons/wrap-links', 'search/search-engine'].map((name) => `src/domain/${name}.ts`),
    ...['int4', 'rate-limits', 'read-only'].map((name) => `src/infra/${name}.ts`),
  ],
  'src/pages/': [
    ...SERVING,
    ...['next-path', 'operator-permissions', 'page-session', 'recent-sign-in', 'review-permissions'].map(
      (name) => `src/auth/${name}.ts`,
    ),
    ...['graphql/global-id', 'infra/sent-forms', 'rest/openapi'].map((name) => `src/${name}.ts`),
  ],
  'src/jobs/': ['src/config.ts', 'src/infra/'],
  'src/http/': ['src/auth/', 'src/config.ts', 'src/infra/', 'src/package/enums.ts'],
};

/**
 * The folders of each folder, lowest first: a folder imports only from those above it in this list, so no two folders import each other.
 * Files that are in none of them may import all.
 */
const ORDERS: Readonly<Record<string, string>> = {
  'src/domain/':
    'activity mail accounts groups sessions addons maintenance search listing sources versions ratings code updates discovery collections ' +
    'pictures profiles transfer statistics signature-log signing validation uploads publishing webhooks submission reviewing hub abuse curation reference operation staff admission',
  'src/domain/search/': 'analysis index query postgres/plan postgres/rank postgres postgres/maintain elasticsearch',
};

/** Imports that are allowed for these files only. */
const ONLY_BY: Readonly<Record<string, readonly string[]>> = {
  'src/infra/db.ts': [
    'src/domain/',
    'src/auth/',
    'src/graphql/',
    'src/jobs/',
    'src/infra/',
    'src/handlers/health.ts',
    'src/process/',
    'src/demo/',
    'src/commands/',
  ],
  'src/execution/schema.ts': ['src/execution/'],
  'src/execution/server.ts': ['src/app.ts'],
};

const violations = (breaks: (source: Source, imported: Import) => boolean) =>
  program.flatMap((source) =>
    source.imports.filter((imported) => breaks(source, imported)).map(({ target }) => `${source.path} → ${target}`),
  );

describe('imports', () => {
  it('are found', () => {
    expect(program.length).toBeGreaterThan(100);
    const server = program.find(({ path }) => path === 'src/execution/server.ts');
    expect(server?.imports.map(({ target }) => target)).toEqual(
      expect.arrayContaining(['graphql', 'src/auth/authenticate.ts', 'src/execution/yoga.ts']),
    );
  });

  it.each(Object.entries(ALLOWED))('of %s are allowed', (folder, allowed) => {
    const outside = violations(
      ({ path }, { kind, target }) =>
        kind === 'file' &&
        path !== OF_ALL_LAYERS &&
        path.startsWith(folder) &&
        !target.startsWith(folder) &&
        !isIn(target, [...COMMON, ...allowed]),
    );
    expect(outside).toEqual([]);
  });

  it.each(Object.entries(ORDERS))('between the folders of %s follow their order', (root, folders) => {
    const order = folders.split(' ');
    const deepestFirst = order.toSorted((one, other) => other.length - one.length);
    const folderOf = (path: string) => deepestFirst.find((folder) => path.startsWith(`${root}${folder}/`));
    const inside = program.filter(({ path }) => path.startsWith(root)).map(({ path }) => path);
    expect(order.filter((folder) => !inside.some((path) => folderOf(path) === folder))).toEqual([]);
    expect(inside.filter((path) => path.slice(root.length).includes('/') && !folderOf(path))).toEqual([]);
    const rank = (path: string) => [...order, undefined].indexOf(folderOf(path));
    const upward = violations(
      ({ path }, { target }) => path.startsWith(root) && target.startsWith(root) && rank(target) > rank(path),
    );
    expect(upward).toEqual([]);
  });

  it('of src exclude prisma/', () => {
    expect(violations(({ path }, { target }) => path.startsWith('src/') && target.startsWith('prisma/'))).toEqual([]);
  });

  it('of the generated Prisma client are in src/infra/db.ts, elsewhere for types only', () => {
    const others = violations(
      ({ path }, { target, typeOnly }) =>
        target.startsWith('src/generated/prisma/') && path !== 'src/infra/db.ts' && !typeOnly,
    );
    expect(others).toEqual([]);
  });

  it.each(Object.entries(ONLY_BY))('of %s are in the listed files only', (file, places) => {
    expect(violations(({ path }, { target }) => target === file && !isIn(path, places))).toEqual([]);
  });

  it('have no cycles, imports of types included', () => {
    const importOf = (target: string): Import => ({ target, kind: 'file', typeOnly: true, dynamic: false });
    const pair = ['ab', 'ba'].map(([path = '', target = '']) => ({ path, text: '', imports: [importOf(target)] }));
    expect(cyclesOf(pair)).toEqual(['a → b → a']);
    expect(cyclesOf(program)).toEqual([]);
  });

  it('of modules that tests evaluate once in a process stay among these', () => {
    const isOnce = (path: string) => EVALUATED_ONCE.some((place) => path.startsWith(place));
    expect(program.filter(({ path }) => isOnce(path)).length).toBeGreaterThan(40);
    const leaving = violations(
      ({ path }, { target, typeOnly }) => isOnce(path) && target.startsWith('src/') && !isOnce(target) && !typeOnly,
    );
    expect(leaving).toEqual([]);
  });

  it('of src/execution/schema.ts reach every file that declares a part of the schema', () => {
    const reached = reachableFrom('src/execution/schema.ts', program);
    const declaring = program.filter(
      ({ path, text }) => path.startsWith('src/domain/') && /^\s*builder[.\s]/m.test(text),
    );
    expect(declaring.length).toBeGreaterThan(10);
    expect(declaring.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });

  it('of the second implementation of signatures are nothing that signs, and no ASN.1 or CBOR library', () => {
    const verify = 'src/package/signing/verify/';
    const outside = program
      .filter(({ path }) => path.startsWith(verify))
      .flatMap(({ imports }) => imports.map(({ target }) => target))
      .filter((target) => !target.startsWith(verify) && !target.startsWith('node:'));
    const zip = ['read-zip', 'zip-archive'].map((name) => `src/package/zip/${name}.ts`);
    expect([...new Set(outside)].sort()).toEqual(['src/errors.ts', ...zip]);
  });

  it('of the web process reach no code that unpacks packages or archives, which would block its event loop', () => {
    const reached = reachableFrom('src/app.ts', program);
    expect(reached).toContain('src/domain/submission/accept-upload.ts');
    const unpacking = /^src\/package\/(zip\/(read|verify|entry)-|source\/(list-|bzip2))|read-package\.ts$/;
    expect([...reached].filter((path) => unpacking.test(path))).toEqual([]);
  });

  it('of files name existing files', () => {
    const missing = [...program, ...tests].flatMap(({ path, imports }) =>
      imports
        .filter(({ kind, target }) => kind === 'file' && !existsSync(join(ROOT, target)))
        .map(({ target }) => `${path} → ${target}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the sources', () => {
  it('read the environment in src/config.ts only', () => {
    const readers = program.filter(({ text }) => /process\.env\b/.test(text));
    expect(readers.map(({ path }) => path)).toEqual(['src/config.ts']);
  });

  it('are in folders, except five files of src', () => {
    const files = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name).sort()).toEqual(['addons.js', 'app.ts', 'cli.ts', 'config.ts', 'errors.ts']);
  });

  it(`have at most ${LONGEST_FILE} lines in a file`, () => {
    const isLong = ({ path, text }: Source) => !TABLES.test(path) && text.split('\n').length - 1 > LONGEST_FILE;
    expect([...program, ...tests].filter(isLong).map(({ path }) => path)).toEqual([]);
  });

  it('have no barrels: files export only what they define', () => {
    const barrels = program.filter(({ text }) => /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s*from\s/m.test(text));
    expect(barrels.map(({ path }) => path)).toEqual([]);
    expect(program.map(({ path }) => path).filter((path) => path.endsWith('/index.ts'))).toEqual([
      'src/rest/routes/index.ts',
    ]);
  });

  it('have names in kebab-case', () => {
    expect([...program, ...tests].map(({ path }) => path).filter((path) => !/^[a-z0-9/.-]+$/.test(path))).toEqual([]);
  });

  it('build no operation at run time: REST and pages execute generated documents', () => {
    const callers = program.filter(({ path }) => /^src\/(rest|pages)\//.test(path));
    const built = callers.filter(({ text }) => /new TypedDocumentString|\bexecute\(\s*[`'"]/.test(text));
    expect(built.map(({ path }) => path)).toEqual([]);
  });

  it('decide permissions in the files of permission rules only', () => {
    const deciders = program.filter(({ text }) => /\b(?:hasPermission|holds)\(|\bviewer\.rules\b/.test(text));
    const names = 'account-permissions addon-rights operator-permissions permissions review-permissions'.split(' ');
    expect(deciders.map(({ path }) => path)).toEqual(names.map((name) => `src/auth/${name}.ts`));
  });

  it('do not suppress errors of the compiler or the linter', () => {
    const silenced = [...program, ...tests].filter(({ text }) =>
      /@ts-(ignore|nocheck|expect-error)|biome-ignore/.test(text),
    );
    expect(silenced.map(({ path }) => path)).toEqual(['test/architecture.test.ts']);
  });
});
