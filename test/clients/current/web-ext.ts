import assert from 'node:assert/strict';
import { access, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiKey } from '../../crash/support/signing-client.ts';
import { zip } from '../../support/packages.ts';
import { failed, isPublished, read, readVersion, succeeded, versionNumbers } from './checks.ts';
import { type Lane, newFolder, type Outcome, runTool, type Scenario, wordOf, writeInput } from './lane.ts';

/** The file in which web-ext keeps an upload until it is submitted. */
const UPLOAD_FILE = '.amo-upload-uuid';
/** The file in which it keeps an id that the service assigned: comments, then the id. */
const ID_FILE = '.web-extension-id';

const METADATA = {
  categories: { firefox: ['other'] },
  summary: { 'en-US': 'Listed by a tool.', de: 'Von einem Werkzeug.' },
  version: { license: 'MPL-2.0', approval_notes: 'Build with make.', release_notes: { 'en-US': 'The first.' } },
};

/** The scenarios of `web-ext sign`, in this order. */
export const webExtScenarios: Scenario[] = [
  { name: 'signs a new add-on', run: (lane) => signed(lane, { version: '1.0' }) },
  { name: 'fetches the file of the same sources again', run: sameAgain },
  { name: 'signs the next version', run: (lane) => signed(lane, { version: '1.1' }) },
  { name: 'prints that a version exists', run: conflict },
  { name: 'prints the errors of a package, whose number stays free', run: invalid },
  { name: 'signs an add-on without an id, and its next version with the assigned id', run: withoutId },
  { name: 'submits a listed version with metadata', run: listed },
  { name: 'prints what a listed version lacks', run: incomplete },
  { name: 'sends source code', run: sourceCode },
  { name: 'repeats a submission whose response was lost', run: lostResponse },
  { name: 'signs with a key for the add-on alone, and sends source code', run: withAddonKey },
  { name: 'signs with the key of a job, which is refused for another add-on', run: fromJob },
  { name: 'prints that credentials are wrong', run: wrongSecret },
];

/** One call of the tool. */
interface Call {
  version: string;
  /** Null: none in the manifest. */
  guid?: string | null;
  script?: string;
  channel?: 'listed';
  secret?: string;
  credentials?: ApiKey;
  more?: string[];
}

const guidOf = (lane: Lane): string => `${wordOf(lane)}@example.org`;
const sourceOf = ({ folder }: Lane): string => join(folder, 'source');

/** Runs `web-ext sign` on a folder of sources, which keeps the tool's own files between calls. */
async function sign(lane: Lane, call: Call): Promise<Outcome & { saved: string[] }> {
  const { site, proxy } = lane;
  const guid = call.guid === undefined ? guidOf(lane) : call.guid;
  await writeSources(sourceOf(lane), guid, call);
  const saveTo = await newFolder(lane, 'saved');
  const folders = ['--source-dir', sourceOf(lane), '--artifacts-dir', saveTo];
  const address = ['--amo-base-url', `${proxy.url}/api/v5/`, '--channel', call.channel ?? 'unlisted'];
  const { key, secret } = call.credentials ?? site;
  const credentials = ['--api-key', key, '--api-secret', call.secret ?? secret];
  const words = ['sign', '--no-input', '--no-config-discovery', ...folders, ...address, ...credentials];
  const outcome = await runTool(lane, [...words, ...(call.more ?? [])]);
  const saved = (await readdir(saveTo)).map((name) => join(saveTo, name));
  return { ...outcome, saved };
}

async function writeSources(folder: string, guid: string | null, { version, script }: Call): Promise<void> {
  const settings = guid === null ? {} : { browser_specific_settings: { gecko: { id: guid } } };
  const background = { scripts: ['background.js'] };
  const manifest = { manifest_version: 2, name: 'Clock', version, background, ...settings };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'background.js'), script ?? 'console.log("started");\n');
}

async function signed(lane: Lane, call: Call): Promise<void> {
  const { saved, ...outcome } = await sign(lane, call);
  succeeded(outcome);
  const [path = '', ...others] = saved;
  assert.deepEqual(others, []);
  await isPublished(lane, path, call.guid ?? guidOf(lane), call.version);
}

async function sameAgain(lane: Lane): Promise<void> {
  await access(join(sourceOf(lane), UPLOAD_FILE));
  await signed(lane, { version: '1.0' });
  assert.deepEqual(await versionNumbers(lane, guidOf(lane)), ['1.0']);
}

