import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  Extension,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeIdIntoManifest } from '../../../src/package/signing/manifest-id.ts';
import {
  ADDON_FILES,
  editedCopy,
  filesOf,
  keyPem,
  newKeyPair,
  openChain,
  operatorChain,
  pem,
  type SigningFixture,
  signingFixture,
  temporaryFolder,
} from './signing-fixture.ts';

const run = promisify(execFile);

async function isThere(command: string, ...args: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}

/** Path of an independent verifier of signed packages, a Python script, if XPI_VERIFIER is set. */
const verifier = process.env.XPI_VERIFIER;
const hasOpenssl = await isThere('openssl', 'version');
const hasVerifier = verifier !== undefined && hasOpenssl && (await isThere('python3', '--version'));

interface Judged {
  ok: boolean;
  output: string;
}

/** Runs the verifier. Exit status 1 is a negative result; any other failure is an error of the test. */
async function judge(fixture: SigningFixture, path: string, id: string, input?: string): Promise<Judged> {
  const root = fixture.folder.next('.pem');
  await writeFile(root, fixture.rootPem);
  const unsigned = input ? ['--unsigned', input] : [];
  const args = [verifier ?? '', '--root', root, '--id', id, '--require-cose', ...unsigned, path];
  try {
    return { ok: true, output: (await run('python3', args)).stdout };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 1 && 'stdout' in error) {
      return { ok: false, output: String(error.stdout) };
    }
    throw error;
  }
}

function nameConstraints(domain: string): Extension {
  const permittedSubtrees = new GeneralSubtrees([new GeneralSubtree({ base: new GeneralName({ dNSName: domain }) })]);
  const value = AsnConvert.serialize(new NameConstraints({ permittedSubtrees }));
  return new Extension({ extnID: id_ce_nameConstraints, critical: true, extnValue: new OctetString(value) });
}

/** A fixture with the intermediate of an operator. */
async function operatorFixture(kind: string): Promise<SigningFixture> {
  const made = await operatorChain({
    intermediateKey: kind === 'RSA-4096' ? newKeyPair(4096).privateKey : newKeyPair('P-256').privateKey,
    rootKey: kind === 'RSA-4096' ? newKeyPair(2048).privateKey : newKeyPair('P-384').privateKey,
    moreExtensions: kind === 'limited to a domain' ? [nameConstraints('signing.example.com')] : [],
  });
  const folder = await temporaryFolder();
  const signer = await openChain(folder, keyPem(made.intermediateKey), pem(made.intermediate) + pem(made.root));
  await folder.remove();
  return signingFixture({ signer, rootPem: pem(made.root) });
}

const authorities: [string, () => Promise<SigningFixture>][] = [
  ['the development authority', () => signingFixture()],
  ["an operator's P-256 intermediate", () => operatorFixture('P-256')],
  ["an operator's RSA-4096 intermediate", () => operatorFixture('RSA-4096')],
  ['an intermediate limited to a domain', () => operatorFixture('limited to a domain')],
];

const LONG_ID = `${'long'.repeat(20)}@example.com`;
const addons: [string, Record<string, string>][] = [
  ['notes@example.com', {}],
  ['{3a0c5e1c-4f3c-4b6f-9f58-7d5b2a8a9d11}', { [`ж${'ж'.repeat(60)}.txt`]: 'x', 'a b/ünïcode 😀.js': '' }],
  [
    LONG_ID,
    { 'META-INF/kept.txt': 'x', 'META-INF/OLD.RSA': 'x', [`${'n'.repeat(66)}`]: 'y', [`${'m'.repeat(67)}`]: 'z' },
  ],
];

describe.each(authorities)('packages signed under %s', (_, createFixture) => {
  let fixture: SigningFixture;
  beforeAll(async () => {
    fixture = await createFixture();
  });
  afterAll(() => fixture.folder.remove());

  it('verify with our independent implementation', async () => {
    for (const [addonId, files] of addons) {
      const { path } = await fixture.sign({ ...ADDON_FILES, ...files }, { addonId });
      expect((await fixture.verify(path, addonId)).problems).toEqual([]);
    }
  });

  it.skipIf(!hasOpenssl)('have a PKCS#7 signature that openssl accepts (skipped: no openssl)', async () => {
    const { path } = await fixture.sign();
    const files = await filesOf(path);
    const inFolder = { cwd: fixture.folder.path };
    await writeFile(`${fixture.folder.path}/block.der`, files.get('META-INF/addon.rsa') ?? '');
    await writeFile(`${fixture.folder.path}/signature.sf`, files.get('META-INF/addon.sf') ?? '');
    await writeFile(`${fixture.folder.path}/root.pem`, fixture.rootPem);
    const args = ['-verify', '-binary', '-inform', 'DER', '-in', 'block.der', '-content', 'signature.sf'];
    const trust = ['-CAfile', 'root.pem', '-purpose', 'any', '-x509_strict', '-out', 'out'];
    const { stderr } = await run('openssl', ['cms', ...args, ...trust], inFolder);
    expect(stderr).toMatch(/successful/);
  });

  it.skipIf(!hasVerifier)('are accepted by the independent verifier (skipped: no XPI_VERIFIER)', async () => {
    for (const [addonId, files] of addons) {
      const { path, input, certificates } = await fixture.sign({ ...ADDON_FILES, ...files }, { addonId });
      const { ok, output } = await judge(fixture, path, addonId, input);
      expect(output).toMatch(/^OK/);
      expect(output).toContain(certificates[0]?.serial);
      expect(ok).toBe(true);
    }
  });
});

describe.skipIf(!hasVerifier)('the independent verifier and ours agree (skipped: no XPI_VERIFIER)', () => {
  const edits: [string, (files: Map<string, Buffer>) => void][] = [
    ['changed', (files) => files.set('background.js', Buffer.from('x'))],
    ['removed', (files) => files.delete('background.js')],
    ['added', (files) => files.set('added.js', Buffer.from('x'))],
    ['without COSE', (files) => files.delete('META-INF/cose.sig')],
    ['without PKCS#7', (files) => files.delete('META-INF/addon.rsa')],
    ['with two PKCS#7 blocks', (files) => files.set('META-INF/b.rsa', Buffer.from('x'))],
  ];
  it.each(edits)('about a file that was %s', async (_, edit) => {
    const fixture = await signingFixture();
    const { path } = await fixture.sign();
    const copy = await editedCopy(fixture.folder, path, edit);
    expect((await judge(fixture, copy, 'notes@example.com')).ok).toBe(false);
    expect((await fixture.verify(copy)).ok).toBe(false);
    await fixture.folder.remove();
  });

  it('about a file signed again, with the id written into its manifest', async () => {
    const fixture = await signingFixture();
    const first = await fixture.sign();
    const manifest = writeIdIntoManifest(Buffer.from(String(ADDON_FILES['manifest.json'])), 'notes@example.com');
    const second = await fixture.signFile(first.path, { replacements: new Map([['manifest.json', manifest]]) });
    expect((await judge(fixture, second.path, 'notes@example.com')).output).toMatch(/^OK/);
    expect((await fixture.verify(second.path)).problems).toEqual([]);
    await fixture.folder.remove();
  });
});
