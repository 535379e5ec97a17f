import { Buffer } from 'node:buffer';
import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type HostileArchive, INVALID, noise, packageWith, tooLarge } from './hostile-archive.ts';
import { descriptor, extraField, type RawEnd, type RawEntry, rawZip } from './raw-zip.ts';

const TEXT = 'draw();';
const STORED = { name: 'draw.js', content: TEXT };
const DEFLATED = { ...STORED, deflated: true };
const PACKED = deflateRawSync(Buffer.from(TEXT));
const STREAMED = { ...STORED, both: { flags: 0x0808 }, local: { crc32: 0, compressedSize: 0, size: 0 } };
const UNIX = 0x0314;
const WRONG_CRC = crc32(TEXT) ^ 1;

/** Bodies that contradict the headers. */
const WRONG_BODIES: ReadonlyArray<[description: string, entry: RawEntry]> = [
  ['a wrong CRC of a stored entry', { ...STORED, both: { crc32: WRONG_CRC >>> 0 } }],
  ['a wrong CRC of a deflated entry', { ...DEFLATED, both: { crc32: WRONG_CRC >>> 0 } }],
  ['a CRC of zero', { ...STORED, both: { crc32: 0 } }],
  ['a stored entry with a larger size', { ...STORED, both: { size: 8 } }],
  ['a stored entry with a smaller size', { ...STORED, both: { size: 6 } }],
  ['a deflated entry with one byte more than declared', { ...DEFLATED, both: { size: 6 } }],
  ['a deflated entry with one byte less than declared', { ...DEFLATED, both: { size: 8 } }],
  ['a deflated entry declared empty', { ...DEFLATED, both: { size: 0, crc32: 0 } }],
  ['an empty body declared deflated', { ...STORED, content: '', both: { method: 8 } }],
  ['a stored body declared deflated', { ...STORED, both: { method: 8 } }],
  ['a zlib wrapper around the deflate stream', { ...DEFLATED, body: deflateSync(TEXT) }],
  ['a gzip wrapper around the deflate stream', { ...DEFLATED, body: gzipSync(TEXT) }],
  ['a byte after the deflate stream', { ...DEFLATED, body: Buffer.concat([PACKED, Buffer.from('!')]) }],
  ['a second deflate stream after the first', { ...DEFLATED, body: Buffer.concat([PACKED, PACKED]) }],
  ['a cut-off deflate stream', { ...DEFLATED, body: PACKED.subarray(0, -1) }],
  ['a deflate block of the reserved type', { ...DEFLATED, body: Buffer.from([0x07, 0x00]) }],
  ['a deflate block with a wrong length check', { ...DEFLATED, body: Buffer.from([0x01, 7, 0, 7, 0]) }],
  ['a match that reaches in front of the content', { ...DEFLATED, body: Buffer.from([0x03, 0x02, 0x00, 0x00]) }],
  ['a directory with content', { name: 'icons/', content: 'x' }],
  [
    'a directory that claims to be empty',
    { name: 'icons/', content: 'x', deflated: true, both: { size: 0, crc32: 0 } },
  ],
  ['a directory that inflates to something', { name: 'icons/', content: 'x', deflated: true }],
];

