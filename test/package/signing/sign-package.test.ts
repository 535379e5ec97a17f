import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { access, readFile, stat, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PackageError } from '../../../src/errors.ts';
import type { SigningRequest } from '../../../src/infra/signer/signer.ts';
import type { CertificateRecord } from '../../../src/package/signing/end-entity.ts';
import { issuerOf } from '../../../src/package/signing/issuer.ts';
import { openZip } from '../../../src/package/zip/read-zip.ts';
import { writeZip } from '../../../src/package/zip/write-zip.ts';
import { rawBody } from '../../support/raw-body.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { ADDON_FILES, ADDON_ID, filesOf, type SigningFixture, signingFixture } from './signing-fixture.ts';

let fixture: SigningFixture;

beforeAll(async () => {
  fixture = await signingFixture();
});
afterAll(() => fixture.folder.remove());

const SIGNATURE_FILES = [
  'META-INF/cose.manifest',
  'META-INF/cose.sig',
  'META-INF/manifest.mf',
  'META-INF/addon.sf',
  'META-INF/addon.rsa',
];

describe('a signed package', () => {
  it('keeps the order of files, and adds the five signature files at the end', async () => {
    const { path, entries } = await fixture.sign();
    const names = [...(await filesOf(path)).keys()];
    expect(names).toEqual([...Object.keys(ADDON_FILES), ...SIGNATURE_FILES]);
    expect(entries).toBe(names.length);
  });

  it('reports its own size and SHA-256', async () => {
    const { path, size, sha256 } = await fixture.sign();
    expect(size).toBe((await stat(path)).size);
    expect(sha256).toBe(
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    );
  });

  it('keeps the compressed bytes of every file', async () => {
    const { path, input } = await fixture.sign();
    const before = await openZip(input);
    const after = await openZip(path);
    for (const [index, entry] of before.entries.entries()) {
      const copied = after.entries[index];
      expect(copied && (await rawBody(after, copied))).toEqual(await rawBody(before, entry));
    }
    await before.close();
    await after.close();
  });

  it('differs between two signings only in files that depend on the new key', async () => {
    const [first, second] = [await filesOf((await fixture.sign()).path), await filesOf((await fixture.sign()).path)];
    const changed = [...first.keys()].filter((name) => !first.get(name)?.equals(second.get(name) ?? Buffer.alloc(0)));
    expect(changed).toEqual(SIGNATURE_FILES.slice(1));
  });

  it('uses another base name for the files that have one', async () => {
    const { path } = await fixture.sign(ADDON_FILES, { baseName: 'example' });
    const names = [...(await filesOf(path)).keys()];
    expect(names).toEqual(expect.arrayContaining(['META-INF/example.sf', 'META-INF/example.rsa']));
    expect((await fixture.verify(path)).problems).toEqual([]);
  });

  it('contains a replaced file', async () => {
    const manifest = Buffer.from('{"manifest_version":2}');
    const { path } = await fixture.sign(ADDON_FILES, { replacements: new Map([['manifest.json', manifest]]) });
    const files = await filesOf(path);
    expect(files.get('manifest.json')).toEqual(manifest);
    expect([...files.keys()][0]).toBe('manifest.json');
    expect((await fixture.verify(path)).problems).toEqual([]);
  });

  it('drops directories', async () => {
    const input = fixture.folder.next('.zip');
    await writeFile(input, rawZip([{ name: 'icons/' }, { name: 'icons/16.txt', content: 'x' }]));
    const { path } = await fixture.signFile(input);
    expect([...(await filesOf(path)).keys()]).toEqual(['icons/16.txt', ...SIGNATURE_FILES]);
  });

  it('is valid without files of its own', async () => {
    const { path } = await fixture.sign({ 'META-INF/OLD.RSA': 'x' });
    expect((await fixture.verify(path)).problems).toEqual([]);
  });

  it('streams a large file', async () => {
    const { path } = await fixture.sign({ 'large.bin': randomBytes(4_500_000).toString('hex') });
    expect((await fixture.verify(path)).problems).toEqual([]);
  });
});

