import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { verifySignedPackage } from '../../../src/package/signing/verify/verify-package.ts';
import { authorization } from '../../crash/support/signing-client.ts';
import { until } from '../../crash/support/waiting.ts';
import { type Lane, type Outcome, writeInput } from './lane.ts';

const SIGNED_MS = 300_000;

/** The keys of a version that scenarios read. */
export interface VersionDetail {
  id: number;
  version: string;
  channel: string;
  approval_notes: string;
  compatibility: Record<string, { min: string; max: string }>;
  license: { slug: string | null } | null;
  release_notes: Record<string, string> | null;
  source: string | null;
  file: { hash: string; status: string; url: string };
}

/** Reads an address of version 5 of the API as the developer. */
export async function read<T>({ site }: Lane, path: string): Promise<T> {
  const address = `${site.url}/api/v5/${path}`;
  const response = await fetch(address, { headers: { authorization: authorization(site) } });
  if (response.status !== 200) throw new Error(`${address} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** A version of an add-on. */
export const readVersion = (lane: Lane, guid: string, version: string): Promise<VersionDetail> =>
  read(lane, `addons/addon/${encodeURIComponent(guid)}/versions/v${version}/`);

/** The numbers of all versions, the newest first. */
export async function versionNumbers(lane: Lane, guid: string): Promise<string[]> {
  const path = `addons/addon/${encodeURIComponent(guid)}/versions/?filter=all_with_unlisted`;
  const { results } = await read<{ results: { version: string }[] }>(lane, path);
  return results.map(({ version }) => version);
}

/** Waits until a version is public. */
export function untilPublic(lane: Lane, guid: string, version: string): Promise<VersionDetail> {
  return until(`${guid} ${version} is public`, SIGNED_MS, async () => {
    const found = await readVersion(lane, guid, version);
    return found.file.status === 'public' ? found : null;
  });
}

/** Expects that the file is the published one of the version, signed for the add-on. */
export async function isPublished(lane: Lane, path: string, guid: string, version: string): Promise<void> {
  const { file } = await readVersion(lane, guid, version);
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  assert.deepEqual({ status: file.status, hash: file.hash }, { status: 'public', hash: `sha256:${sha256}` });
  const { problems } = await verifySignedPackage(path, { roots: [lane.site.rootPem], id: guid });
  assert.deepEqual(problems, []);
}

/** The same for a tool that saves no file: downloads it first. */
export async function isDownloadable(lane: Lane, guid: string, version: string): Promise<void> {
  const { file } = await untilPublic(lane, guid, version);
  const response = await fetch(file.url, { headers: { authorization: authorization(lane.site) } });
  assert.equal(response.status, 200);
  const path = await writeInput(lane, 'downloaded.xpi', Buffer.from(await response.arrayBuffer()));
  await isPublished(lane, path, guid, version);
}

/** Expects success, and these texts in what the tool printed. */
export function succeeded({ exitCode, output }: Outcome, ...texts: string[]): void {
  assert.equal(exitCode, 0, output);
  for (const text of texts) assert.ok(output.includes(text), `"${text}" is not in the output:\n${output}`);
}

/** Expects a failure, and these texts in what the tool printed. */
export function failed({ exitCode, output }: Outcome, ...texts: string[]): void {
  assert.equal(exitCode, 1, output);
  for (const text of texts) assert.ok(output.includes(text), `"${text}" is not in the output:\n${output}`);
}
