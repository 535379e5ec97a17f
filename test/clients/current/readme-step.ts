import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runProgram } from '../client.ts';
import { isPublished, succeeded } from './checks.ts';
import { type Lane, newFolder, type Scenario } from './lane.ts';

const README = join(import.meta.dirname, '../../../README.md');

/** The step of the README that needs a tool from the package registry. */
export const readmeScenarios: Scenario[] = [{ name: 'runs the step of the README', run: readmeStep }];

async function readmeStep(lane: Lane): Promise<void> {
  const { site, program } = lane;
  const clone = await newFolder(lane, 'clone');
  // npx finds the installed version here; it may not download another.
  await symlink(join(dirname(program), '../..'), join(clone, 'node_modules'));
  await mkdir(join(clone, 'var'));
  await writeFile(join(clone, 'var/key.json'), JSON.stringify({ key: site.key, secret: site.secret }));
  const outcome = await runProgram('bash', ['-ec', await script()], {
    cwd: clone,
    settings: { BASE_URL: site.url, npm_config_offline: 'true' },
  });
  succeeded(outcome, 'Signed xpi downloaded');
  const saved = (await readdir(join(clone, 'var'))).filter((name) => name.endsWith('.xpi'));
  const id = await readFile(join(clone, 'var/first/.web-extension-id'), 'utf8');
  const guid = id.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? '';
  assert.equal(saved.length, 1);
  const path = join(clone, 'var', saved[0] ?? '');
  await isPublished(lane, path, guid, '1.0');
  await site.run('verify', path, '--id', guid);
}

/** The block that writes the sources of the first add-on, without the commands of the service, and the block of web-ext. */
async function script(): Promise<string> {
  const text = await readFile(README, 'utf8');
  const blocks = [...text.matchAll(/^```(?:bash|sh)\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const sources = blocks.find((block) => block.includes('manifest.json')) ?? '';
  const own = sources.split('\n').filter((line) => !line.startsWith('npx addons'));
  const sign = blocks.filter((block) => block.includes('web-ext'));
  assert.equal(sign.length, 1, 'the README has one block with web-ext');
  return [...own, ...sign].join('\n');
}