describe('files under META-INF in an upload', () => {
  const stale = [
    'META-INF/MANIFEST.MF',
    'meta-inf/mozilla.SF',
    'Meta-Inf/other.Rsa',
    'META-INF/x.dsa',
    'META-INF/x.EC',
    'META-INF/SIG-anything',
    'META-INF/COSE.SIG',
    'META-INF/cose.manifest',
    'recommendation.json',
    'mozilla-recommendation.json',
    'Recommendation.JSON',
  ];
  it.each(stale)('%s is removed', async (name) => {
    const { path } = await fixture.sign({ ...ADDON_FILES, [name]: 'stale' });
    expect([...(await filesOf(path)).values()].map(String)).not.toContain('stale');
    expect((await fixture.verify(path)).problems).toEqual([]);
  });

  const kept = [
    'META-INF/notes.txt',
    'META-INF/deep/manifest.mf',
    'META-INF/cose.txt',
    'lib/recommendation.json',
    'my-recommendation.json',
    'addon.rsa',
  ];
  it.each(kept)('%s is kept and signed', async (name) => {
    const { path } = await fixture.sign({ ...ADDON_FILES, [name]: 'kept' });
    const files = await filesOf(path);
    expect(String(files.get(name))).toBe('kept');
    expect(String(files.get('META-INF/cose.manifest'))).toContain(`Name: ${name}\n`);
    expect((await fixture.verify(path)).problems).toEqual([]);
  });

  it('signing a signed package replaces its signature', async () => {
    const first = await fixture.sign();
    const second = await fixture.signFile(first.path, { baseName: 'again' });
    expect([...(await filesOf(second.path)).keys()].filter((name) => name.includes('addon.'))).toEqual([]);
    expect((await fixture.verify(second.path)).problems).toEqual([]);
  });

  it.each(['META-INF', 'meta-inf'])('a file named %s is refused', async (name) => {
    await expect(fixture.sign({ [name]: 'x' })).rejects.toThrow(`Invalid file name in archive: ${name}`);
  });

  it.each(['notes.txt ', ' notes.txt'])('the name "%s" is refused because readers trim it', async (name) => {
    await expect(fixture.sign({ [name]: 'x' })).rejects.toThrow(PackageError);
  });

  it('names that exceed the limit of browsers in total are refused before a certificate is issued', async () => {
    const files = Array.from({ length: 13_000 }, (_, index) => ({
      name: `${'n'.repeat(490)}${index}`,
      data: Buffer.alloc(0),
    }));
    const input = fixture.folder.next('.zip');
    await writeZip(input, files);
    const issued: CertificateRecord[] = [];
    const refused = fixture.signFile(input, { onCertificate: async (record) => void issued.push(record) });
    await expect(refused).rejects.toThrow('Invalid archive.');
    expect(issued).toEqual([]);
  });
});