/** Local headers that contradict the directory. */
const WRONG_HEADERS: ReadonlyArray<[description: string, entry: RawEntry]> = [
  ['another name in the local header', { ...STORED, local: { name: 'evil.js' } }],
  ['a longer name in the local header', { ...STORED, local: { name: 'draw.json' } }],
  ['another case in the local header', { ...STORED, local: { name: 'Draw.js' } }],
  ['an unsafe name in the local header', { ...STORED, local: { name: '../x.js' } }],
  ['another method in the local header', { ...DEFLATED, local: { method: 0 } }],
  ['another CRC in the local header', { ...STORED, local: { crc32: 1 } }],
  ['another size in the local header', { ...DEFLATED, local: { size: 6 } }],
  ['another compressed size in the local header', { ...DEFLATED, local: { compressedSize: PACKED.length - 1 } }],
  ['an encrypted local header', { ...STORED, local: { flags: 0x0801 } }],
  ['a local header without the UTF-8 flag', { ...STORED, local: { flags: 0 } }],
  ['a descriptor announced by the record only', { ...STORED, central: { flags: 0x0808 } }],
  [
    'a descriptor announced by the local header only',
    { ...STREAMED, central: { flags: 0x0800 }, after: descriptor(TEXT) },
  ],
  ['a local header with a wrong signature', { ...STORED, local: { signature: 0x04034b51 } }],
  ['a name length in the local header that eats the body', { ...STORED, local: { nameLength: 14 } }],
  [
    'an extra length in the local header that moves the body',
    { ...STORED, content: extraField(0xcafe), local: { extraLength: 4 } },
  ],
];

/** A descriptor with sizes of eight bytes instead of four. */
const ZIP64_DESCRIPTOR = Buffer.concat([
  descriptor(TEXT).subarray(0, 12),
  Buffer.alloc(4),
  descriptor(TEXT).subarray(12),
  Buffer.alloc(4),
]);

/** Missing and wrong data descriptors. */
const WRONG_DESCRIPTORS: ReadonlyArray<[description: string, entry: RawEntry]> = [
  ['a missing data descriptor', STREAMED],
  ['a wrong CRC in the data descriptor', { ...STREAMED, after: descriptor(TEXT, { crc: WRONG_CRC >>> 0 }) }],
  ['a wrong CRC in an unsigned descriptor', { ...STREAMED, after: descriptor(TEXT, { signed: false, crc: 7 }) }],
  ['a wrong size in the data descriptor', { ...STREAMED, after: descriptor('draw()') }],
  ['a zip64 data descriptor', { ...STREAMED, after: ZIP64_DESCRIPTOR }],
  ['a data descriptor twice', { ...STREAMED, after: Buffer.concat([descriptor(TEXT), descriptor(TEXT)]) }],
  ['a data descriptor that nothing announced', { ...STORED, after: descriptor(TEXT) }],
  ['a streamed entry with half of its sizes', { ...STREAMED, local: { crc32: 0, size: 0 }, after: descriptor(TEXT) }],
  ['a streamed entry with a wrong local size', { ...STREAMED, local: { size: 9 }, after: descriptor(TEXT) }],
];

const mode = (type: number) => ({ madeBy: UNIX, attributes: (type << 16) >>> 0 });

/** Entries that are not regular files. */
const SPECIAL_FILES: ReadonlyArray<[description: string, entry: RawEntry]> = [
  ['a symbolic link', { name: 'link', content: '/etc/passwd', central: mode(0o120777) }],
  ['a symbolic link as an icon', { name: 'icon.png', content: '../../secret', central: mode(0o120755) }],
  ['a symbolic link of another system', { ...STORED, central: { ...mode(0o120777), madeBy: 0x1314 } }],
  ['a symbolic link that ends in a slash', { name: 'link/', central: mode(0o120777) }],
  ['a named pipe', { name: 'pipe', central: mode(0o010644) }],
  ['a character device', { name: 'null', central: mode(0o020666) }],
  ['a block device', { name: 'sda', central: mode(0o060660) }],
  ['a socket', { name: 'socket', central: mode(0o140755) }],
  ['a file with the mode of a directory', { ...STORED, central: mode(0o040755) }],
  ['a file with the attribute of a directory', { ...STORED, central: { madeBy: 20, attributes: 0x10 } }],
];

