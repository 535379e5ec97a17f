import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Signer, SigningRequest } from '../../../src/infra/signer/signer.ts';
import { issuerOf } from '../../../src/package/signing/issuer.ts';
import { verifySignedPackage } from '../../../src/package/signing/verify/verify-package.ts';
import { ADDON_ID, editedCopy, filesOf, type SigningFixture, signingFixture } from './signing-fixture.ts';

let fixture: SigningFixture;
let other: SigningFixture;
let signed: string;

beforeAll(async () => {
  fixture = await signingFixture();
  other = await signingFixture();
  signed = (await fixture.sign()).path;
});
afterAll(async () => {
  await fixture.folder.remove();
  await other.folder.remove();
});

type Files = Map<string, Buffer>;

function replaceText(files: Files, name: string, from: string | RegExp, to: string): void {
  const before = files.get(name)?.toString('latin1') ?? '';
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${name} has nothing like ${from}.`);
  files.set(name, Buffer.from(after, 'latin1'));
}

function rename(files: Files, from: string, to: string): void {
  const content = files.get(from);
  if (content) files.set(to, content);
  files.delete(from);
}

/** The name of a change, the change, and the reported problem. */
const tampers: [string, (files: Files) => void, string][] = [
  [
    'a changed file',
    (f) => replaceText(f, 'background.js', 'runtime', 'evil'),
    'background.js was changed after signing',
  ],
  ['an emptied file', (f) => f.set('background.js', Buffer.alloc(0)), 'background.js was changed after signing'],
  ['an added file', (f) => f.set('added.js', Buffer.from('x')), 'added.js was added after signing'],
  [
    'an added file in META-INF',
    (f) => f.set('META-INF/x.txt', Buffer.from('x')),
    'META-INF/x.txt was added after signing',
  ],
  ['a removed file', (f) => f.delete('background.js'), 'background.js was removed after signing'],
  ['a renamed file', (f) => rename(f, 'background.js', 'b.js'), 'b.js was added after signing'],
  ['no COSE signature', (f) => f.delete('META-INF/cose.sig'), 'the COSE signature (META-INF/cose.sig) is missing'],
  ['no COSE manifest', (f) => f.delete('META-INF/cose.manifest'), 'META-INF/cose.manifest is missing'],
  ['no PKCS#7 signature', (f) => f.delete('META-INF/addon.rsa'), 'the PKCS#7 signature (META-INF/*.rsa) is missing'],
  ['no signature file', (f) => f.delete('META-INF/addon.sf'), 'the signature file (META-INF/*.sf) is missing'],
  ['no manifest', (f) => f.delete('META-INF/manifest.mf'), 'META-INF/manifest.mf is missing'],
  [
    'two PKCS#7 signatures',
    (f) => f.set('META-INF/b.rsa', Buffer.from('x')),
    'the PKCS#7 signature (META-INF/*.rsa) is there more than once: META-INF/addon.rsa, META-INF/b.rsa',
  ],
  [
    'two signature files',
    (f) => f.set('META-INF/b.SF', Buffer.from('x')),
    'the signature file (META-INF/*.sf) is there more than once: META-INF/addon.sf, META-INF/b.SF',
  ],
  [
    'a signature of another kind',
    (f) => f.set('META-INF/b.dsa', Buffer.from('x')),
    'META-INF/b.dsa is a signature that does not belong there',
  ],
  [
    'a spelling that browsers do not see',
    (f) => rename(f, 'META-INF/addon.rsa', 'META-INF/addon.Rsa'),
    'META-INF/addon.Rsa is spelled in a way that browsers do not recognise',
  ],
  [
    'an edited signature file',
    (f) => replaceText(f, 'META-INF/addon.sf', /(Name: background.js\n)SHA-256-Digest: ./, '$1SHA-256-Digest: +'),
    'META-INF/addon.rsa is not valid: the signature file was changed after signing',
  ],
  [
    'an edited manifest',
    (f) => replaceText(f, 'META-INF/manifest.mf', 'Name: background.js', 'Name: backdrop.js'),
    'META-INF/manifest.mf or META-INF/addon.sf was changed after signing',
  ],
  [
    'a changed file with its digests put right in the lists',
    (f) => {
      replaceText(f, 'META-INF/manifest.mf', /Name: background.js\n[\s\S]*?\n\n/, '');
      replaceText(f, 'META-INF/cose.manifest', /Name: background.js\n[\s\S]*?\n\n/, '');
      f.delete('background.js');
    },
    'META-INF/cose.sig is not valid: the signature does not fit META-INF/cose.manifest; one of them was changed',
  ],
  [
    'a file listed twice',
    (f) => replaceText(f, 'META-INF/manifest.mf', /(Name: background.js\n[\s\S]*?\n\n)/, '$1$1'),
    'META-INF/manifest.mf is not valid: background.js is listed twice',
  ],
  [
    'two digests of one kind',
    (f) => replaceText(f, 'META-INF/manifest.mf', /(SHA256-Digest: .*\n)/, '$1$1'),
    'META-INF/manifest.mf is not valid: an attribute appears twice (sha256-digest)',
  ],
  [
    'a long line',
    (f) => replaceText(f, 'META-INF/cose.manifest', '1.0\n', `1.0\nX: ${'x'.repeat(70)}\n`),
    'META-INF/cose.manifest is not valid: a line is longer than 72 bytes',
  ],
  [
    'another first line',
    (f) => replaceText(f, 'META-INF/cose.manifest', '1.0', '1.1'),
    'META-INF/cose.manifest is not valid: its first line is wrong',
  ],
  [
    'a signature block that is no signature',
    (f) => f.set('META-INF/addon.rsa', Buffer.from('not a signature')),
    'META-INF/addon.rsa is not valid: it is cut short',
  ],
  [
    'a cut off COSE signature',
    (f) => f.set('META-INF/cose.sig', (f.get('META-INF/cose.sig') ?? Buffer.alloc(0)).subarray(0, -1)),
    'META-INF/cose.sig is not valid: it is cut short',
  ],
  [
    'bytes after the COSE signature',
    (f) => f.set('META-INF/cose.sig', Buffer.concat([f.get('META-INF/cose.sig') ?? Buffer.alloc(0), Buffer.from([0])])),
    'META-INF/cose.sig is not valid: it is followed by other bytes',
  ],
  [
    'a signature block of many kilobytes',
    (f) => f.set('META-INF/addon.rsa', randomBytes(100_000)),
    'the archive is damaged or unsafe: File exceeding size limit in archive: META-INF/addon.rsa',
  ],
  [
    'a COSE signature of many kilobytes',
    (f) => f.set('META-INF/cose.sig', randomBytes(100_000)),
    'the archive is damaged or unsafe: File exceeding size limit in archive: META-INF/cose.sig',
  ],
  [
    'more sections than a package may have files',
    (f) => f.set('META-INF/manifest.mf', Buffer.from(`Manifest-Version: 1.0\n\n${'a:b\n\n'.repeat(30_000)}`)),
    'META-INF/manifest.mf is not valid: it has more sections than a package has files',
  ],
  [
    'another file altogether',
    (f) => {
      for (const name of [...f.keys()]) if (name.startsWith('META-INF/')) f.delete(name);
    },
    'the file is not signed',
  ],
];

describe('verification of a modified file reports', () => {
  it.each(tampers)('%s', async (_, edit, problem) => {
    const { ok, problems } = await fixture.verify(await editedCopy(fixture.folder, signed, edit));
    expect(problems).toContain(problem);
    expect(ok).toBe(false);
  });

  it('no problem for an unmodified copy in another container', async () => {
    expect((await fixture.verify(await editedCopy(fixture.folder, signed, () => {}))).problems).toEqual([]);
  });
});

describe('verification', () => {
  it('refuses a file signed for another add-on', async () => {
    const { ok, problems } = await fixture.verify(signed, 'other@example.com');
    expect({ ok, problems }).toEqual({
      ok: false,
      problems: [`the file is signed for "${ADDON_ID}", not for "other@example.com"`],
    });
  });

  it('refuses a file under another root', async () => {
    const { ok, problems } = await other.verify(signed);
    const issuer = issuerOf(fixture.signer).nameText;
    expect({ ok, problems }).toEqual({
      ok: false,
      problems: [`the certificate does not lead to a trusted root; its issuer is "${issuer}"`],
    });
  });

  it('refuses a file of another class', async () => {
    const { path } = await fixture.sign(undefined, { organizationalUnit: 'Privileged' });
    expect((await fixture.verify(path)).problems).toEqual([
      'the certificate is of the class "Privileged", not "Production"',
    ]);
    expect(await verifySignedPackage(path, { roots: [fixture.rootPem], ou: 'Privileged' })).toMatchObject({ ok: true });
  });

  it('refuses a PKCS#7 signature for one add-on with a COSE signature for another', async () => {
    const foreign = await filesOf((await fixture.sign(undefined, { addonId: 'other@example.com' })).path);
    const mixed = await editedCopy(fixture.folder, signed, (files) => {
      files.set('META-INF/cose.sig', foreign.get('META-INF/cose.sig') ?? Buffer.alloc(0));
    });
    const { problems } = await verifySignedPackage(mixed, { roots: [fixture.rootPem] });
    expect(problems).toEqual([
      'META-INF/cose.sig was changed after signing',
      `the file is signed for "other@example.com", not for "${ADDON_ID}"`,
    ]);
  });

  it('returns the id of the add-on if none is expected', async () => {
    expect(await verifySignedPackage(signed, { roots: [fixture.rootPem] })).toMatchObject({ ok: true, id: ADDON_ID });
  });

  it('accepts several roots, in one text or in several', async () => {
    const roots = [other.rootPem, fixture.rootPem];
    expect(await verifySignedPackage(signed, { roots })).toMatchObject({ ok: true });
    expect(await verifySignedPackage(signed, { roots: [roots.join('')] })).toMatchObject({ ok: true });
  });

  it('throws without a root', async () => {
    await expect(verifySignedPackage(signed, { roots: [] })).rejects.toThrow('at least one root certificate');
  });
});

describe('a broken signer', () => {
  const garbage: [string, (signature: Buffer) => Buffer][] = [
    ['random bytes', () => randomBytes(72)],
    ['nothing', () => Buffer.alloc(0)],
    [
      'a damaged signature',
      (signature) => Buffer.concat([signature.subarray(0, -1), Buffer.from([~(signature.at(-1) ?? 0) & 0xff])]),
    ],
  ];
  it.each(garbage)('that returns %s produces a file that does not verify', async (_, spoil) => {
    const signTbs: Signer['signTbs'] = async (tbs, request) => spoil(await fixture.signer.signTbs(tbs, request));
    const signer = { algorithm: fixture.signer.algorithm, chain: () => fixture.signer.chain(), signTbs };
    const { ok, problems } = await fixture.verify((await fixture.sign(undefined, { signer })).path);
    expect(ok).toBe(false);
    expect(problems[0]).toMatch(/does not lead to a trusted root|is not valid/);
  });

  it('that signs for another authority produces a file that does not verify', async () => {
    const signer = {
      algorithm: other.signer.algorithm,
      chain: () => fixture.signer.chain(),
      signTbs: (tbs: Buffer, request: SigningRequest) => other.signer.signTbs(tbs, request),
    };
    const { path } = await fixture.sign(undefined, { signer });
    expect((await fixture.verify(path)).ok).toBe(false);
  });

  it('that throws makes signing throw', async () => {
    const signTbs = () => Promise.reject(new Error('the key is not reachable'));
    const signer = { algorithm: fixture.signer.algorithm, chain: () => fixture.signer.chain(), signTbs };
    await expect(fixture.sign(undefined, { signer })).rejects.toThrow('the key is not reachable');
  });
});

/** A seeded generator (mulberry32), so that failures are reproducible. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

it('300 random changes of single bytes are never accepted with changed content', async () => {
  const bytes = await readFile(signed);
  const original = await filesOf(signed);
  const random = seeded(20_181_025);
  const copy = fixture.folder.next('.xpi');
  let refused = 0;
  for (let round = 0; round < 300; round++) {
    const mutated = Buffer.from(bytes);
    const at = Math.floor(random() * mutated.length);
    mutated[at] = (mutated[at] ?? 0) ^ (1 + Math.floor(random() * 255));
    await writeFile(copy, mutated);
    const { ok, problems } = await fixture.verify(copy);
    expect(ok).toBe(problems.length === 0);
    if (!ok) refused++;
    // Fields that no reader uses, such as the date of an entry, may change undetected.
    else expect(await filesOf(copy)).toEqual(original);
  }
  expect(refused).toBeGreaterThan(250);
});