async function conflict(lane: Lane): Promise<void> {
  const script = 'console.log("changed");\n';
  failed(await sign(lane, { version: '1.1', script }), 'Conflict', 'Version 1.1 already exists.');
}

async function invalid(lane: Lane): Promise<void> {
  const outcome = await sign(lane, { version: '1.2', script: 'const broken = ;\n' });
  failed(outcome, 'Validation failed', 'background.js');
  assert.deepEqual(await versionNumbers(lane, guidOf(lane)), ['1.1', '1.0']);
  await signed(lane, { version: '1.2' });
}

async function withoutId(lane: Lane): Promise<void> {
  const { saved, ...outcome } = await sign(lane, { version: '1.0', guid: null });
  succeeded(outcome, 'Generated extension ID');
  const text = await readFile(join(sourceOf(lane), ID_FILE), 'utf8');
  const guid = text.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? '';
  await isPublished(lane, saved[0] ?? '', guid, '1.0');
  await signed(lane, { version: '1.1', guid });
  await rm(join(sourceOf(lane), ID_FILE));
}

async function listed(lane: Lane): Promise<void> {
  const guid = `listed-${guidOf(lane)}`;
  const metadata = await writeInput(lane, 'metadata.json', JSON.stringify(METADATA));
  const more = ['--amo-metadata', metadata, '--approval-timeout', '0'];
  const { saved, ...outcome } = await sign(lane, { version: '1.0', guid, channel: 'listed', more });
  succeeded(outcome, 'Waiting for approval and download of signed XPI skipped');
  assert.deepEqual(saved, []);
  const { channel, file, approval_notes, license, release_notes } = await readVersion(lane, guid, '1.0');
  assert.deepEqual(
    { channel, status: file.status, approval_notes, license: license?.slug, release_notes },
    { channel: 'listed', status: 'unreviewed', ...METADATA.version, license: 'MPL-2.0' },
  );
  const addon = await read<{ status: string; summary: unknown; categories: unknown }>(lane, `addons/addon/${guid}/`);
  assert.deepEqual([addon.status, addon.summary], ['nominated', METADATA.summary]);
}

async function incomplete(lane: Lane): Promise<void> {
  const guid = `incomplete-${guidOf(lane)}`;
  const outcome = await sign(lane, { version: '1.0', guid, channel: 'listed', more: ['--approval-timeout', '0'] });
  failed(outcome, 'Bad Request', 'This field, or custom_license, is required for listed versions.');
}

async function sourceCode(lane: Lane): Promise<void> {
  const archive = await writeInput(lane, 'sources.zip', await zip({ Makefile: 'all:\n', 'src/a.ts': 'export {};\n' }));
  await signed(lane, { version: '1.3', more: ['--upload-source-code', archive] });
  const { source } = await readVersion(lane, guidOf(lane), '1.3');
  assert.notEqual(source, null);
}

async function withAddonKey(lane: Lane): Promise<void> {
  const credentials = await lane.site.addonKey(guidOf(lane));
  const archive = await writeInput(lane, 'sources.zip', await zip({ Makefile: 'all:\n' }));
  await signed(lane, { version: '1.5', credentials, more: ['--upload-source-code', archive] });
  assert.notEqual((await readVersion(lane, guidOf(lane), '1.5')).source, null);
}

async function fromJob(lane: Lane): Promise<void> {
  const credentials = await lane.site.jobKey(guidOf(lane));
  await signed(lane, { version: '1.6', credentials });
  const outcome = await sign(lane, { version: '1.0', guid: `other-${guidOf(lane)}`, credentials });
  failed(outcome, 'Forbidden', 'This API key only uploads versions of another add-on');
}

async function lostResponse(lane: Lane): Promise<void> {
  lane.proxy.loseNext('PUT', new RegExp(encodeURIComponent(guidOf(lane)).replaceAll('%40', '(?:@|%40)')));
  failed(await sign(lane, { version: '1.4' }), 'fetch failed');
  await access(join(sourceOf(lane), UPLOAD_FILE));
  await signed(lane, { version: '1.4' });
  assert.equal((await versionNumbers(lane, guidOf(lane))).filter((version) => version === '1.4').length, 1);
}

async function wrongSecret(lane: Lane): Promise<void> {
  const outcome = await sign(lane, { version: '1.7', secret: 'wrong' });
  failed(outcome, 'Unauthorized', 'Error decoding signature.');
}
