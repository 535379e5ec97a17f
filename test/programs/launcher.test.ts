import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addons, type RunningProgram, startProgram } from '../support/program.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Without the packages of this project, the path has the Node of the machine. */
const MACHINE_PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);
/** Lets Node run as a version that cannot replace the process. */
const NO_EXEC = 'data:text/javascript,delete(process.execve)';
const READY = /is ready at http|The web process serves|The worker takes jobs/;
const STOP_MS = 60_000;

const commands = [
  ...readFileSync(join(ROOT, 'docs/operating.md'), 'utf8').matchAll(
    /^\| `(npm [^`]+)` \| `(npx [^`]+)` \| `(node [^`]+)` \|$/gm,
  ),
].flatMap(([, ...cells]) => cells);

let database: TestDatabase;
let dataDir: string;
let program: RunningProgram | undefined;
/** A variable of the environment of every process of a test. */
let mark: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'launcher-test-'));
});

afterEach(async () => {
  await program?.end('SIGKILL');
  for (const pid of markedProcesses()) process.kill(pid, 'SIGKILL');
});

afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});

async function run(command: string, environment: Record<string, string> = {}): Promise<RunningProgram> {
  mark = `LAUNCHER_TEST=${randomUUID()}`;
  const [file = '', ...args] = command.split(' ');
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: '0',
    SHUTDOWN_DELAY: '0',
    LOG_LEVEL: 'info',
    DEMO: 'false',
  };
  const [name = '', value = ''] = mark.split('=');
  const outside = { npm_lifecycle_event: undefined, NODE_COMPILE_CACHE: undefined };
  const started = startProgram(
    { ...outside, ...settings, [name]: value, ...environment },
    { command: file, args, cwd: ROOT },
  );
  program = started;
  await started.printed(READY);
  return started;
}

function markedProcesses(): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
    } catch {
      return false;
    }
  });
}

const noneRemains = () => vi.waitFor(() => expect(markedProcesses()).toEqual([]), { timeout: STOP_MS, interval: 100 });

describe('the documented commands of services', () => {
  it('are three of each', () => {
    expect(commands).toHaveLength(9);
  });

  it.each(commands)('%s ends with status 0 after SIGTERM, without a process that remains', async (command) => {
    const started = await run(command, { PATH: MACHINE_PATH });

    expect(await started.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(markedProcesses()).toEqual([]);
  });

  it.each(['npm run serve', 'npx addons worker', 'npx addons start'])(
    '%s leaves no process when npm is killed',
    async (command) => {
      const started = await run(command, { PATH: MACHINE_PATH });

      await started.end('SIGKILL');

      await noneRemains();
    },
  );

  it('leave no process when the shell of npm ends on a signal without passing it on', async () => {
    const started = await run('npx addons serve', { PATH: MACHINE_PATH, npm_config_script_shell: 'sh' });

    await started.end('SIGTERM');

    await noneRemains();
  });
});

describe('the launcher', () => {
  it('replaces itself with the program, with the environment and flags of its role', async () => {
    const started = await run('node src/addons.js worker');

    expect(markedProcesses().filter((pid) => pid === started.pid)).toEqual([started.pid]);
    const words = (await readFile(`/proc/${started.pid}/cmdline`, 'utf8')).split('\0');
    expect(words.slice(1, -1)).toEqual(['--expose-gc', '--max-semi-space-size=4', join(ROOT, 'src/cli.ts'), 'worker']);
    const environment = (await readFile(`/proc/${started.pid}/environ`, 'utf8')).split('\0');
    expect(environment).toContain('MALLOC_ARENA_MAX=1');
    expect(environment).toContain(`NODE_COMPILE_CACHE=${join(ROOT, 'node_modules/.cache/compile')}`);
  });

  it('passes on signals and the status where it cannot replace itself', async () => {
    const started = await run(`node --import ${NO_EXEC} src/addons.js serve`);
    expect(markedProcesses().length).toBeGreaterThan(1);

    expect(await started.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(markedProcesses()).toEqual([]);
  });

  it('leaves no process when it is killed where it cannot replace itself', async () => {
    const started = await run(`node --import ${NO_EXEC} src/addons.js worker`);

    await started.end('SIGKILL');

    await noneRemains();
  });

  it('keeps flags and environment of the operator', async () => {
    const started = await run('node --max-semi-space-size=8 src/addons.js worker', { MALLOC_ARENA_MAX: '2' });

    const words = (await readFile(`/proc/${started.pid}/cmdline`, 'utf8')).split('\0');
    expect(words.filter((word) => word.startsWith('--max-semi'))).toEqual([
      '--max-semi-space-size=4',
      '--max-semi-space-size=8',
    ]);
    expect(await readFile(`/proc/${started.pid}/environ`, 'utf8')).toContain('MALLOC_ARENA_MAX=2\0');
  });

  it('runs commands by any Node of the machine, and passes on their status', async () => {
    const folders = (process.env['PATH'] ?? '').split(delimiter);
    for (const node of folders.map((folder) => join(folder, 'node')).filter((file) => existsSync(file))) {
      expect(await addons(['--help'], {}, node)).toMatchObject({ code: 0, stderr: '' });
      const refused = await addons(['no-such-command'], {}, node);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain("there is no command 'no-such-command'");
    }
  });
});