describe('file names', () => {
  const names = [
    'ünïcode/Ωmega.txt',
    `${'ж'.repeat(33)}.js`,
    `a${'ж'.repeat(100)}.js`,
    `${'😀'.repeat(40)}.txt`,
    'n'.repeat(66),
    'n'.repeat(67),
    'n'.repeat(300),
    `${'folder with spaces/'.repeat(10)}x.txt`,
    `${'x'.repeat(65)} y`,
    'colon: value.txt',
    'Name: manifest.json',
  ];
  it.each(names)('%s is signed in lines of at most 72 bytes', async (name) => {
    const { path } = await fixture.sign({ ...ADDON_FILES, [name]: 'content' });
    const files = await filesOf(path);
    for (const list of ['META-INF/cose.manifest', 'META-INF/manifest.mf', 'META-INF/addon.sf']) {
      const text = String(files.get(list));
      expect(Math.max(...text.split('\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(72);
      expect(text).not.toContain('\ufffd');
    }
    expect((await fixture.verify(path)).problems).toEqual([]);
  });
});

describe('the certificate log', () => {
  it('is written before the issuing key is used', async () => {
    const order: string[] = [];
    const signer = {
      algorithm: fixture.signer.algorithm,
      chain: () => fixture.signer.chain(),
      signTbs: async (tbs: Buffer, request: SigningRequest) => {
        order.push('signed');
        return fixture.signer.signTbs(tbs, request);
      },
    };
    const onCertificate = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('logged');
    };
    await fixture.sign(ADDON_FILES, { signer, onCertificate });
    expect(order).toEqual(['logged', 'signed']);
  });

  it('prevents signing if it cannot be written', async () => {
    const output = fixture.folder.next('.xpi');
    let isSigned = false;
    const signer = {
      algorithm: fixture.signer.algorithm,
      chain: () => fixture.signer.chain(),
      signTbs: async () => {
        isSigned = true;
        return Buffer.alloc(0);
      },
    };
    const onCertificate = async () => {
      throw new Error('the log is down');
    };
    await expect(fixture.sign(ADDON_FILES, { output, signer, onCertificate })).rejects.toThrow('the log is down');
    expect(isSigned).toBe(false);
    await expect(access(output)).rejects.toThrow();
  });

  it('contains the data of the certificate', async () => {
    const logged: CertificateRecord[] = [];
    const { path, certificates } = await fixture.sign(ADDON_FILES, {
      onCertificate: async (record) => void logged.push(record),
      now: new Date('2026-11-21T10:00:00.750Z'),
    });
    expect(logged).toEqual(certificates);
    const { serial, issuer, signedAt } = await fixture.verify(path);
    const intermediate = new X509Certificate(fixture.signer.chain()[0] ?? '');
    expect(logged).toEqual([
      {
        serial,
        issuer,
        issuerSha256: issuerOf(fixture.signer).sha256,
        commonName: ADDON_ID,
        organizationalUnit: 'Production',
        notBefore: new Date('2026-11-21T09:59:00Z'),
        notAfter: intermediate.validToDate,
        publicKeySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        purpose: 'pkcs7-and-cose',
      },
    ]);
    expect(signedAt).toEqual(new Date('2026-11-21T10:00:00Z'));
    expect(issuer).toBe(issuerOf(fixture.signer).nameText);
  });

  it('has a new serial number for every file', async () => {
    const serials = new Set<string>();
    for (let round = 0; round < 10; round++) {
      const [record] = (await fixture.sign()).certificates;
      expect(record?.serial).toMatch(/^[0-9a-f]{32}$/);
      serials.add(record?.serial ?? '');
    }
    expect(serials.size).toBe(10);
  });
});

describe('the id in the certificate', () => {
  const long = `${'l'.repeat(60)}@example.com`;
  const hashed = createHash('sha256').update(long).digest('hex');
  const ids: [string, string][] = [
    ['{3a0c5e1c-4f3c-4b6f-9f58-7d5b2a8a9d11}', '{3a0c5e1c-4f3c-4b6f-9f58-7d5b2a8a9d11}'],
    ['@x', '@x'],
    ['n'.repeat(64), 'n'.repeat(64)],
    [long, hashed],
    ['é'.repeat(33), createHash('sha256').update('é'.repeat(33)).digest('hex')],
  ];
  it.each(ids)('of %s is %s', async (addonId, commonName) => {
    const { path, certificates } = await fixture.sign(ADDON_FILES, { addonId });
    expect(certificates[0]?.commonName).toBe(commonName);
    expect(await fixture.verify(path, addonId)).toMatchObject({ ok: true, id: addonId });
  });

  it('cannot be empty', async () => {
    await expect(fixture.sign(ADDON_FILES, { addonId: '' })).rejects.toThrow('without an add-on id');
  });
});

it('a replacement for a missing file throws', async () => {
  const replacements = new Map([['other.json', Buffer.from('{}')]]);
  await expect(fixture.sign(ADDON_FILES, { replacements })).rejects.toThrow('no file other.json to replace');
});
