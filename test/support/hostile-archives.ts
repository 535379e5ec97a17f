import { Buffer } from 'node:buffer';
import { deflateRawSync } from 'node:zlib';
import { type HostileArchive, noise, packageWith, refusedName } from './hostile-archive.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { hostileContainers } from './hostile-containers.ts';
import { hostileNames } from './hostile-names.ts';
import { hostilePacked } from './hostile-packed.ts';
import {
  crxHeader,
  descriptor,
  extraField,
  longDescriptor,
  type RawEnd,
  type RawEntry,
  rawZip,
  zip64,
} from './raw-zip.ts';

/** Every archive that must be refused, with the exact message. Most are valid except for one flaw. */
export function hostileArchives(): HostileArchive[] {
  return [...hostileContainers(), ...hostileNames(), ...hostileBodies()];
}

/** Flaws of plain containers that no entry depends on, and that signing removes. */
const REMOVED_BY_SIGNING: readonly string[] = [
  'an archive comment',
  'a Unicode comment',
  'an unknown extra field',
  'an unknown field after a known one',
  'a zip64 data descriptor',
  'a streamed entry with half of its sizes',
];

/** Every archive that must be refused as an upload; its message begins with `text`. */
export function hostileUploads(): HostileArchive[] {
  const hostile = hostileArchives().filter(({ name }) => !REMOVED_BY_SIGNING.includes(name));
  return [
    ...hostile.map((archive) => ({ ...archive, text: UPLOAD_TEXTS[archive.name] ?? archive.text })),
    ...hostilePacked(),
  ];
}

/** Texts that differ for uploads. */
const UPLOAD_TEXTS: Readonly<Record<string, string>> = {
  'a Unicode path with another name': `${refusedName('last.js')} is also named evil.js`,
};

const TEXT = 'draw();';
const ZEROED = { crc32: 0, compressedSize: 0, size: 0 };
const STREAMED = { name: 'draw.js', content: TEXT, both: { flags: 0x0808 } };
const DRAW: RawEntry = { name: 'draw.js', content: TEXT };
/** Where the entry after a small package starts. */
const OFFSET = rawZip(packageWith()).readUInt32LE(rawZip(packageWith()).length - 6);
const IN_ZIP64 = { compressedSize: 0xffffffff, size: 0xffffffff };
const LATER: RawEntry = { name: 'later.js', content: 'later();' };

/** Unusual entries that packers write, each between a small package and one more entry. */
const UNUSUAL: ReadonlyArray<[description: string, entry: RawEntry]> = [
  ['a data descriptor with signature', { ...STREAMED, local: ZEROED, after: descriptor(TEXT) }],
  ['a data descriptor without signature', { ...STREAMED, local: ZEROED, after: descriptor(TEXT, { signed: false }) }],
  ['a data descriptor after correct local sizes', { ...STREAMED, after: descriptor(TEXT) }],
  [
    'a deflated entry with a data descriptor',
    { ...STREAMED, deflated: true, local: ZEROED, after: descriptor(TEXT, { deflated: true }) },
  ],
  ['a name in UTF-8', { name: '_locales/ja/説明 – café.json', content: '{}' }],
  ['a name in UTF-8 without the flag', { name: 'café.js', content: TEXT, both: { flags: 0 } }],
  ['a name of exactly 512 bytes', { name: `${'d/'.repeat(200)}${'n'.repeat(112)}`, content: TEXT }],
  ['names with dots, spaces and a colon inside', { name: '..a/b../.../ c d:e~1.js', content: TEXT }],
  [
    'extended time stamps, longer in the local header',
    {
      name: 'draw.js',
      content: TEXT,
      local: { extra: extraField(0x5455, Buffer.alloc(13, 7)) },
      central: { extra: extraField(0x5455, Buffer.alloc(5, 7)) },
    },
  ],
  [
    'owner ids, NTFS and old Unix times',
    {
      name: 'draw.js',
      content: TEXT,
      both: {
        extra: Buffer.concat([
          extraField(0x7875, Buffer.alloc(11)),
          extraField(0x000a, Buffer.alloc(32)),
          extraField(0x5855, Buffer.alloc(8)),
        ]),
      },
    },
  ],
  ['the marker of a Java archive', { name: 'META-INF/', local: { extra: extraField(0xcafe) } }],
  ['a directory entry with Unix mode and DOS attribute', { name: 'icons/', central: { attributes: 0x41ed0010 } }],
  ['a deflated directory entry', { name: 'icons/', deflated: true }],
  ['an empty stored file', { name: 'empty.css' }],
  ['an empty deflated file', { name: 'empty.css', deflated: true }],
  ['an entry comment', { name: 'draw.js', content: TEXT, central: { comment: 'drawn by hand' } }],
  ['effort flags in the record only', { name: 'draw.js', content: TEXT, deflated: true, central: { flags: 0x0802 } }],
  ['an executable file', { name: 'build.sh', content: TEXT, central: { attributes: 0x81ed0000 } }],
  [
    'a deflate stream of stored blocks',
    { name: 'a.bin', content: noise(70_000), body: deflateRawSync(noise(70_000), { level: 0 }), both: { method: 8 } },
  ],
  ['another archive inside', { name: 'inner.zip', content: rawZip(packageWith()), deflated: true }],
  ['a megabyte of zeros', { name: 'blank.bin', content: Buffer.alloc(1_000_000), deflated: true }],
  ['a large stored entry', { name: 'big.bin', content: noise(5 * 1024 * 1024) }],
];

