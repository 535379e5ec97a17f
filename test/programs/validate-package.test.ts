import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createValidator, type Validator } from '../../src/package/validation/validate-package.ts';
import { heavyScript, writeExtension, writePackage } from '../package/validation/sample-packages.ts';

const EXTENSION = { type: 'extension', format: 'webextension', listed: false } as const;
const SECRET = '0123456789abcdef'.repeat(4);

let folder: string;
let good: string;
let heavy: string;
let validator: Validator;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'validation-test-'));
  good = await writeExtension(join(folder, 'good.xpi'), 'console.log("hello");\n');
  heavy = await writeExtension(join(folder, 'heavy.xpi'), heavyScript());
  validator = createValidator({ folder });
});

afterAll(async () => {
  await validator.close();
  expect((await readdir(folder)).filter((name) => name.startsWith('package-linter-'))).toEqual([]);
  await rm(folder, { recursive: true });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('validating a package', () => {
  it('passes a package without errors, with results in the documented shape', async () => {
    const validation = await validator.validate(good, EXTENSION);

    expect(validation.outcome).toBe('passed');
    expect(validation.results).toMatchObject({
      success: true,
      errors: 0,
      warnings: 1,
      notices: 0,
      compatibility_summary: { errors: 0, warnings: 0, notices: 0 },
      metadata: {
        listed: false,
        is_webextension: true,
        processed_by_addons_linter: true,
        identified_files: {},
        id: 'sample@addons.example',
        version: '1.0',
      },
      message_tree: {},
      detected_type: 'extension',
      ending_tier: 5,
    });
    expect(validation.results.messages).toEqual([
      {
        id: ['MISSING_DATA_COLLECTION_PERMISSIONS'],
        type: 'warning',
        message: expect.any(String),
        description: expect.any(String),
        tier: 1,
        uid: expect.stringMatching(/^[0-9a-f]{32}$/),
        compatibility_type: null,
        file: 'manifest.json',
        line: null,
        column: null,
      },
    ]);
  });

  it('fails a package with errors, with file, line and column of each', async () => {
    const path = await writeExtension(join(folder, 'broken.xpi'), 'const a = 1;\nconst b = ;\n');

    const { outcome, results } = await validator.validate(path, EXTENSION);

    expect(outcome).toBe('failed');
    expect(results).toMatchObject({ success: false, errors: 1 });
    expect(results.messages[0]).toMatchObject({
      id: ['JS_SYNTAX_ERROR'],
      type: 'error',
      file: 'script.js',
      line: 2,
      column: 11,
    });
  });

  it('applies the rules of listed add-ons to listed add-ons only', async () => {
    const gecko = { id: 'sample@addons.example', update_url: 'https://updates.example/updates.json' };
    const path = await writeExtension(join(folder, 'self-updating.xpi'), '', {
      browser_specific_settings: { gecko },
    });

    expect((await validator.validate(path, EXTENSION)).outcome).toBe('passed');
    const listed = await validator.validate(path, { ...EXTENSION, listed: true });

    expect(listed.outcome).toBe('failed');
    expect(listed.results.metadata.listed).toBe(true);
    expect(listed.results.messages.map(({ id }) => id)).toContainEqual(['MANIFEST_UPDATE_URL']);
  });

  it.each(['install-rdf', 'opensearch'] as const)('warns about %s packages instead of linting them', async (format) => {
    const { outcome, results } = await validator.validate(good, { type: 'search', format, listed: false });

    expect(outcome).toBe('passed');
    expect(results).toMatchObject({
      success: true,
      errors: 0,
      warnings: 1,
      detected_type: 'search',
      metadata: { is_webextension: false, processed_by_addons_linter: false },
    });
    expect(results.messages.map(({ id }) => id.at(-1))).toEqual(['legacy_package']);
  });

  it('fails a package that contains an API secret of its uploader, without showing the secret', async () => {
    const files = { 'lib/keys.txt': `key: ${SECRET}`, 'clean.txt': 'nothing here' };
    const path = await writePackage(join(folder, 'secret.xpi'), files);
    const request = { type: 'extension', format: 'install-rdf', listed: false } as const;

    const found = await validator.validate(path, { ...request, apiSecrets: ['f'.repeat(64), SECRET] });
    const others = await validator.validate(path, { ...request, apiSecrets: ['f'.repeat(64), ''] });

    expect(found).toMatchObject({ outcome: 'failed', results: { success: false, errors: 1 } });
    expect(found.results.messages[0]).toMatchObject({
      id: ['validation', 'messages', 'api_key_in_package'],
      type: 'error',
      file: 'lib/keys.txt',
    });
    expect(JSON.stringify(found)).not.toContain(SECRET);
    expect(others.outcome).toBe('passed');
  });

  it('finds a secret in an OpenSearch file, which is not an archive', async () => {
    const path = join(folder, 'engine.xml');
    await writeFile(path, `<OpenSearchDescription><!-- ${SECRET} --></OpenSearchDescription>`);

    const request = { type: 'search', format: 'opensearch', listed: true, apiSecrets: [SECRET] } as const;
    expect((await validator.validate(path, request)).results.messages[0]?.file).toBe('engine.xml');
  });

  it('returns "error" for a package that cannot be read', async () => {
    const missing = await validator.validate(join(folder, 'missing.xpi'), EXTENSION);
    const unsearchable = await validator.validate(join(folder, 'missing.xpi'), {
      ...EXTENSION,
      format: 'install-rdf',
      apiSecrets: [SECRET],
    });

    expect(missing).toMatchObject({ outcome: 'error', reason: 'unavailable' });
    expect(unsearchable).toMatchObject({ outcome: 'error', reason: 'unavailable' });
  });
});

describe('the linter processes', () => {
  it('do not exceed the limit, and are reused', async () => {
    const used = new Set<number>();
    const watch = setInterval(() => {
      for (const pid of validator.pool.pids()) used.add(pid);
    }, 5);
    await validator.warm();
    const runs = await Promise.all(Array.from({ length: 8 }, () => validator.validate(good, EXTENSION)));
    clearInterval(watch);

    expect(runs.map(({ outcome }) => outcome)).toEqual(Array(8).fill('passed'));
    expect(used.size).toBe(2);
    expect(new Set(validator.pool.pids())).toEqual(used);
  });

  it('have no settings of the service in their environment, and no network if the machine supports that', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://canary@127.0.0.1/canary');
    const fresh = createValidator({ folder, concurrency: 1 });
    await fresh.warm();
    vi.unstubAllEnvs();
    const [pid] = fresh.pool.pids();
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    const names = environment.split('\0').map((line) => line.split('=')[0]);
    const ownNetwork = (await readlink(`/proc/${pid}/ns/net`)) !== (await readlink('/proc/self/ns/net'));
    const { network } = await fresh.pool.isolation();
    await fresh.close();

    expect(environment).not.toContain('canary');
    const shell = ['PWD', 'OLDPWD', 'SHLVL', '_'];
    const ipc = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'];
    expect(names.filter((name) => name && ![...shell, ...ipc].includes(name)).sort()).toEqual([
      'HOME',
      'PATH',
      'TMPDIR',
    ]);
    expect(ownNetwork).toBe(network === 'none');
  });

  it('are replaced when killed, and their package gets "error"', async () => {
    await validator.warm();
    const before = validator.pool.pids();
    const running = [validator.validate(heavy, EXTENSION), validator.validate(heavy, EXTENSION)];
    await sleep(50);
    for (const pid of before) process.kill(pid, 'SIGKILL');

    for (const validation of await Promise.all(running)) {
      expect(validation).toMatchObject({ outcome: 'error', reason: 'crash', results: { success: false, errors: 1 } });
      expect(validation.results.messages).toMatchObject([
        { id: ['validator', 'unexpected_exception'], message: "Sorry, we couldn't load your WebExtension." },
      ]);
    }
    expect((await validator.validate(good, EXTENSION)).outcome).toBe('passed');
    expect(validator.pool.pids().filter((pid) => before.includes(pid))).toEqual([]);
  });

  it.each([
    ['by the clock', { wallMs: 100 }],
    ['of processor time', { processorMs: 100 }],
  ])('are killed if a package takes too long %s', async (_kind, limits) => {
    const impatient = createValidator({ folder, concurrency: 1, ...limits });
    await impatient.warm();
    const [pid = 0] = impatient.pool.pids();

    expect(await impatient.validate(heavy, EXTENSION)).toMatchObject({ outcome: 'error', reason: 'timeout' });
    await impatient.close();
    expect(isRunning(pid)).toBe(false);
  });

  it.each([
    ['heap', { heapMb: 128 }],
    ['memory outside the heap', { rssMb: 450 }],
  ])('are ended if a package needs too much %s', async (_kind, limits) => {
    const small = createValidator({ folder, concurrency: 1, ...limits });

    expect(await small.validate(heavy, EXTENSION)).toMatchObject({ outcome: 'error', reason: 'memory' });
    await small.close();
  });

  it('are replaced after a number of packages', async () => {
    const brief = createValidator({ folder, concurrency: 1, runsPerProcess: 1 });
    await brief.warm();
    const first = brief.pool.pids();
    await brief.validate(good, EXTENSION);
    await brief.validate(good, EXTENSION);

    expect(brief.pool.pids()).not.toEqual(first);
    await brief.close();
  });

  it('end when the pool is closed, and running and waiting packages get "error"', async () => {
    const closing = createValidator({ folder, concurrency: 1 });
    await closing.warm();
    const runs = [closing.validate(heavy, EXTENSION), closing.validate(heavy, EXTENSION)];
    await sleep(20);
    await closing.close();
    runs.push(closing.validate(good, EXTENSION));

    for (const run of await Promise.all(runs)) expect(run).toMatchObject({ outcome: 'error', reason: 'unavailable' });
    expect(closing.pool.pids()).toEqual([]);
  });

  it('end with their parent when it is killed, busy or idle, and the next pool removes their folders', async () => {
    const script = fileURLToPath(new URL('../package/validation/abandoned-pool.ts', import.meta.url));
    const abandoned = await mkdtemp(join(folder, 'abandoned-'));
    const parent = spawn(process.execPath, [script, heavy, abandoned], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pids: number[] = JSON.parse(line.toString());
    parent.kill('SIGKILL');
    await once(parent, 'exit');

    expect(pids).toHaveLength(2);
    await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), 20_000);
    const left = await readdir(abandoned);
    expect(left).toEqual([expect.stringMatching(/^package-linter-/), expect.stringMatching(/\.alive$/)]);
    const next = createValidator({ folder: abandoned });
    await next.pool.isolation();
    expect((await readdir(abandoned)).filter((name) => left.includes(name))).toEqual([]);
    await next.close();
    expect(await readdir(abandoned)).toEqual([]);
  });
});
