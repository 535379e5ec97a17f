import assert from 'node:assert/strict';
import { join } from 'node:path';
import { failed, isDownloadable, read, readVersion, succeeded, untilPublic, versionNumbers } from './checks.ts';
import { type Lane, type Outcome, runTool, type Scenario, writeInput } from './lane.ts';
import { bracedId, createAddon, writeBrokenPackage, writePackage, writeSourceArchive } from './package-tool.ts';

/** The tool has no option for the service's address: this module sends its requests to `SERVICE_URL`. */
const REDIRECT = join(import.meta.dirname, 'redirect-fetch.ts');

const METADATA = {
  support_email: { 'en-US': 'help@example.org' },
  tags: ['tools'],
  version: { approval_notes: 'Build with make.', release_notes: { 'en-US': 'Faster.' } },
};

/** The scenarios of `publish-extension`, in this order. It removes the braces of ids. */
export const publishScenarios: Scenario[] = [
  { name: 'signs a version', run: signs },
  { name: 'signs a version with metadata, source code and applications', run: withMetadata },
  { name: 'prints that a version exists', run: conflict },
  { name: 'prints that a package is invalid', run: invalid },
  { name: 'repeated after a lost response prints that the version exists', run: lostResponse },
  { name: 'submits a listed version, which waits for approval', run: listed },
];

async function publish(lane: Lane, file: string, more: string[] = [], channel = 'unlisted'): Promise<Outcome> {
  const { site, proxy } = lane;
  const credentials = ['--firefox-jwt-issuer', site.key, '--firefox-jwt-secret', site.secret];
  const what = ['--firefox-zip', file, '--firefox-extension-id', bracedId(lane), '--firefox-channel', channel];
  const options = { settings: { SERVICE_URL: proxy.url }, flags: ['--import', REDIRECT] };
  return runTool(lane, [...what, ...credentials, ...more], options);
}

async function signs(lane: Lane): Promise<void> {
  await createAddon(lane);
  succeeded(await publish(lane, await writePackage(lane, '1.0')));
  await isDownloadable(lane, bracedId(lane), '1.0');
}

async function withMetadata(lane: Lane): Promise<void> {
  const metadata = await writeInput(lane, 'metadata.json', JSON.stringify(METADATA));
  const sources = ['--firefox-sources-zip', await writeSourceArchive(lane)];
  const more = ['--firefox-amo-metadata-file', metadata, ...sources, '--firefox-compatibility', 'firefox,android'];
  succeeded(await publish(lane, await writePackage(lane, '1.1'), more));
  await isDownloadable(lane, bracedId(lane), '1.1');
  const { approval_notes, release_notes, compatibility, source } = await readVersion(lane, bracedId(lane), '1.1');
  assert.deepEqual({ approval_notes, release_notes }, METADATA.version);
  assert.deepEqual(Object.keys(compatibility).sort(), ['desktop_browser', 'mobile_browser']);
  assert.notEqual(source, null);
  const path = `addons/addon/${encodeURIComponent(bracedId(lane))}/`;
  const { support_email, tags } = await read<{ support_email: unknown; tags: unknown }>(lane, path);
  assert.deepEqual({ support_email, tags }, { support_email: METADATA.support_email, tags: METADATA.tags });
}

async function conflict(lane: Lane): Promise<void> {
  failed(await publish(lane, await writePackage(lane, '1.0')), '409', 'Version 1.0 already exists.');
}

async function invalid(lane: Lane): Promise<void> {
  const outcome = await publish(lane, await writeBrokenPackage(lane, '1.2'));
  failed(outcome, '400', 'Upload is not valid.');
}

/** It uploads the file again and cannot continue; the version is there once. */
async function lostResponse(lane: Lane): Promise<void> {
  lane.proxy.loseNext('POST', /\/versions\/$/);
  failed(await publish(lane, await writePackage(lane, '1.2')));
  failed(await publish(lane, await writePackage(lane, '1.2')), '409', 'Version 1.2 already exists.');
  await untilPublic(lane, bracedId(lane), '1.2');
  assert.deepEqual(await versionNumbers(lane, bracedId(lane)), ['1.2', '1.1', '1.0', '0.9']);
}

async function listed(lane: Lane): Promise<void> {
  await lane.site.completeListing(bracedId(lane));
  succeeded(await publish(lane, await writePackage(lane, '2.0'), [], 'listed'));
  const { channel, file } = await readVersion(lane, bracedId(lane), '2.0');
  assert.deepEqual([channel, file.status], ['listed', 'unreviewed']);
}
