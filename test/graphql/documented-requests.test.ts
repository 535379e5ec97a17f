import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { findProgram } from '../support/find-program.ts';
import { xpi } from '../support/packages.ts';

const hasPrograms = (await findProgram('bash')) !== null && (await findProgram('curl')) !== null;
const text = await readFile(join(import.meta.dirname, '../../docs/graphql.md'), 'utf8');
const [viewer = '', upload = '', subscription = '', persisted = '', ...others] = [
  ...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm),
].map(([, script = '']) => script);

let app: TestApp;
let folder: string;
let token: string;
let username: string;
beforeAll(async () => {
  app = await startApp();
  folder = await mkdtemp(join(tmpdir(), 'documented-requests-'));
  const developer = await app.developer();
  ({ username } = (await developer.graphql<{ viewer: { username: string } }>('{ viewer { username } }')).viewer);
  const { createAccessTokenFor } = await import('../../src/domain/accounts/administration.ts');
  ({ token } = await createAccessTokenFor({ username }));
  await writeFile(join(folder, 'addon.xpi'), await xpi({ guid: 'documented@example.org', version: '1.0' }));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs an example against the service of this test. Returns what it prints. */
async function run(script: string, variables: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, TOKEN: token, ...variables };
  const address = app.url.replace('http://', '');
  const child = spawn('bash', ['-ec', script.replace('localhost:3000', address)], { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  expect(code, output).toBe(0);
  return output;
}

describe.skipIf(!hasPrograms)('the curl examples of docs/graphql.md (skipped: no bash or no curl)', () => {
  it('are four, each of which runs below', () => {
    expect([viewer, upload, subscription, persisted].filter((script) => !script.startsWith('curl '))).toEqual([]);
    expect(others).toEqual([]);
  });

  it('query the viewer, who is null without credentials', async () => {
    expect(JSON.parse(await run(viewer))).toEqual({ data: { viewer: null } });
  });

  it('upload a package, and receive its stages until the last one', async () => {
    const { data } = JSON.parse(await run(upload)) as { data: { submitAddon: { upload: { id: string } } } };
    const { id } = data.submitAddon.upload;
    const events = run(subscription, { ID: id });
    await app.runJobs();
    expect(await events).toMatch(/event: next\ndata: .*"stage":"SIGNED"[\s\S]*event: complete/);
  });

  it('send the hash of a persisted operation', async () => {
    expect(JSON.parse(await run(persisted))).toMatchObject({ data: { viewer: { username } } });
  });
});
