import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcceptedVersion, Ledger } from './kill-uploads.ts';
import type { Installation } from './support/installation.ts';
import type { InstalledDatabase } from './support/installed-database.ts';
import { inspectPublished } from './support/published-file.ts';
import type { ApiKey } from './support/signing-client.ts';
import { STALLED_MS, untilNoneLeft } from './support/waiting.ts';

export interface CheckOptions {
  installation: Installation;
  database: InstalledDatabase;
  key: ApiKey;
  ledger: Ledger;
}

/** Waits until all work is done, prints a summary and returns all violations. */
export async function checkInstallation(options: CheckOptions): Promise<string[]> {
  const { database, ledger } = options;
  const started = performance.now();
  const stuck = await drain(options);
  console.log(`All work was done after another ${Math.round(performance.now() - started)} ms.`);
  const problems = [
    ...stuck,
    ...(await checkVersions(database, ledger.accepted)),
    ...(await checkLog(database)),
    ...(await checkFiles(options)),
    ...(await checkStaging(options.installation)),
  ];
  const acknowledged = ledger.accepted.filter((each) => each.acknowledged).length;
  console.log(
    `${acknowledged} uploads acknowledged, ${ledger.accepted.length - acknowledged} found accepted by a retry; ` +
      `${ledger.missingResponses} requests without a response, ${ledger.unavailable} refused with 503.`,
  );
  return problems;
}

async function drain({ database }: CheckOptions): Promise<string[]> {
  const stuck = await untilNoneLeft(STALLED_MS, () =>
    database.query<{ version: string; stage: string }>(
      `SELECT guid || ' ' || version AS version, stage FROM version JOIN addon ON addon.id = version.addon_id
        WHERE stage NOT IN ('signed', 'invalid', 'rejected', 'error')
       UNION ALL SELECT 'upload ' || pk, stage FROM upload WHERE stage <> 'valid'`,
    ),
  );
  return stuck.map(({ version, stage }) => `${version} is stuck in ${stage}`);
}

/** Every accepted upload has one signed version with the uploaded bytes, and no other version has an upload. */
async function checkVersions(database: InstalledDatabase, accepted: AcceptedVersion[]): Promise<string[]> {
  const rows = await database.query<{ name: string; stage: string; original: string; published: number }>(
    `SELECT guid || ' ' || version AS name, stage, file.original_sha256 AS original,
            (SELECT count(*)::int FROM activity WHERE version_id = version.id AND action = 'published') AS published
       FROM version JOIN addon ON addon.id = version.addon_id JOIN file ON file.version_id = version.id
      WHERE EXISTS (SELECT FROM upload WHERE upload.version_id = version.id)`,
  );
  const byName = Map.groupBy(rows, ({ name }) => name);
  const problems: string[] = [];
  for (const { mark, sha256 } of accepted) {
    const [row, ...more] = byName.get(mark) ?? [];
    if (row === undefined) problems.push(`${mark} is lost`);
    else if (more.length > 0) problems.push(`${mark} exists ${more.length + 1} times`);
    else if (row.stage !== 'signed') problems.push(`${mark} ended ${row.stage}`);
    else if (row.original !== sha256) problems.push(`${mark} has other bytes than the upload`);
    else if (row.published !== 1) problems.push(`${mark} was published ${row.published} times`);
    byName.delete(mark);
  }
  return [...problems, ...[...byName.keys()].map((name) => `${name} exists without an accepted upload`)];
}

interface LogRow {
  serial: string;
  issuer: string;
  guid: string;
  version: string;
  input_sha256: string;
  created: Date;
  previous_hash: string;
  hash: string;
}

/** The signature log is an unbroken chain and contains the certificate of every signed file. */
async function checkLog(database: InstalledDatabase): Promise<string[]> {
  const rows = await database.query<LogRow>('SELECT * FROM signing_certificate ORDER BY id');
  const problems: string[] = [];
  let previous = '0'.repeat(64);
  for (const row of rows) {
    const { serial, issuer, guid, version, input_sha256, created, previous_hash, hash } = row;
    const fields = [previous, serial, issuer, guid, version, input_sha256, created.toISOString()];
    const expected = createHash('sha256').update(JSON.stringify(fields)).digest('hex');
    if (previous_hash !== previous || hash !== expected) problems.push(`the log is broken at serial ${serial}`);
    previous = hash;
  }
  const unlogged = await database.query<{ name: string }>(
    `SELECT guid || ' ' || version AS name FROM file JOIN version ON version.id = file.version_id
       JOIN addon ON addon.id = version.addon_id
      WHERE signed_sha256 IS NOT NULL AND NOT EXISTS (
        SELECT FROM signing_certificate AS log WHERE log.serial = file.certificate_serial AND log.file_id = file.id
           AND log.input_sha256 = file.original_sha256 AND log.guid = addon.guid AND log.version = version.version)`,
  );
  const [signed] = await database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM file WHERE signed_sha256 IS NOT NULL',
  );
  console.log(
    `${signed?.count} files signed, ${rows.length} certificates logged, ${rows.length - (signed?.count ?? 0)} of them unused.`,
  );
  return [...problems, ...unlogged.map(({ name }) => `the certificate of ${name} is not in the log`)];
}

/** Every downloaded file has the documented hash, verifies, and is the upload signed with the logged certificate. */
async function checkFiles({ installation, database, key, ledger }: CheckOptions): Promise<string[]> {
  const serials = await database.query<{ name: string; serial: string }>(
    `SELECT guid || ' ' || version AS name, certificate_serial AS serial FROM file
       JOIN version ON version.id = file.version_id JOIN addon ON addon.id = version.addon_id`,
  );
  const serialOf = new Map(serials.map(({ name, serial }) => [name, serial]));
  const problems: string[] = [];
  for (const { guid, version, mark } of ledger.accepted) {
    const published = await inspectPublished(installation, key, guid, version);
    problems.push(...published.problems.map((problem) => `${mark}: ${problem}`));
    if (published.mark !== mark) problems.push(`${mark}: the file belongs to ${published.mark}`);
    if (published.serial !== serialOf.get(mark)) {
      problems.push(`${mark}: signed with certificate ${published.serial}, recorded is ${serialOf.get(mark)}`);
    }
  }
  console.log(`${ledger.accepted.length} signed files downloaded, hashed and verified.`);
  return problems;
}

/** The staging files of killed processes are swept within seconds; those of running parsers, when they are parsed. */
export async function checkStaging(installation: Installation): Promise<string[]> {
  const folder = join(installation.dataDir, 'blobs/staging');
  const started = performance.now();
  const left = await untilNoneLeft(STALLED_MS, () => readdir(folder));
  if (left.length === 0) console.log(`Staging is empty after ${Math.round(performance.now() - started)} ms.`);
  return left.map((name) => `${name} is left in staging`);
}
