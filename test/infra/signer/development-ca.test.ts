import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadRootPem } from '../../../src/infra/signer/certificate-file.ts';
import { ensureDevelopmentCa } from '../../../src/infra/signer/development-ca.ts';
import { createAuthorities } from '../../../src/package/signing/authorities.ts';
import { type Folder, temporaryFolder } from '../../package/signing/signing-fixture.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, 'start-development-ca.ts');
const FILES = ['chain.pem', 'intermediate-key.pem', 'intermediate.pem', 'root-key.pem', 'root.pem'];
const options = { environment: 'development', createAuthorities };

let folder: Folder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

/** A folder for one test. The CA is created in `ca` below it, so that the test sees other files that remain. */
function newFolder() {
  const parent = folder.next('');
  return { parent, directory: join(parent, 'ca') };
}

describe('the development CA', () => {
  it('is created on the first start, readable by its owner only', async () => {
    const { parent, directory } = newFolder();
    const signer = await ensureDevelopmentCa(directory, options);
    expect((await readdir(directory)).sort()).toEqual(FILES);
    expect(await modeOf(directory)).toBe(0o700);
    for (const file of FILES) expect(await modeOf(join(directory, file))).toBe(0o600);
    expect(await readdir(parent)).toEqual(['ca']);
    expect(signer.algorithm).toBe('ecdsa-sha384');
    expect(await loadRootPem({ developmentDirectory: directory })).toBe(
      await readFile(join(directory, 'root.pem'), 'utf8'),
    );
  });

  it('is the same after a restart', async () => {
    const { directory } = newFolder();
    const first = await ensureDevelopmentCa(directory, options);
    const second = await ensureDevelopmentCa(directory, options);
    expect(second.chain()).toEqual(first.chain());
  });

  it('is created once by several concurrent processes', async () => {
    const { parent, directory } = newFolder();
    const starts = Array.from({ length: 4 }, () => run(process.execPath, [program, directory]));
    const roots = (await Promise.all(starts)).map(({ stdout }) => stdout.trim());
    expect(roots[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(roots).size).toBe(1);
    expect(await readdir(parent)).toEqual(['ca']);
  });

  it('is created once by concurrent calls in one process', async () => {
    const { directory } = newFolder();
    const signers = await Promise.all(Array.from({ length: 6 }, () => ensureDevelopmentCa(directory, options)));
    expect(new Set(signers.map((signer) => signer.chain().at(-1)?.toString('hex'))).size).toBe(1);
  });

  it('is complete after a start that was killed', async () => {
    for (let round = 0; round < 4; round++) {
      const { parent, directory } = newFolder();
      await mkdir(parent);
      const child = spawn(process.execPath, [program, directory], { stdio: 'ignore' });
      const ended = once(child, 'exit');
      const hasBegun = async () => (await readdir(parent)).length > 0 || child.exitCode !== null;
      while (!(await hasBegun())) await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGKILL');
      await ended;
      // At this point the folder has either all files of a CA or none.
      const made = await readdir(directory).catch(() => FILES);
      expect(made.sort()).toEqual(FILES);
      await ensureDevelopmentCa(directory, options);
      expect((await readdir(directory)).sort()).toEqual(FILES);
    }
  });

  it('is created in an existing empty folder', async () => {
    const { directory } = newFolder();
    await mkdir(directory, { recursive: true });
    await ensureDevelopmentCa(directory, options);
    expect((await readdir(directory)).sort()).toEqual(FILES);
    expect(await modeOf(directory)).toBe(0o700);
  });

  it('removes the files of a killed start, and not those of a start in progress', async () => {
    const { parent, directory } = newFolder();
    for (const name of ['ca.new-old', 'ca.new-current', 'other.new-old'])
      await mkdir(join(parent, name), { recursive: true });
    await writeFile(join(parent, 'ca.new-old', 'root.pem'), '');
    const longAgo = new Date(Date.now() - 3_600_000);
    for (const name of ['ca.new-old', 'other.new-old']) await utimes(join(parent, name), longAgo, longAgo);
    await ensureDevelopmentCa(directory, options);
    expect((await readdir(parent)).sort()).toEqual(['ca', 'ca.new-current', 'other.new-old']);
  });

  it('is not replaced if a file is missing', async () => {
    const { directory } = newFolder();
    await ensureDevelopmentCa(directory, options);
    await rm(join(directory, 'intermediate-key.pem'));
    await expect(ensureDevelopmentCa(directory, options)).rejects.toThrow(
      /is incomplete \(intermediate-key\.pem\); restore/,
    );
  });

  it('is not created in production', async () => {
    const { parent, directory } = newFolder();
    const refused = ensureDevelopmentCa(directory, { ...options, environment: 'production' });
    await expect(refused).rejects.toThrow('set SIGNING_KEY_FILE and SIGNING_CHAIN_FILE');
    await expect(stat(parent)).rejects.toThrow();
  });

  it('leaves no files if it cannot be created', async () => {
    const { parent, directory } = newFolder();
    const failing = { ...options, createAuthorities: () => Promise.reject(new Error('no entropy')) };
    await expect(ensureDevelopmentCa(directory, failing)).rejects.toThrow('no entropy');
    expect(await readdir(parent)).toEqual([]);
  });
});
