import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServiceProcess, startService } from '../support/program.ts';

const ROOT = join(import.meta.dirname, '../..');

let folder: string;
let clone: string;
let environment: Record<string, string>;
let service: ServiceProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readme-test-'));
  clone = join(folder, 'clone');
  await mkdir(clone, { mode: 0o711 });
  await chmod(folder, 0o711);
  // This looks like a clone to the commands: they run the code of this tree, and what they write stays in the folder.
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    await copyFile(join(ROOT, name), join(clone, name));
  for (const name of ['src', 'node_modules']) await symlink(join(ROOT, name), join(clone, name));
  environment = { DATA_DIR: '', DEMO: 'false', LOG_LEVEL: 'warn', npm_config_cache: join(folder, 'npm') };
  service = await npmStart('0');
});

afterAll(async () => {
  await service?.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function npmStart(port: string): Promise<ServiceProcess> {
  return startService({ ...environment, PORT: port }, { command: 'npm', args: ['start'], cwd: clone });
}

/** The bash blocks of the README, in order. */
async function session(): Promise<string[]> {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

async function bash(script: string): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, ...environment, BASE_URL: service.url };
  const child = spawn('bash', ['-ec', script], { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

describe('the README', () => {
  it('signs a first add-on in five steps, signs with a stock client, and queries the API', async () => {
    const blocks = await session();

    const { code, output } = await bash(blocks.join('\necho\n'));

    expect(code, output).toBe(0);
    expect(blocks).toHaveLength(7);
    expect(output).toContain('"automated_signing":true');
    expect(output).toContain('var/first-signed.xpi: the signature is valid.');
    expect(output).toMatch(/ {2}add-on {7}first@example\.org\n/);
    expect(output).toMatch(
      /{"data":{"upload":{"stage":"SIGNED","nextStep":"The signed file can be downloaded.","files":\[{"hash":"sha256:\w{64}"}\]}}}/,
    );
  });

  it('starts again after npm was killed, and exits with status 0 on SIGINT', async () => {
    const { port } = new URL(service.url);
    await service.end('SIGKILL');

    service = await npmStart(port);

    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await service.end('SIGINT')).toEqual({ code: 0, signal: null });
  });
});