/** Entries that overlap, leave gaps or point outside the file. */
const WRONG_OFFSETS: ReadonlyArray<[description: string, entries: RawEntry[], end?: RawEnd]> = [
  ['an entry hidden between two others', packageWith({ ...STORED, only: 'local' }, { name: 'end.js' })],
  ['an entry hidden in front of the directory', packageWith({ ...STORED, only: 'local' })],
  ['bytes hidden between two entries', packageWith({ ...STORED, after: Buffer.from('hidden') }, { name: 'end.js' })],
  ['bytes hidden in front of the directory', packageWith(), { beforeDirectory: Buffer.from('hidden') }],
  [
    'two names for one body',
    packageWith(STORED, { ...STORED, name: 'drow.js', only: 'central', central: { offset: 0 } }),
  ],
  ['a record that points into the body of another', packageWith({ ...STORED, central: { offset: 50 } })],
  ['a record that points into the directory', packageWith({ ...STORED, central: { offset: 500 } })],
  ['a record that points past the file', packageWith({ ...STORED, central: { offset: 0x7fffffff } })],
  ['a record without a local header', packageWith({ ...STORED, only: 'central' })],
  [
    'a body that reaches into the next entry',
    packageWith({ ...STORED, both: { compressedSize: 40, size: 40 } }, { name: 'end.js' }),
  ],
  ['a body that reaches into the directory', packageWith({ ...STORED, both: { compressedSize: 60, size: 60 } })],
];

const ZEROS = Buffer.alloc(8 * 1024 * 1024);
const ZEROS_CRC = crc32(ZEROS);
const BOMB = deflateRawSync(ZEROS, { level: 9 });
const zeros = (name: string) => ({ name, body: BOMB, both: { method: 8, size: ZEROS.length, crc32: ZEROS_CRC } });

/** The offset of the third entry of a package: the size of a package without its directory and end record. */
const SHARED_AT = rawZip(packageWith()).readUInt32LE(rawZip(packageWith()).length - 6);

/** An entry whose deflate stream contains the next entry with its header: both are complete, and their bodies overlap. */
function quoting(): Buffer {
  const inner: RawEntry = { name: 'inner.txt', content: TEXT, deflated: true };
  const quoted = rawZip([{ ...inner, only: 'local' }]).subarray(0, 30 + 9 + PACKED.length);
  const header = quoted.subarray(0, 39);
  const stored = Buffer.from([0, header.length, 0, ~header.length & 0xff, 0xff]);
  const content = Buffer.concat([header, Buffer.from(TEXT)]);
  const outer: RawEntry = { name: 'outer.txt', content, body: Buffer.concat([stored, quoted]), both: { method: 8 } };
  return rawZip([outer, { ...inner, only: 'central', central: { offset: 39 + stored.length } }]);
}

