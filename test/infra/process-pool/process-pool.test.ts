import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { launchNode } from '../../../src/infra/process-pool/launch-node.ts';
import { ProcessPool, type ProcessPoolOptions } from '../../../src/infra/process-pool/process-pool.ts';
import type { Work } from './child.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const IDLE_CHILD = fileURLToPath(new URL('./idle-child.ts', import.meta.url));
const pools: ProcessPool[] = [];

function newPool(options: Partial<ProcessPoolOptions<Awaited<ReturnType<typeof launchNode>>>> = {}): ProcessPool {
  const launch = () => launchNode(CHILD, 64);
  const limits = { processorMs: 20_000, wallMs: 20_000 };
  const pool = new ProcessPool({ launch, concurrency: 1, runsPerProcess: 100, ...limits, ...options });
  pools.push(pool);
  return pool;
}

const run = (pool: ProcessPool, work: Work) => pool.run(() => work);

async function pidOf(pool: ProcessPool): Promise<number> {
  const outcome = await run(pool, 'pid');
  return outcome.ok ? Number(outcome.reply) : expect.fail(outcome.detail);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

describe('a process pool', () => {
  it('starts a process when one is needed, and reuses it', async () => {
    const pool = newPool();
    expect(pool.pids()).toEqual([]);
    const pid = await pidOf(pool);
    expect(await pidOf(pool)).toBe(pid);
    expect(pool.pids()).toEqual([pid]);
  });

  it('serves many requests with at most the allowed number of processes', async () => {
    const pool = newPool({ concurrency: 2 });
    const pids = await Promise.all(Array.from({ length: 10 }, () => pidOf(pool)));
    expect(new Set(pids).size).toBe(2);
  });

  it('replaces a process after a number of requests', async () => {
    const pool = newPool({ runsPerProcess: 2 });
    const pids = [await pidOf(pool), await pidOf(pool), await pidOf(pool)];
    expect(pids[1]).toBe(pids[0]);
    expect(pids[2]).not.toBe(pids[0]);
  });

  it('replaces a process that uses too much memory', async () => {
    const pool = newPool({ idleRssMb: 1 });
    expect(await pidOf(pool)).not.toBe(await pidOf(pool));
  });

  it('ends an idle process, unless it is kept warm', async () => {
    const pool = newPool({ concurrency: 2, idleMs: 50 });
    await Promise.all([run(pool, 'sleep'), run(pool, 'sleep')]);
    await expect.poll(() => pool.pids()).toEqual([]);
    await pool.warm(1);
    await Promise.all([run(pool, 'sleep'), run(pool, 'sleep')]);
    await expect.poll(() => pool.pids()).toHaveLength(1);
    const [pid] = pool.pids();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await pidOf(pool)).toBe(pid);
  });

  it.each([
    ['by the clock', { wallMs: 2_000 }],
    ['of processor time', { processorMs: 500 }],
  ])('kills a process whose request takes too long %s', async (_kind, limits) => {
    const pool = newPool({ ...limits, attempts: 2 });
    await pool.warm();
    const [pid = 0] = pool.pids();
    expect(await run(pool, 'loop')).toMatchObject({ ok: false, reason: 'timeout' });
    await expect.poll(() => isRunning(pid)).toBe(false);
    await pidOf(pool);
  });

  it('counts the processor time of a request, not what the clock shows or earlier requests took', async () => {
    const pool = newPool({ processorMs: 250 });
    await pool.warm();
    const pid = await pidOf(pool);
    for (let request = 0; request < 3; request++) expect(await run(pool, 'work')).toMatchObject({ ok: true });
    expect(await run(pool, 'sleep')).toMatchObject({ ok: true });
    expect(await pidOf(pool)).toBe(pid);
  });

  it.each([
    ['heap', {}],
    ['memory outside the heap', { launch: () => launchNode(CHILD, 4096), rssMb: 300 }],
  ])('ends a process that uses too much %s', async (_kind, options) => {
    const pool = newPool({ ...options, attempts: 2 });
    expect(await run(pool, 'allocate')).toMatchObject({ ok: false, reason: 'memory' });
    await pidOf(pool);
  });

  it.each(['exit', 'reject'] as const)('reports a crash with what the process printed (%s)', async (work) => {
    const outcome = await run(newPool(), work);
    expect(outcome).toMatchObject({ ok: false, reason: 'crash' });
    if (work === 'reject') expect(outcome).toMatchObject({ detail: expect.stringContaining('a canary') });
  });

  it('retries a request whose process was killed from outside', async () => {
    const pool = newPool({ attempts: 2 });
    await pool.warm();
    const [pid = 0] = pool.pids();
    const running = run(pool, 'sleep');
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.kill(pid, 'SIGKILL');
    expect(await running).toMatchObject({ ok: true });
  });

  it('ignores messages that are not responses', async () => {
    expect(await run(newPool(), 'garbage')).toMatchObject({ ok: true, reply: expect.any(Number) });
  });

  it('passes nothing of its environment to processes', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://canary');
    const outcome = await run(newPool(), 'environment');
    vi.unstubAllEnvs();
    const names = outcome.ok ? (outcome.reply as string[]) : [];
    expect(names.filter((name) => !name.startsWith('NODE_'))).toEqual([]);
  });

  it('throws UnavailableError if no process starts, and starts one for a later request', async () => {
    let works = false;
    const launch = () => (works ? launchNode(CHILD, 64) : Promise.reject(new Error('no memory')));
    const pool = newPool({ launch });
    expect(await run(pool, 'pid')).toMatchObject({
      reason: 'unavailable',
      detail: expect.stringContaining('no memory'),
    });
    await expect(pool.warm()).rejects.toThrow('no memory');
    works = true;
    await pidOf(pool);
  });

  it('ends all processes when it is closed', async () => {
    const pool = newPool();
    await pool.warm();
    const running = [run(pool, 'loop'), run(pool, 'pid')];
    await new Promise((resolve) => setTimeout(resolve, 50));
    const pids = pool.pids();
    await pool.close();
    running.push(run(pool, 'pid'));
    for (const outcome of await Promise.all(running)) expect(outcome).toMatchObject({ reason: 'unavailable' });
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('ends a process that is still starting when it is closed', async () => {
    // Its program never says that it is ready.
    const pool = newPool({ launch: () => launchNode(IDLE_CHILD, 64) });
    const warming = expect(pool.warm()).rejects.toThrow('The process was ended.');
    await expect.poll(() => pool.pids().length).toBe(1);
    const [pid = 0] = pool.pids();
    await pool.close();
    await warming;
    expect(isRunning(pid)).toBe(false);
  });

  /** Starts a program that has a pool with a process at rest, and then runs `statements`. */
  function startProgramWithPool(statements: string) {
    const program = `
      import { launchNode } from '${new URL('../../../src/infra/process-pool/launch-node.ts', import.meta.url)}';
      import { ProcessPool } from '${new URL('../../../src/infra/process-pool/process-pool.ts', import.meta.url)}';
      const launch = () => launchNode('${CHILD}', 64);
      const pool = new ProcessPool({ launch, concurrency: 1, runsPerProcess: 9, processorMs: 9_000, wallMs: 9_000 });
      await pool.warm();
      ${statements}`;
    return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  it('does not keep its program running, and ends with it', async () => {
    const child = startProgramWithPool(`console.log(JSON.stringify(await pool.run(() => 'pid')));`);
    const [[line], [code]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
    expect(code).toBe(0);
    const { reply } = JSON.parse(String(line)) as { reply: number };
    await expect.poll(() => isRunning(reply)).toBe(false);
  });

  it('is closed before its program ends, also when nothing else keeps that running', async () => {
    const child = startProgramWithPool('await pool.close();');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
