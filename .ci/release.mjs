/*
 * Makes a release of the checked-out commit: `npm run release -- 0.2.0`. Runs .ci/run, names the version in package.json and the lock
 * file, turns the section "Unreleased" of CHANGELOG.md into that of the version, keeps the public GraphQL schema as the baseline of the
 * next release, commits and tags. It pushes nothing. `--checked` leaves .ci/run out, for a commit that has passed it elsewhere.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { checked: { type: 'boolean', default: false } },
});
const [version = ''] = positionals;

function fail(reason) {
  console.error(`release: ${reason}`);
  process.exit(1);
}

/** Runs a command and returns its output; ends this program if the command fails. */
function run(command, words, stdio = ['ignore', 'pipe', 'inherit']) {
  const { status, stdout, error } = spawnSync(command, words, { stdio, encoding: 'utf8' });
  if (error !== undefined || status !== 0) fail(`${[command, ...words].join(' ')} failed.`);
  return (stdout ?? '').trim();
}

const numbersOf = (text) => text.split('.').map(Number);

/** Semantic versions of three numbers. */
function isAfter(later, earlier) {
  const [a, b] = [numbersOf(later), numbersOf(earlier)];
  const place = a.findIndex((number, index) => number !== b[index]);
  return place !== -1 && a[place] > b[place];
}

if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(version)) fail('name a version of three numbers, such as 0.2.0.');
const packageFile = JSON.parse(readFileSync('package.json', 'utf8'));
const tags = run('git', ['tag', '--list', 'v*']).split('\n').filter(Boolean);
if (tags.includes(`v${version}`)) fail(`v${version} exists.`);
const isFirst = tags.length === 0;
if (!isAfter(version, packageFile.version) && !(isFirst && version === packageFile.version))
  fail(`${version} is not after ${packageFile.version}.`);
if (run('git', ['status', '--porcelain']) !== '') fail('commit all changes first.');

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const [before, rest] = changelog.split('## [Unreleased]\n');
if (rest === undefined) fail('CHANGELOG.md has no section "## [Unreleased]".');
if (/^\s*(##\s|$)/.test(rest)) fail('the section "Unreleased" of CHANGELOG.md is empty.');

if (!options.checked) run('.ci/run', [], 'inherit');

const day = new Date().toISOString().slice(0, 10);
writeFileSync('CHANGELOG.md', `${before}## [Unreleased]\n\n## [${version}] - ${day}\n${rest}`);
if (version !== packageFile.version) run('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts']);
copyFileSync('schema/schema.graphql', 'schema/baseline.graphql');
run('git', ['add', 'CHANGELOG.md', 'package.json', 'package-lock.json', 'schema/baseline.graphql']);
run('git', ['commit', '--quiet', '--message', `release: ${version}`]);
run('git', ['tag', '--annotate', `v${version}`, '--message', version]);
console.log(`Tagged v${version}. Publish it: git push --follow-tags`);