/** Entries that declare or inflate to far more than the size of the archive. */
function bombs(): HostileArchive[] {
  const [first, ...rest] = Array.from({ length: 200 }, (_, index) => zeros(`layer${index}.bin`));
  const overlapping = rest.map((entry) => ({ ...entry, only: 'central' as const, central: { offset: 0 } }));
  const shared: RawEntry = { name: 'shared.bin', content: noise(300_000) };
  const sharing = Array.from(
    { length: 99 },
    (_, index): RawEntry => ({ ...shared, name: `copy${index}`, only: 'central', central: { offset: SHARED_AT } }),
  );
  const claim = (both: RawEntry['both']) => rawZip(packageWith({ ...DEFLATED, both }));
  const megabyte = { body: deflateRawSync(Buffer.alloc(1024 * 1024)), both: { method: 8, size: 1024 * 1024 } };
  const manySmall = Array.from({ length: 501 }, (_, index) => ({ name: `small${index}`, ...megabyte }));
  const halfGigabyte = Array.from({ length: 5 }, (_, index) => ({
    name: `large${index}`,
    body: index === 0 ? noise(2_700_000) : Buffer.alloc(0),
    both: { method: 8, size: 104_857_600, ...(index === 0 ? {} : { compressedSize: 530_000 }) },
  }));
  return [
    { name: '8 MB of zeros', bytes: rawZip(packageWith(zeros('zeros.bin'))), text: INVALID },
    {
      name: '8 MB of zeros declared small',
      bytes: rawZip(packageWith({ ...zeros('zeros.bin'), both: { method: 8, size: 900 } })),
      text: INVALID,
    },
    { name: '200 names for one body of 8 MB', bytes: rawZip(first ? [first, ...overlapping] : []), text: INVALID },
    { name: '100 names for one stored body', bytes: rawZip(packageWith(shared, ...sharing)), text: INVALID },
    { name: 'a body that quotes the next entry', bytes: quoting(), text: INVALID },
    { name: '50 entries of 1 MiB of zeros', bytes: rawZip(packageWith(...manySmall.slice(0, 50))), text: INVALID },
    { name: '501 entries of 1 MiB of zeros', bytes: rawZip(packageWith(...manySmall)), text: INVALID },
    { name: 'entries of more than 500 MB together', bytes: rawZip(packageWith(...halfGigabyte)), text: INVALID },
    { name: 'an entry of 100 MiB by its claim', bytes: claim({ size: 104_857_600 }), text: INVALID },
    { name: 'an entry of 100 MiB and one byte', bytes: claim({ size: 104_857_601 }), text: tooLarge('draw.js') },
    { name: 'an entry of 4 GB', bytes: claim({ size: 0xfffffffe }), text: tooLarge('draw.js') },
    { name: 'the entry size of zip64', bytes: claim({ size: 0xffffffff }), text: tooLarge('draw.js') },
    { name: 'a compressed size of 4 GB', bytes: claim({ compressedSize: 0xfffffffe }), text: tooLarge('draw.js') },
    {
      name: 'a stored manifest of 3 GB',
      bytes: rawZip([{ name: 'manifest.json', both: { size: 3_000_000_000, compressedSize: 3_000_000_000 } }]),
      text: tooLarge('manifest.json'),
    },
  ];
}

/** Flaws in entries that are too large to be inflated in one step. */
function largeBodies(): HostileArchive[] {
  const content = noise(5 * 1024 * 1024);
  const body = deflateRawSync(content, { level: 0 });
  const truth = { method: 8, size: content.length, crc32: crc32(content) };
  const cases: Array<[string, RawEntry]> = [
    [
      'a wrong CRC of a large stored entry',
      { name: 'big.bin', body: content, both: { size: content.length, crc32: 1 } },
    ],
    ['a wrong CRC of a large deflated entry', { name: 'big.bin', body, both: { ...truth, crc32: 1 } }],
    [
      'a large entry with one byte more than declared',
      { name: 'big.bin', body, both: { ...truth, size: truth.size - 1 } },
    ],
    [
      'a large entry with one byte less than declared',
      { name: 'big.bin', body, both: { ...truth, size: truth.size + 1 } },
    ],
    [
      'a byte after a large deflate stream',
      { name: 'big.bin', body: Buffer.concat([body, Buffer.from('!')]), both: truth },
    ],
    [
      'a megabyte after a large deflate stream',
      { name: 'big.bin', body: Buffer.concat([body, noise(1024 * 1024)]), both: truth },
    ],
    ['a cut-off large deflate stream', { name: 'big.bin', body: body.subarray(0, -9), both: truth }],
    ['a large deflate stream with garbage inside', { name: 'big.bin', body: noise(5_000_000), both: truth }],
  ];
  return cases.map(([name, entry]) => ({ name, bytes: rawZip(packageWith(entry)), text: INVALID }));
}

/** Archives whose entries contradict the directory. */
export function hostileBodies(): HostileArchive[] {
  const single = [...WRONG_BODIES, ...WRONG_HEADERS, ...WRONG_DESCRIPTORS, ...SPECIAL_FILES];
  return [
    ...single.map(([name, entry]) => ({ name, bytes: rawZip(packageWith(entry)), text: INVALID })),
    ...WRONG_OFFSETS.map(([name, entries, end]) => ({ name, bytes: rawZip(entries, end), text: INVALID })),
    ...bombs(),
    ...largeBodies(),
  ];
}
