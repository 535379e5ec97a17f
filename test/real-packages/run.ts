/*
 * Real add-ons: downloads freely licensed packages of Debian, opens each file as the pages of code do, and has Git apply the comparison
 * with a changed copy and with the package of another release. Signs some of them with a new installation, and runs every
 * installed verifier on each signed file and on modified copies. Prints one line per check and
 * exits with 1 if one fails. Options: --verifier PROGRAM, an independent verifier (its arguments are in verifiers.ts); --opened N opens the files of the first N packages only. Checks
 * that this machine cannot run are printed as skipped.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openSite, type Site, type UploadStatus } from '../clients/site.ts';
import { exchange } from '../crash/support/http-exchange.ts';
import { authorization, uploadForm, versionPath } from '../crash/support/signing-client.ts';
import { until } from '../crash/support/waiting.ts';
import { changedCopies, writeChangedCopy } from './changed-copies.ts';
import { fetchPackages, identityOf, missingTools, type RealPackage } from './debian-packages.ts';
import { findVerifiers, type Verifier } from './verifiers.ts';
import { viewPackage } from './viewer.ts';

/** Signing of the largest package next to other steps on a slow machine. */
const SIGNED_MS = 900_000;
/** The packages that are signed: an extension with rules, one with scripts, a language pack and a dictionary. */
const SIGNED = new Set(['webext-ublock-origin-firefox', 'webext-browserpass', 'firefox-esr-l10n-de', 'hunspell-de-de']);

const { values } = parseArgs({ options: { verifier: { type: 'string' }, opened: { type: 'string' } } });
/** How many packages are opened file by file. */
const opened = values.opened === undefined ? Number.POSITIVE_INFINITY : Number(values.opened);
const counts = { passed: 0, failed: 0, skipped: 0 };
const missing = await missingTools();
if (missing.length > 0) skip(`real packages, as ${missing.join(' and ')} cannot run on this machine`);
else await runAll();
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed === 0 ? 0 : 1;

function skip(what: string): void {
  counts.skipped += 1;
  console.log(`skipped: ${what}`);
}

function report(isGood: boolean, line: string, text = ''): void {
  counts[isGood ? 'passed' : 'failed'] += 1;
  console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${line}`);
  if (!isGood) console.log(`      ${text.replaceAll('\n', '\n      ')}`);
}

async function runAll(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'addons-real-packages-'));
  try {
    const packages = await fetchPackages(join(folder, 'debian'));
    const site = await openSite();
    try {
      for (const { origin, file, other } of packages.slice(0, opened)) {
        const { problems, summary } = await viewPackage(file, other, folder).catch((error: unknown) => ({
          ...{ problems: [String(error)], summary: 'not read' },
        }));
        report(problems.length === 0, `${origin} is shown and compared: ${summary}`, problems.join('\n'));
      }
      const independent = values.verifier === undefined ? undefined : resolve(values.verifier);
      const verifiers = await findVerifiers(site, folder, independent, skip);
      for (const each of packages.filter(({ origin }) => SIGNED.has(origin))) {
        await check(site, each, verifiers).catch((error: unknown) => report(false, each.origin, String(error)));
      }
      if (!site.isRunning()) report(false, 'a process of the service ended unexpectedly');
    } finally {
      if (counts.failed > 0)
        console.log(`The data folder of the service is kept, with its logs next to it: ${site.dataDir}`);
      await site.close({ keepFolder: counts.failed > 0 });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function check(site: Site, { origin, file }: RealPackage, verifiers: Verifier[]): Promise<void> {
  const { id, version } = await identityOf(file);
  const started = performance.now();
  const status = await sign(site, { id, version, file });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const name = `${origin}: ${id} ${version}`;
  report(status.active, `${name} is signed (${seconds} s)`, JSON.stringify(status, null, 2));
  if (!status.active) return;
  const signed = `${file}.signed.xpi`;
  const sha256 = await download(site, status, signed);
  report(status.files[0]?.hash === `sha256:${sha256}`, `${name} has the announced hash`, sha256);
  for (const verifier of verifiers) {
    const { accepted, text } = await verifier.verify(signed, id, file);
    report(accepted, `${name} is accepted by ${verifier.name}`, text);
  }
  for (const [index, copy] of changedCopies.entries()) {
    const path = `${file}.changed-${index}.xpi`;
    await writeChangedCopy(signed, copy, path);
    for (const verifier of verifiers) {
      if (verifier.missesRemovedFiles && copy.name === 'a file is removed') continue;
      const { accepted, text } = await verifier.verify(path, id, file);
      report(!accepted, `${name} is refused by ${verifier.name} when ${copy.name}`, text);
    }
  }
}

interface Package {
  id: string;
  version: string;
  file: string;
}

/** Uploads a package and returns its final status: signed or invalid. */
async function sign(site: Site, { id, version, file }: Package): Promise<UploadStatus> {
  const { contentType, body } = uploadForm(await readFile(file));
  const url = site.url + versionPath(id, version);
  const headers = {
    authorization: authorization(site),
    'content-type': contentType,
    'content-length': String(body.length),
  };
  const response = await exchange({ method: 'PUT', url, headers, body });
  if (response.status !== 201) throw new Error(`The upload of ${id} returned ${response.status}: ${response.body}`);
  return until(`the final status of ${id}`, SIGNED_MS, async () => {
    const status = await site.status(`${site.url}/api/v4`, id, version);
    return status.processed && (!status.valid || status.active) ? status : null;
  });
}

/** Saves the signed file to `path` and returns the SHA-256 of its bytes. */
async function download(site: Site, status: UploadStatus, path: string): Promise<string> {
  const url = status.files[0]?.download_url ?? '';
  const { body } = await exchange({ method: 'GET', url, headers: { authorization: authorization(site) } });
  await writeFile(path, body);
  return createHash('sha256').update(body).digest('hex');
}
