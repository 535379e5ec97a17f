import { mkdtemp, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDevelopmentCa } from '../../src/infra/signer/development-ca.ts';
import type { Signer } from '../../src/infra/signer/signer.ts';
import { createAuthorities } from '../../src/package/signing/authorities.ts';
import { signPackage } from '../../src/package/signing/sign-package.ts';
import { verifySignedPackage } from '../../src/package/signing/verify/verify-package.ts';
import { openZip } from '../../src/package/zip/read-zip.ts';
import { mean, percentile, time } from '../measure.ts';
import type { Row } from '../report.ts';
import { largestPackage, manyFiles, smallPackage } from './packages.ts';

const GUID = 'bench@example.org';

interface SigningSetup {
  folder: string;
  signer: Signer;
  root: string;
}

/**
 * Signing in one process without other work: strict reading of the package, both signatures, writing and fsync. The worker's
 * additional verification by the second implementation has separate rows.
 */
export async function measureSigningAlone(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'addons-bench-'));
  try {
    const signer = await ensureDevelopmentCa(join(folder, 'ca'), { environment: 'development', createAuthorities });
    const setup = { folder, signer, root: await readFile(join(folder, 'ca', 'root.pem'), 'utf8') };
    return [...(await small(setup)), ...(await large(setup))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function small(setup: SigningSetup): Promise<Row[]> {
  const source = await stored(setup, await smallPackage(GUID, '1.0'));
  const cpuBefore = process.cpuUsage();
  const times = await time(400, 50, () => signOnce(setup, source));
  const cpu = process.cpuUsage(cpuBefore);
  const checks = await verifications(setup, source, 50);
  return [
    { what: 'Small package, signed: p50', value: percentile(times, 0.5), unit: 'ms', goal: { max: 12 } },
    { what: 'Small package, signed: p99', value: percentile(times, 0.99), unit: 'ms', goal: { max: 60 } },
    { what: 'Small packages signed sequentially', value: 1000 / mean(times), unit: '/s', goal: { min: 60 } },
    { what: 'Processor time of a signature', value: (cpu.user + cpu.system) / 450 / 1000, unit: 'ms' },
    { what: 'Small package, check of the result: p50', value: percentile(checks, 0.5), unit: 'ms' },
  ];
}

async function large(setup: SigningSetup): Promise<Row[]> {
  const many = await stored(setup, await manyFiles(GUID, '1.0'));
  const manyTimes = await time(15, 2, () => signOnce(setup, many));
  const manyChecks = await verifications(setup, many, 5);
  const largest = await stored(setup, await largestPackage(GUID, '1.0'));
  const largestTimes = await time(5, 1, () => signOnce(setup, largest));
  return [
    { what: '20 MB in 2,000 files, signed: p50', value: percentile(manyTimes, 0.5), unit: 'ms', goal: { max: 400 } },
    { what: '20 MB in 2,000 files, check of the result: p50', value: percentile(manyChecks, 0.5), unit: 'ms' },
    { what: '195 MB in 5 files, signed: p50', value: percentile(largestTimes, 0.5), unit: 'ms', goal: { max: 2000 } },
  ];
}

let files = 0;

async function stored({ folder }: SigningSetup, bytes: Buffer): Promise<string> {
  files += 1;
  const path = join(folder, `${files}.xpi`);
  await writeFile(path, bytes);
  return path;
}

async function signTo({ signer }: SigningSetup, source: string, output: string): Promise<void> {
  const archive = await openZip(source, { digests: true });
  try {
    await signPackage({ archive, output, addonId: GUID, signer, onCertificate: async () => {} });
  } finally {
    await archive.close();
  }
}

async function signOnce(setup: SigningSetup, source: string): Promise<void> {
  const output = `${source}.signed`;
  await signTo(setup, source, output);
  await unlink(output);
}

async function verifications(setup: SigningSetup, source: string, rounds: number): Promise<number[]> {
  const output = `${source}.signed`;
  await signTo(setup, source, output);
  const times = await time(rounds, 2, async () => {
    const { ok, problems } = await verifySignedPackage(output, { roots: [setup.root], id: GUID });
    if (!ok) throw new Error(problems.join('; '));
  });
  await unlink(output);
  return times;
}
