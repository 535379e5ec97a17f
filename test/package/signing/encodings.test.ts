import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endEntityExtensions } from '../../../src/package/signing/certificates.ts';
import { CborTag, encodeCbor, signCose } from '../../../src/package/signing/cose.ts';
import { jarManifest, manifestSection, signatureFile } from '../../../src/package/signing/jar-manifest.ts';
import { readCbor } from '../../../src/package/signing/verify/cbor-reader.ts';
import { readManifest, readSignatureFile } from '../../../src/package/signing/verify/check-files.ts';
import { checkCose } from '../../../src/package/signing/verify/check-signatures.ts';
import { MalformedError, readElements, readOid, readTime } from '../../../src/package/signing/verify/der-reader.ts';
import { certificate, keyIdOf } from './signing-fixture.ts';

describe('CBOR', () => {
  // Vectors of RFC 8949, appendix A, for the types used here.
  const vectors: [unknown, Parameters<typeof encodeCbor>[0], string][] = [
    [0, 0, '00'],
    [23, 23, '17'],
    [24, 24, '1818'],
    [100, 100, '1864'],
    [1000, 1000, '1903e8'],
    [1000000, 1000000, '1a000f4240'],
    [-1, -1, '20'],
    [-100, -100, '3863'],
    [-1000, -1000, '3903e7'],
    [null, null, 'f6'],
    ['empty bytes', Buffer.alloc(0), '40'],
    ['bytes', Buffer.from('01020304', 'hex'), '4401020304'],
    ['text', 'IETF', '6449455446'],
    ['text of two bytes', 'ü', '62c3bc'],
    ['list', [1, [2, 3], [4, 5]], '8301820203820405'],
    [
      'map',
      new Map([
        [1, 2],
        [3, 4],
      ]),
      'a201020304',
    ],
    ['tag', new CborTag(23, Buffer.from('01020304', 'hex')), 'd74401020304'],
  ];
  it.each(vectors)('encodes %s', (_, value, hex) => {
    expect(encodeCbor(value).toString('hex')).toBe(hex);
  });

  it('decodes what it encodes', () => {
    const value = [new Map([[4, [Buffer.alloc(300, 1), Buffer.alloc(70_000, 2)]]]), -7, 'x'.repeat(30), null];
    expect(readCbor(encodeCbor(value))).toEqual(value);
  });

  it.each([1.5, 2 ** 32, -(2 ** 33)])('refuses to encode %d', (number) => {
    expect(() => encodeCbor(number)).toThrow(RangeError);
  });

  const malformed: [string, string][] = [
    ['nothing', ''],
    ['bytes after the item', '0000'],
    ['an indefinite length', '5f41004100ff'],
    ['a length that is not minimal', '1817'],
    ['a cut off string', '4401'],
    ['a key twice', 'a201000100'],
    ['a float', 'f93c00'],
    ['a 64-bit number', '1b0000000100000000'],
    ['deep nesting', '81'.repeat(40)],
  ];
  it.each(malformed)('is refused with %s', (_, hex) => {
    expect(() => readCbor(Buffer.from(hex, 'hex'))).toThrow(MalformedError);
  });
});

describe('DER', () => {
  const malformed: [string, string][] = [
    ['a cut off length', '3082'],
    ['a cut off content', '300501'],
    ['an indefinite length', '30800000'],
    ['a length in a longer form than needed', '30810101'],
    ['a leading zero in a length', '3082007f'],
    ['a tag of several bytes', '1f8101'],
  ];
  it.each(malformed)('is refused with %s', (_, hex) => {
    expect(() => readElements(Buffer.from(hex, 'hex'))).toThrow(MalformedError);
  });

  it('refuses an object identifier that would take long to decode', () => {
    const element = { tag: 6, content: Buffer.alloc(60_000, 0x81), bytes: Buffer.alloc(0) };
    expect(() => readOid(element)).toThrow('an object identifier is too long');
  });

  it('decodes object identifiers and times', () => {
    expect(readOid(readElements(Buffer.from('06092a864886f70d010702', 'hex'))[0])).toBe('1.2.840.113549.1.7.2');
    expect(readOid(readElements(Buffer.from('0603551d0f', 'hex'))[0])).toBe('2.5.29.15');
    const time = (tag: string, text: string) =>
      readTime(readElements(Buffer.concat([Buffer.from(tag, 'hex'), Buffer.from(text)]))[0]).toISOString();
    expect(time('170d', '491231235959Z')).toBe('2049-12-31T23:59:59.000Z');
    expect(time('180f', '20501231235959Z')).toBe('2050-12-31T23:59:59.000Z');
    expect(() => time('170d', '499931235959Z')).toThrow(MalformedError);
    expect(() => time('170c', '49123123595Z')).toThrow(MalformedError);
  });
});