const CRX2 = crxHeader(2, [294, 256]);
const CRX3 = crxHeader(3, [593]);
const TRUE_SIZES = zip64(TEXT.length, TEXT.length);
const UNICODE_PATH = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from('d/r\u00e4w.js')]);

/** Entries that packers write around the same names, sizes and contents: refused in plain containers only. */
const PACKED: ReadonlyArray<[description: string, entry: RawEntry]> = [
  [
    'a Unicode path that repeats the name',
    { name: 'd/r\u00e4w.js', content: TEXT, both: { extra: extraField(0x7075, UNICODE_PATH) } },
  ],
  ['an unknown extra field', { ...DRAW, both: { extra: extraField(0xbeef, Buffer.from('?')) } }],
  [
    'an unknown field after a known one',
    { ...DRAW, both: { extra: Buffer.concat([extraField(0x5455), extraField(0xd935)]) } },
  ],
  ['a Unicode comment', { ...DRAW, both: { extra: extraField(0x6375, Buffer.alloc(9)) } }],
  [
    'an unknown extra field in the local header only',
    { ...DRAW, local: { extra: extraField(0x6c78, Buffer.alloc(5)) } },
  ],
  ['true sizes in zip64, too', { ...DRAW, both: { extra: TRUE_SIZES } }],
  [
    'true sizes and the true offset in zip64, too',
    { ...DRAW, central: { extra: zip64(TEXT.length, TEXT.length, OFFSET) } },
  ],
  ['sizes in zip64 only', { ...DRAW, both: { ...IN_ZIP64, extra: TRUE_SIZES } }],
  [
    'a zip64 data descriptor',
    {
      ...STREAMED,
      local: { crc32: 0, ...IN_ZIP64, extra: zip64(0, 0) },
      after: longDescriptor(TEXT),
    },
  ],
  [
    'a zip64 data descriptor without signature',
    { ...STREAMED, local: ZEROED, after: longDescriptor(TEXT).subarray(4) },
  ],
];

/** Archives whose containers cannot be published as they are, although no reader sees another entry in them. */
export function packedArchives(): GoodArchive[] {
  const plain = packageWith(LATER);
  return [
    good('an archive comment', plain, { comment: 'made with care' }),
    good('an archive comment of 65,535 bytes', plain, { comment: 'c'.repeat(0xffff) }),
    good('the header of a CRX file of version 2', plain, { prefix: CRX2 }),
    good('the header of a CRX file of version 3, and a comment', plain, { prefix: CRX3, comment: '1' }),
    good('the end record of zip64', plain, { zip64: true }),
    good('the end record of zip64 alone', plain, {
      zip64: true,
      count: 0xffff,
      directorySize: 0xffffffff,
      directoryOffset: 0xffffffff,
    }),
    ...PACKED.map(([name, entry]) => good(name, packageWith(entry, LATER))),
  ];
}

/** An archive that must be accepted, and its content. */
export interface GoodArchive {
  name: string;
  bytes: Buffer;
  files: Map<string, Buffer>;
}

/** Unusual archives of packers, which must be accepted. */
export function goodArchives(): GoodArchive[] {
  const many = Array.from({ length: 3000 }, (_, index) => ({ name: `d${index % 50}/f${index}`, content: `${index}` }));
  const text = Buffer.from(noise(3 * 1024 * 1024).toString('hex'));
  const large = { name: 'big.txt', content: text, body: deflateRawSync(text, { level: 1 }), both: { method: 8 } };
  return [
    good('a plain package', packageWith()),
    good('a directory in reversed order', packageWith(LATER), { reversedDirectory: true }),
    good('3,000 files', packageWith(...many)),
    good('a large deflated entry', packageWith(large, LATER)),
    ...UNUSUAL.map(([name, entry]) => good(name, packageWith(entry, LATER))),
  ];
}

function good(name: string, entries: RawEntry[], end?: RawEnd): GoodArchive {
  const files = new Map(entries.map((entry) => [String(entry.name), Buffer.from(entry.content ?? '')]));
  return { name, bytes: rawZip(entries, end), files };
}
