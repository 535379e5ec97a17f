import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from '../../test/crash/support/http-exchange.ts';
import type { Installation } from '../../test/crash/support/installation.ts';
import type { InstalledDatabase } from '../../test/crash/support/installed-database.ts';
import { type ApiKey, authorization, uploadForm, versionPath } from '../../test/crash/support/signing-client.ts';

/** A running installation and the account that uploads to it. */
export interface Bench {
  installation: Installation;
  database: InstalledDatabase;
  key: ApiKey;
}

/** The time of an upload from the first byte sent to the signed file, and the linter's part of it, in ms. */
export interface Signed {
  totalMs: number;
  linterMs: number;
}

/** Poll interval in case a notification is missed; a shorter one would affect the measurement. */
const POLL_MS = 250;

/**
 * Uploads a package and waits until it is signed in the database.
 * @throws {Error} if it is refused or reaches another final stage.
 */
export async function uploadAndWait(bench: Bench, guid: string, version: string, file: Buffer): Promise<Signed> {
  const { contentType, body } = uploadForm(file);
  const started = performance.now();
  const response = await exchange({
    method: 'PUT',
    url: bench.installation.url + versionPath(guid, version),
    headers: {
      authorization: authorization(bench.key),
      'content-type': contentType,
      'content-length': String(body.length),
    },
    body,
  });
  if (response.status !== 201 && response.status !== 202) throw new Error(`${response.status} ${response.body}`);
  for (;;) {
    const announced = bench.database.nextStage();
    const stage = await stageOf(bench.database, guid, version);
    if (stage === 'signed') break;
    if (stage === 'invalid' || stage === 'error') throw new Error(`${guid} ${version} ended ${stage}`);
    await Promise.race([announced, sleep(POLL_MS)]);
  }
  return { totalMs: performance.now() - started, linterMs: await linterTime(bench.database, guid, version) };
}

async function stageOf(database: InstalledDatabase, guid: string, version: string): Promise<string | undefined> {
  const rows = await database.query<{ stage: string }>(
    `SELECT stage FROM version JOIN addon ON addon.id = version.addon_id WHERE guid = $1 AND version = $2`,
    [guid, version],
  );
  return rows[0]?.stage;
}

async function linterTime(database: InstalledDatabase, guid: string, version: string): Promise<number> {
  const rows = await database.query<{ ms: number }>(
    `SELECT (details->>'linterMs')::float8 AS ms FROM activity JOIN version ON version.id = activity.version_id
       JOIN addon ON addon.id = version.addon_id
      WHERE action = 'validation-passed' AND guid = $1 AND version.version = $2`,
    [guid, version],
  );
  return rows[0]?.ms ?? 0;
}