describe('JAR manifests', () => {
  it('are read within the test timeout if values are full of spaces', () => {
    const value = `a:${' '.repeat(70)}\n${` ${' '.repeat(71)}\n`.repeat(100)} x\n\n`;
    const start = process.cpuUsage();
    const bytes = Buffer.from(`Manifest-Version: 1.0\n\n${value.repeat(900)}`);
    expect(() => readManifest(bytes)).toThrow('a section has no name');
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(3);
  });

  const digest = Buffer.alloc(32, 7);

  it('have one section per file', () => {
    const sections = [manifestSection('a.js', digest), manifestSection('b/c.js', digest)];
    const base64 = digest.toString('base64');
    const lines = `Digest-Algorithms: SHA256\nSHA256-Digest: ${base64}\nSHA-256-Digest: ${base64}\n\n`;
    expect(String(jarManifest(sections))).toBe(`Manifest-Version: 1.0\n\nName: a.js\n${lines}Name: b/c.js\n${lines}`);
  });

  it('are read back for any names', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
      .filter((text) => text.isWellFormed() && !/^ | $|[\p{Cc}]/u.test(text));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 5 }), (names) => {
        const sections = names.map((text) => manifestSection(text, digest));
        const manifest = jarManifest(sections);
        expect([...readManifest(manifest).keys()]).toEqual(names);
        expect(readSignatureFile(signatureFile(manifest, sections))).toMatch(/^[\w+/]{43}=$/);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['', ' a', 'a ', 'a\nName: b', 'a\rb', 'a\0b', 'a\u007fb'])('cannot contain the name %j', (name) => {
    expect(() => manifestSection(name, digest)).toThrow('Invalid file name in archive');
  });

  const valid = String(jarManifest([manifestSection('a.js', digest)]));
  const malformed: [string, string][] = [
    ['no blank line at the end', valid.slice(0, -1)],
    ['a line without colon', valid.replace('Digest-Algorithms: ', 'Digest')],
    ['no digest', valid.replace('SHA256-Digest', 'SHA1-Digest')],
    ['two different digests', valid.replace(/(SHA-256-Digest: )./, '$1A')],
    ['a digest that is no base64', valid.replace(/: (.)(.*)\n\n$/, ': ?$2\n\n').replace(/(SHA256-Digest: )./, '$1?')],
    ['a Magic attribute', valid.replace('Digest-Algorithms', 'Magic')],
    ['a section without name', valid.replace('Name: a.js', 'Nome: a.js')],
    ['a lone carriage return', valid.replace('a.js', 'a\rjs')],
    ['a continuation of nothing', valid.replace('Name:', ' Name:')],
    ['a line that is not UTF-8', valid.replace('a.js', '\u00ff')],
  ];
  it.each(malformed)('are refused with %s', (_, text) => {
    expect(() => readManifest(Buffer.from(text, 'latin1'))).toThrow(MalformedError);
  });

  it('are accepted with CR LF line endings', () => {
    expect([...readManifest(Buffer.from(valid.replaceAll('\n', '\r\n'))).keys()]).toEqual(['a.js']);
  });
});

describe('COSE', () => {
  const payload = Buffer.from('Manifest-Version: 1.0\n\n');

  async function signer(namedCurve = 'P-256') {
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve });
    const extensions = endEntityExtensions(keyIdOf(key), keyIdOf(key), 'a.b.example.com');
    return { key, certificate: await certificate({ key, name: 'a', issuer: { key, name: 'a' }, extensions }) };
  }

  it('verifies for the signed payload only', async () => {
    const message = signCose({ payload, ...(await signer()), intermediates: [] });
    expect(checkCose(message, payload)).toHaveLength(1);
    expect(() => checkCose(message, Buffer.from('other'))).toThrow('one of them was changed');
  });

  /** A message with one part replaced; `external` is the encoded external data. */
  async function message(changes: {
    external?: string;
    algorithm?: number;
    payload?: Buffer;
    more?: boolean;
    copies?: number;
  }) {
    const { key, certificate: der } = await signer();
    const body = encodeCbor(new Map([[4, []]]));
    const header = new Map<number, number | Buffer>([
      [1, changes.algorithm ?? -7],
      [4, der],
    ]);
    const protectedHeader = encodeCbor(changes.more ? header.set(3, 0) : header);
    const parts = [body, protectedHeader].map((part) => encodeCbor(part));
    const head = Buffer.concat([Buffer.from([0x85]), encodeCbor('Signature'), ...parts]);
    const signed = Buffer.concat([head, Buffer.from(changes.external ?? 'f6', 'hex'), encodeCbor(payload)]);
    const signature = sign('sha256', signed, { key, dsaEncoding: 'ieee-p1363' });
    const item = [protectedHeader, new Map(), signature];
    return encodeCbor(
      new CborTag(98, [body, new Map(), changes.payload ?? null, Array(changes.copies ?? 1).fill(item)]),
    );
  }

  it('accepts the form that browsers accept', async () => {
    expect(checkCose(await message({}), payload)).toHaveLength(1);
  });

  const refused: [string, Parameters<typeof message>[0], string][] = [
    ['empty external data, as the RFC has it', { external: '40' }, 'one of them was changed'],
    ['an algorithm that is not of the key', { algorithm: -35 }, 'does not fit the key'],
    ['an unknown algorithm', { algorithm: -257 }, 'does not fit the key'],
    ['a payload inside', { payload }, 'not detached'],
    ['another protected header', { more: true }, 'expected keys'],
    ['one signature many times over', { copies: 4 }, 'holds more signatures than there are algorithms'],
  ];
  it.each(refused)('refuses %s', async (_, changes, problem) => {
    const signed = await message(changes);
    expect(() => checkCose(signed, payload)).toThrow(problem);
  });

  it('refuses another tag, and a message without signatures', () => {
    const body = encodeCbor(new Map([[4, []]]));
    const content = [body, new Map(), null, []];
    expect(() => checkCose(encodeCbor(new CborTag(97, content)), payload)).toThrow('not a COSE signature');
    expect(() => checkCose(encodeCbor(new CborTag(98, content)), payload)).toThrow('holds no signature');
  });
});
