import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

let folder: string;

/** Runs a command in the repository of the test; a failure is its status and output. */
async function inRepository(command: string, ...words: string[]): Promise<{ status: number; output: string }> {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  try {
    const { stdout, stderr } = await run(command, words, { cwd: folder, env });
    return { status: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { status: code, output: stdout + stderr };
  }
}

const git = (...words: string[]) => inRepository('git', ...words);
const release = (...words: string[]) => inRepository(process.execPath, '.ci/release.mjs', ...words);
const readText = (name: string) => readFile(join(folder, name), 'utf8');

async function commit(changelog: string): Promise<void> {
  await writeFile(join(folder, 'CHANGELOG.md'), changelog);
  await git('add', '.');
  await git('commit', '--message', 'a change');
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-test-'));
  await mkdir(join(folder, '.ci'));
  await mkdir(join(folder, 'schema'));
  await copyFile(join(ROOT, '.ci/release.mjs'), join(folder, '.ci/release.mjs'));
  const description = { name: 'service', version: '0.1.0' };
  await writeFile(join(folder, 'package.json'), JSON.stringify(description));
  await writeFile(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...description, lockfileVersion: 3, packages: {} }),
  );
  await writeFile(join(folder, 'schema/schema.graphql'), 'type Query { a: Int }\n');
  await git('init', '--initial-branch', 'main');
  await git('config', 'user.name', 'Release test');
  await git('config', 'user.email', 'release@addons.example');
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('npm run release', () => {
  it('sets the version, dates the changelog, keeps the schema as the baseline, commits and tags', async () => {
    await commit('# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A page.\n');

    expect(await release('0.1.0', '--checked')).toMatchObject({ status: 0 });

    expect(await readText('CHANGELOG.md')).toMatch(
      /## \[Unreleased\]\n\n## \[0\.1\.0\] - \d{4}-\d\d-\d\d\n\n### Added/,
    );
    expect(await readText('schema/baseline.graphql')).toBe('type Query { a: Int }\n');
    expect((await git('tag', '--points-at', 'HEAD')).output).toBe('v0.1.0\n');

    await commit('# Changelog\n\n## [Unreleased]\n\n- Another page.\n');
    expect(await release('0.2.0', '--checked')).toMatchObject({ status: 0 });

    expect(JSON.parse(await readText('package.json'))).toMatchObject({ version: '0.2.0' });
    expect(JSON.parse(await readText('package-lock.json'))).toMatchObject({ version: '0.2.0' });
    expect(await git('status', '--porcelain')).toEqual({ status: 0, output: '' });
  });

  it.each([
    ['no version', [], 'name a version'],
    ['a version that is no number', ['next'], 'name a version'],
    ['an earlier version', ['0.0.9'], 'is not after 0.1.0'],
    ['a commit that does not pass .ci/run', ['0.2.0'], '.ci/run'],
  ])('changes nothing with %s', async (_case, words, problem) => {
    await commit('# Changelog\n\n## [Unreleased]\n\n- A page.\n');

    const { status, output } = await release(...words);

    expect({ status, named: output.includes(problem) }, output).toEqual({ status: 1, named: true });
    expect(await git('status', '--porcelain')).toEqual({ status: 0, output: '' });
    expect((await git('tag')).output).toBe('');
  });

  it('refuses an empty section of the changelog and changes that are not committed', async () => {
    await commit('# Changelog\n\n## [Unreleased]\n\n## [0.1.0]\n');
    expect((await release('0.2.0', '--checked')).output).toContain('is empty');

    await commit('# Changelog\n\n## [Unreleased]\n\n- A page.\n');
    await writeFile(join(folder, 'note.txt'), 'not committed');
    expect((await release('0.2.0', '--checked')).output).toContain('commit all changes');
  });
});
