import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePoolFolder } from '../../../src/package/validation/pool-folder.ts';

const MAKE = join(import.meta.dirname, 'pool-folder-process.ts');
/** Larger than any process id of Linux. */
const FOREIGN_PID = 2 ** 22 + 1;

let parent: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'pool-folder-test-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(parent, { recursive: true });
});

/** Starts a process that reports this process id and holds a folder. */
async function makeInProcess(pid: number): Promise<{ name: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [MAKE, parent, String(pid)], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [path] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { name: basename(path), child };
}

describe('a new folder of a pool', () => {
  it('leaves that of a live process whose id is unknown here, as in another container', async () => {
    const { name } = await makeInProcess(FOREIGN_PID);
    const own = await makePoolFolder(parent);
    expect(await readdir(parent)).toContain(name);
    await own.remove();
  });

  it('replaces that of a dead process whose id a live one uses', async () => {
    const { name, child } = await makeInProcess(process.pid);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await readdir(parent)).toContain(name);
    const own = await makePoolFolder(parent);
    expect(await readdir(parent)).not.toContain(name);
    await own.remove();
    expect(await readdir(parent)).toEqual([]);
  });
});
