import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { verifySignedPackage } from '../../src/package/signing/verify/verify-package.ts';
import { brokenPackage } from '../support/packages.ts';
import { type Attempt, attempt, identity, prefixOf, type Stage } from './stage.ts';

export interface Scenario {
  name: string;
  /** Whether it makes sense only for a client that sends the file as it is. */
  needsOwnFile?: boolean;
  /** @throws {AssertionError} when the client is not told, or does not get, what it should. */
  play(stage: Stage): Promise<unknown>;
}

/** Large enough for clients that treat large bodies in another way, and not to be compressed. */
const LARGE_BYTES = 2_000_000;

/** What every client has to get through, in this order. */
export const scenarios: Scenario[] = [
  { name: 'signs a new add-on', play: (stage) => signed(stage, { version: '1.0' }) },
  {
    name: 'is refused a version that exists',
    play: (stage) => refused(stage, { version: '1.0' }, 409, 'Version already exists. Latest version is: 1.0.'),
  },
  { name: 'is told that its package is broken', play: invalid },
  {
    name: 'signs the next version, a large one, with the number of the broken one',
    play: (stage) => signed(stage, { version: '1.1', files: { 'large.bin': randomBytes(LARGE_BYTES) } }),
  },
  { name: 'signs an add-on without an id, and its next version', play: withoutId },
  {
    name: 'is refused with the wrong secret',
    play: (stage) => refused(stage, { version: '1.2', secret: 'wrong' }, 401, 'Error decoding signature.'),
  },
  { name: 'is refused what is no package', needsOwnFile: true, play: noPackage },
  {
    name: 'is refused a listed version without metadata',
    play: (stage) => {
      const text = 'You cannot add a listed version to this addon via the API due to missing metadata.';
      return refused(stage, { version: '2.0', channel: 'listed' }, 400, text);
    },
  },
  { name: 'submits a listed version for review', play: listed },
];

/** The attempt succeeds, and what the client saved is the published file, which is signed for the add-on. */
async function signed(stage: Stage, made: Attempt): Promise<string> {
  const { exitCode, output, id, saved } = await attempt(stage, made);
  assert.equal(exitCode, 0, output);
  const guid = made.id ?? (made.id === null ? id : stage.guid);
  assert.ok(guid, `the client does not know the id of the add-on: ${output}`);
  const [path = '', ...others] = saved;
  assert.ok(path !== '' && others.length === 0, `saved: ${saved.join(', ')}\n${output}`);
  const status = await stage.site.status(prefixOf(stage), guid, made.version);
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  assert.deepEqual(
    status.files.map(({ hash, signed }) => ({ hash, signed })),
    [{ hash: `sha256:${sha256}`, signed: true }],
  );
  const { problems } = await verifySignedPackage(path, { roots: [stage.site.rootPem], id: guid });
  assert.deepEqual(problems, []);
  return guid;
}

/** The attempt is refused at once with this status and text, and the client says so. */
async function refused(stage: Stage, made: Attempt, status: number, text: string): Promise<void> {
  const { exitCode, output, saved } = await attempt(stage, made);
  assertTold(output, `Server response: ${text}`);
  assertTold(output, `(status: ${status})`);
  assertFailed(exitCode, output, saved, 'SERVER_FAILURE');
}

async function invalid(stage: Stage): Promise<void> {
  const content = await brokenPackage({ version: '1.1', ...identity(stage.client, stage.guid) });
  const { exitCode, output, saved } = await attempt(stage, { version: '1.1', content });
  assertTold(output, 'failed validation');
  assertFailed(exitCode, output, saved, 'VALIDATION_FAILED');
  const { processed, valid, validation_url } = await stage.site.status(prefixOf(stage), stage.guid, '1.1');
  assert.deepEqual({ processed, valid }, { processed: true, valid: false });
  assertTold(output, validation_url);
  const page = await fetch(validation_url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /background\.js/);
}

async function withoutId(stage: Stage): Promise<void> {
  const guid = await signed(stage, { version: '1.0', id: null });
  await signed(stage, { version: '1.1', id: guid, withoutIdInManifest: true });
}

function noPackage(stage: Stage): Promise<void> {
  const made = { version: '1.2', content: Buffer.from('no package') };
  return refused(stage, made, 400, 'Could not parse the manifest file.');
}

async function listed(stage: Stage): Promise<void> {
  await stage.site.completeListing(stage.guid);
  const { exitCode, output, saved } = await attempt(stage, { version: '2.0', channel: 'listed' });
  assertTold(output, 'submitted for review');
  assertFailed(exitCode, output, saved, 'ADDON_NOT_AUTO_SIGNED');
  const { processed, valid, reviewed, active, automated_signing, files } = await stage.site.status(
    prefixOf(stage),
    stage.guid,
    '2.0',
  );
  const flags = { processed, valid, reviewed, active, automated_signing, signed: files.map(({ signed }) => signed) };
  const waiting = {
    processed: true,
    valid: true,
    reviewed: false,
    active: false,
    automated_signing: false,
    signed: [false],
  };
  assert.deepEqual(flags, waiting);
}

function assertTold(output: string, text: string): void {
  assert.ok(output.includes(text), `"${text}" is not in what the client printed:\n${output}`);
}

/** From version 2 on, `sign-addon` names the kind of failure. */
function assertFailed(exitCode: number, output: string, saved: string[], errorCode: string): void {
  assert.equal(exitCode, 1, output);
  assert.deepEqual(saved, []);
  const told = /"errorCode":"(\w+)"/.exec(output)?.[1];
  if (told !== undefined) assert.equal(told, errorCode);
}
