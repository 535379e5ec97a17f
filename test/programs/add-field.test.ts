/* docs/contributing.md, "Add a field to the add-on": its files are all that a field of the listing takes. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FIELD = join(ROOT, 'test/support/added-field');
const MOST_FILES = 6;
const COPIED = 'src prisma schema test docs .config package.json package-lock.json codegen.yml tsconfig.json'.split(
  ' ',
);

let folder: string;

/** Runs a command in the copy. @throws {Error} with what a failing one printed. */
async function run(command: string, ...words: string[]): Promise<void> {
  const path = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, VITEST: undefined };
  await promisify(execFile)(command, words, { cwd: folder, env }).catch(({ stdout, stderr }) => {
    throw new Error(`${command} ${words.join(' ')} failed:\n${stdout}${stderr}`);
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'add-field-test-'));
  for (const name of COPIED) {
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a field of the listing', () => {
  it(`takes ${MOST_FILES} files, and is in GraphQL, API v5, the developer hub, import and export`, async () => {
    const patch = await readFile(join(FIELD, 'support-phone.patch'), 'utf8');
    const files = [...patch.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path);
    expect(files.length).toBeLessThanOrEqual(MOST_FILES);
    const guide = await readFile(join(ROOT, 'docs/contributing.md'), 'utf8');
    const named = files.filter((path) => !path.includes('/migrations/')).map((path) => basename(path));
    expect(named.filter((name) => !guide.includes(name))).toEqual([]);

    await run('git', 'apply', join(FIELD, 'support-phone.patch'));
    await run('npm', 'run', 'generate:schema');
    await run('npm', 'run', 'generate');
    await run('npm', 'run', 'generate:docs');
    const test = 'test/support/added-field/support-phone.test.ts';
    await cp(join(FIELD, 'support-phone.ts'), join(folder, test));
    await run('vitest', 'run', '--config', '.config/vitest.config.ts', test);
  });
});
