import { Buffer } from 'node:buffer';
import { type HostileArchive, INVALID, packageWith, refusedName, tooLarge, UNREADABLE } from './hostile-archive.ts';
import { crxHeader, descriptor, extraField, type HeaderClaims, type RawEnd, rawZip, zip64 } from './raw-zip.ts';

const LAST = { name: 'last.js', content: 'last();' };
const SIZE = LAST.content.length;
const unicodePath = (name: string, version = 1) =>
  extraField(0x7075, Buffer.concat([Buffer.from([version, 0, 0, 0, 0]), Buffer.from(name)]));

/** Extra fields that give an entry something else, in both headers. */
const FIELDS: ReadonlyArray<[description: string, both: HeaderClaims]> = [
  ['a Unicode path of another version', { extra: unicodePath(LAST.name, 2) }],
  ['an empty Unicode path', { extra: unicodePath('') }],
  ['a larger size in zip64', { extra: zip64(SIZE + 1, SIZE) }],
  ['a larger compressed size in zip64', { extra: zip64(SIZE, SIZE + 1) }],
  ['another offset in zip64', { extra: zip64(SIZE, SIZE, 0) }],
  ['zip64 of half a value', { extra: extraField(0x0001, Buffer.alloc(4)) }],
  ['zip64 twice', { extra: Buffer.concat([zip64(SIZE, SIZE), zip64(SIZE, SIZE)]) }],
  ['a size in zip64 that is missing', { size: 0xffffffff, compressedSize: 0xffffffff, extra: zip64(SIZE) }],
  ['a size above all limits in zip64', { size: 0xffffffff, extra: extraField(0x0001, Buffer.alloc(8, 0xff)) }],
  ['a field with a link', { extra: extraField(0x756e, Buffer.alloc(14)) }],
  ['a field with an encryption certificate', { extra: extraField(0x0015, Buffer.alloc(4)) }],
  ['a field with a patch', { extra: extraField(0x000f, Buffer.alloc(4)) }],
  ['a field with a name in UTF-16', { extra: extraField(0x554e, Buffer.alloc(12)) }],
];

/** Unicode paths that give an entry a second name. */
const PATHS: ReadonlyArray<[description: string, extra: Buffer]> = [
  ['a Unicode path that is a prefix of the name', unicodePath('last.j')],
  ['two Unicode paths, one with another name', Buffer.concat([unicodePath(LAST.name), unicodePath('evil.js')])],
];

const CRX3 = crxHeader(3, [64]);
const INNER = rawZip(packageWith());

/** Bytes around the archive in which readers could find another one. */
const ENDS: ReadonlyArray<[description: string, end: RawEnd]> = [
  ['a comment with the signature of an end record', { comment: Buffer.from('PK\x05\x06 and more', 'latin1') }],
  ['a comment that ends like an empty archive', { comment: rawZip([]) }],
  ['a comment one byte shorter than declared', { comment: 'abc', commentLength: 4 }],
  ['a comment one byte longer than declared', { comment: 'abc', commentLength: 2 }],
  ['a CRX header of version 1', { prefix: crxHeader(1, [64]) }],
  ['a CRX header of version 4', { prefix: crxHeader(4, [64]) }],
  ['a CRX header without a signature', { prefix: crxHeader(2, [64, 0]) }],
  ['a CRX header that is longer than declared', { prefix: Buffer.concat([CRX3, Buffer.alloc(1)]) }],
  ['a CRX header that is counted in the offsets', { prefix: CRX3, countPrefix: true }],
  ['a CRX header twice', { prefix: Buffer.concat([CRX3, CRX3]) }],
  ['a CRX header of 2 MiB', { prefix: crxHeader(3, [2 * 1024 * 1024]) }],
  ['an archive after a CRX header before the archive', { prefix: Buffer.concat([CRX3, INNER]) }],
  ['another count in the zip64 end record', { zip64: true, count: 1 }],
  ['another directory size in the zip64 end record', { zip64: true, directorySize: 1 }],
  ['a gap before the zip64 end record', { zip64: true, afterDirectory: Buffer.alloc(1) }],
];

const STREAMED = { ...LAST, both: { flags: 0x0808 }, after: descriptor(LAST.content) };

/** Local headers of streamed entries, of which one field contradicts the directory. */
const LOCAL: ReadonlyArray<[description: string, local: HeaderClaims]> = [
  ['another size before a data descriptor', { crc32: 0, compressedSize: 0, size: SIZE + 1 }],
  ['another compressed size before a data descriptor', { crc32: 0, compressedSize: SIZE + 1, size: 0 }],
  ['another CRC before a data descriptor', { crc32: 1, compressedSize: 0, size: 0 }],
];

/** Archives that use what packed containers may have to give readers different contents. */
export function hostilePacked(): HostileArchive[] {
  return [
    ...FIELDS.map(([name, both]) => ({ name, bytes: rawZip(packageWith({ ...LAST, both })), text: UNREADABLE })),
    ...PATHS.map(([name, extra]) => {
      return {
        name,
        bytes: rawZip(packageWith({ ...LAST, both: { extra } })),
        text: `${refusedName(LAST.name)} is also named`,
      };
    }),
    {
      name: 'a size of zip64 without its field',
      bytes: rawZip(packageWith({ ...LAST, both: { size: 0xffffffff, compressedSize: 0xffffffff } })),
      text: tooLarge(LAST.name),
    },
    ...LOCAL.map(([name, local]) => ({ name, bytes: rawZip(packageWith({ ...STREAMED, local })), text: INVALID })),
    ...ENDS.map(([name, end]) => ({ name, bytes: rawZip(packageWith(LAST), end), text: UNREADABLE })),
  ];
}
