import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { verifySignedPackage } from '../../src/package/signing/verify/verify-package.ts';
import { brokenPackage } from '../support/packages.ts';
import { type Attempt, attempt, identity, prefixOf, type ScenarioContext } from './scenario-context.ts';

export interface Scenario {
  name: string;
  /** Whether it requires a client that sends the file unchanged. */
  needsOwnFile?: boolean;
  /** @throws {AssertionError} if the client prints or saves something unexpected. */
  run(context: ScenarioContext): Promise<unknown>;
}

/** Above the size from which clients send bodies differently. The content is incompressible. */
const LARGE_BYTES = 2_000_000;

/** The scenarios of every client, in this order: later ones use the add-ons of earlier ones. */
export const scenarios: Scenario[] = [
  { name: 'signs a new add-on', run: (context) => signed(context, { version: '1.0' }) },
  {
    name: 'reports that a version exists',
    run: (context) => refused(context, { version: '1.0' }, 409, 'Version already exists. Latest version is: 1.0.'),
  },
  { name: 'reports a failed validation', run: invalid },
  {
    name: 'signs a large version with the number of the failed one',
    run: (context) => signed(context, { version: '1.1', files: { 'large.bin': randomBytes(LARGE_BYTES) } }),
  },
  { name: 'signs an add-on without an id, and its next version', run: withoutId },
  {
    name: 'reports a wrong secret',
    run: (context) => refused(context, { version: '1.2', secret: 'wrong' }, 401, 'Error decoding signature.'),
  },
  { name: 'reports a file that is not a package', needsOwnFile: true, run: notPackage },
  {
    name: 'reports a listed version without metadata',
    run: (context) => {
      const text = 'You cannot add a listed version to this addon via the API due to missing metadata.';
      return refused(context, { version: '2.0', channel: 'listed' }, 400, text);
    },
  },
  {
    name: 'signs with a key for the add-on alone',
    run: async (context) => signed(context, { version: '1.3', credentials: await context.site.addonKey(context.guid) }),
  },
  { name: 'signs with the key of a job, which is refused for another add-on', run: fromJob },
  { name: 'submits a listed version for review', run: listed },
];

/** Expects success, and that the saved file is the published one, signed for the add-on. */
async function signed(context: ScenarioContext, made: Attempt): Promise<string> {
  const { exitCode, output, id, saved } = await attempt(context, made);
  assert.equal(exitCode, 0, output);
  const guid = made.id ?? (made.id === null ? id : context.guid);
  assert.ok(guid, `the client did not report the id of the add-on: ${output}`);
  const [path = '', ...others] = saved;
  assert.ok(path !== '' && others.length === 0, `saved: ${saved.join(', ')}\n${output}`);
  const status = await context.site.status(prefixOf(context), guid, made.version);
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  assert.deepEqual(
    status.files.map(({ hash, signed }) => ({ hash, signed })),
    [{ hash: `sha256:${sha256}`, signed: true }],
  );
  const { problems } = await verifySignedPackage(path, { roots: [context.site.rootPem], id: guid });
  assert.deepEqual(problems, []);
  return guid;
}

/** Expects that the service refuses the upload with this status and text, and that the client prints them. */
async function refused(context: ScenarioContext, made: Attempt, status: number, text: string): Promise<void> {
  const { exitCode, output, saved } = await attempt(context, made);
  assertPrinted(output, `Server response: ${text}`);
  assertPrinted(output, `(status: ${status})`);
  assertFailed(exitCode, output, saved, 'SERVER_FAILURE');
}

async function invalid(context: ScenarioContext): Promise<void> {
  const content = await brokenPackage({ version: '1.1', ...identity(context.client, context.guid) });
  const { exitCode, output, saved } = await attempt(context, { version: '1.1', content });
  assertPrinted(output, 'failed validation');
  assertFailed(exitCode, output, saved, 'VALIDATION_FAILED');
  const { processed, valid, validation_url } = await context.site.status(prefixOf(context), context.guid, '1.1');
  assert.deepEqual({ processed, valid }, { processed: true, valid: false });
  assertPrinted(output, validation_url);
  const page = await fetch(validation_url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /background\.js/);
}

async function withoutId(context: ScenarioContext): Promise<void> {
  const guid = await signed(context, { version: '1.0', id: null });
  await signed(context, { version: '1.1', id: guid, withoutIdInManifest: true });
}

async function fromJob(context: ScenarioContext): Promise<void> {
  const credentials = await context.site.jobKey(context.guid);
  await signed(context, { version: '1.4', credentials });
  const text = 'This API key only uploads versions of another add-on, and changes only versions that it has uploaded.';
  const other = { version: '1.0', id: `other.${context.api}@example.org`, credentials };
  const { exitCode, output, saved } = await attempt(context, other);
  assertPrinted(output, text);
  assertFailed(exitCode, output, saved, 'SERVER_FAILURE');
}

function notPackage(context: ScenarioContext): Promise<void> {
  const made = { version: '1.2', content: Buffer.from('not a package') };
  return refused(context, made, 400, 'Could not parse the manifest file.');
}

async function listed(context: ScenarioContext): Promise<void> {
  await context.site.completeListing(context.guid);
  const { exitCode, output, saved } = await attempt(context, { version: '2.0', channel: 'listed' });
  assertPrinted(output, 'submitted for review');
  assertFailed(exitCode, output, saved, 'ADDON_NOT_AUTO_SIGNED');
  const { processed, valid, reviewed, active, automated_signing, files } = await context.site.status(
    prefixOf(context),
    context.guid,
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

function assertPrinted(output: string, text: string): void {
  assert.ok(output.includes(text), `"${text}" is not in what the client printed:\n${output}`);
}

/** `sign-addon` 2 and later print an error code. */
function assertFailed(exitCode: number, output: string, saved: string[], errorCode: string): void {
  assert.equal(exitCode, 1, output);
  assert.deepEqual(saved, []);
  const printed = /"errorCode":"(\w+)"/.exec(output)?.[1];
  if (printed !== undefined) assert.equal(printed, errorCode);
}
