import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, isPublished, readVersion, succeeded, untilPublic, versionNumbers } from './checks.ts';
import { type Lane, newFolder, type Outcome, runTool, type Scenario } from './lane.ts';
import { bracedId, createAddon, writeBrokenPackage, writePackage, writeSourceArchive } from './package-tool.ts';

const RUNNER = join(import.meta.dirname, 'run-amo-upload.ts');
/** How often it looks for a signature; its default is every 30 s. */
const POLL_MS = 1000;
const POLLS = 60;

/** The scenarios of `amo-upload`, in this order. */
export const amoUploadScenarios: Scenario[] = [
  { name: 'signs a version with source code, notes and applications', run: signs },
  { name: 'fetches the file of a version that exists', run: existing },
  { name: 'prints that another file has the number of a version', run: conflict },
  { name: 'prints that a package is invalid', run: invalid },
  { name: 'continues after a submission whose response was lost', run: lostResponse },
  { name: 'submits a listed version, which waits for approval', run: listed },
];

interface Call {
  version: string;
  file?: string;
  channel?: 'listed';
  /** Further options of the function. */
  more?: Record<string, unknown>;
  /** Whether the signed file is saved. */
  isSaved?: boolean;
}

async function sign(lane: Lane, { version, more, ...call }: Call): Promise<Outcome & { saved: string[] }> {
  const { site, proxy, program } = lane;
  const saveTo = await newFolder(lane, 'saved');
  const options = {
    apiKey: site.key,
    apiSecret: site.secret,
    apiPrefix: proxy.url,
    addonId: bracedId(lane),
    addonVersion: version,
    channel: call.channel ?? 'unlisted',
    distFile: call.file ?? (await writePackage(lane, version)),
    ...(call.isSaved === false ? {} : { output: saveTo }),
    pollInterval: POLL_MS,
    pollRetry: POLLS,
    ...more,
  };
  const outcome = await runTool({ ...lane, program: RUNNER }, [program, JSON.stringify(options)]);
  const saved = (await readdir(saveTo)).map((name) => join(saveTo, name));
  return { ...outcome, saved };
}

async function signs(lane: Lane): Promise<void> {
  await createAddon(lane);
  const more = {
    sourceFile: await writeSourceArchive(lane),
    approvalNotes: 'Build with make.',
    releaseNotes: { 'en-US': 'Faster.' },
    compatibility: ['firefox', 'android'],
  };
  const { saved, ...outcome } = await sign(lane, { version: '1.0', more });
  succeeded(outcome);
  await isPublished(lane, saved[0] ?? '', bracedId(lane), '1.0');
  const { approval_notes, release_notes, compatibility, source } = await readVersion(lane, bracedId(lane), '1.0');
  assert.deepEqual([approval_notes, release_notes], ['Build with make.', { 'en-US': 'Faster.' }]);
  assert.deepEqual(Object.keys(compatibility).sort(), ['desktop_browser', 'mobile_browser']);
  assert.notEqual(source, null);
}

async function existing(lane: Lane): Promise<void> {
  const { saved, ...outcome } = await sign(lane, { version: '1.0' });
  succeeded(outcome);
  await isPublished(lane, saved[0] ?? '', bracedId(lane), '1.0');
  assert.deepEqual(await versionNumbers(lane, bracedId(lane)), ['1.0', '0.9']);
}

/** It looks for the version it is called with, here one that does not exist. */
async function conflict(lane: Lane): Promise<void> {
  const { saved, ...outcome } = await sign(lane, { version: '7.0', file: await writePackage(lane, '1.0') });
  failed(outcome, '409', 'Version 1.0 already exists.');
  assert.deepEqual(saved, []);
}

async function invalid(lane: Lane): Promise<void> {
  const { saved, ...outcome } = await sign(lane, { version: '1.1', file: await writeBrokenPackage(lane, '1.1') });
  failed(outcome, 'The uploaded file is not valid and rejected by the validator');
  assert.deepEqual(saved, []);
}

async function lostResponse(lane: Lane): Promise<void> {
  lane.proxy.loseNext('POST', /\/versions\/$/);
  failed(await sign(lane, { version: '1.1' }), 'fetch failed');
  await untilPublic(lane, bracedId(lane), '1.1');
  const { saved, ...outcome } = await sign(lane, { version: '1.1' });
  succeeded(outcome);
  await isPublished(lane, saved[0] ?? '', bracedId(lane), '1.1');
  assert.deepEqual(await versionNumbers(lane, bracedId(lane)), ['1.1', '1.0', '0.9']);
}

async function listed(lane: Lane): Promise<void> {
  await lane.site.completeListing(bracedId(lane));
  const { saved, ...outcome } = await sign(lane, { version: '2.0', channel: 'listed', isSaved: false });
  const { channel, file } = await readVersion(lane, bracedId(lane), '2.0');
  succeeded(outcome, file.url.slice(file.url.lastIndexOf('/') + 1));
  assert.deepEqual([channel, file.status, saved], ['listed', 'unreviewed', []]);
}
