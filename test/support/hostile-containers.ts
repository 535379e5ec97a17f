import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { type HostileArchive, INVALID, MANIFEST, packageWith, UNREADABLE } from './hostile-archive.ts';
import { extraField, type HeaderClaims, type RawEnd, type RawEntry, rawZip } from './raw-zip.ts';

const PLAIN = rawZip(packageWith());
const END_BYTES = 22;
const DIRECTORY_BYTES = PLAIN.readUInt32LE(PLAIN.length - 10);
const DIRECTORY_AT = PLAIN.readUInt32LE(PLAIN.length - 6);
const LOCAL_SIGNATURE = Buffer.from('PK\x03\x04', 'latin1');

/** Files that are not archives, and parts of archives. */
const NOT_ARCHIVES: ReadonlyArray<[description: string, bytes: Buffer]> = [
  ['one byte', Buffer.from('P')],
  ['the first signature alone', LOCAL_SIGNATURE],
  ['a manifest that was not packed', Buffer.from(MANIFEST)],
  ['a web page', Buffer.from('<!DOCTYPE html><title>404</title><p>The file was not found.</p>')],
  ['a gzip file', gzipSync(MANIFEST)],
  ['a picture', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)])],
  ['a RAR file', Buffer.concat([Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), Buffer.alloc(64)])],
  ['a 7-Zip file', Buffer.concat([Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1'), Buffer.alloc(64)])],
  ['21 bytes of an end record', PLAIN.subarray(-END_BYTES, -1)],
  ['zeros', Buffer.alloc(4096)],
  ['an archive without its last byte', PLAIN.subarray(0, -1)],
  ['an archive without its first byte', PLAIN.subarray(1)],
  ['an archive without its end record', PLAIN.subarray(0, -END_BYTES)],
  ['the first half of an archive', PLAIN.subarray(0, PLAIN.length / 2)],
  ['the end record of an archive alone', PLAIN.subarray(-END_BYTES)],
  ['two archives, one after the other', Buffer.concat([PLAIN, PLAIN])],
];

const ZIP64_LOCATOR = Buffer.concat([Buffer.from('PK\x06\x07', 'latin1'), Buffer.alloc(16)]);
const ZIP64_END = Buffer.concat([Buffer.from('PK\x06\x06', 'latin1'), Buffer.alloc(52)]);
const DIGITAL_SIGNATURE = Buffer.from('PK\x05\x05\x00\x00', 'latin1');

/** A valid package with one flaw in its end record, or with bytes before or after it. */
const ENDS: ReadonlyArray<[description: string, end: RawEnd]> = [
  ['a byte after the end', { trailing: Buffer.from('\n') }],
  ['zeros after the end', { trailing: Buffer.alloc(512) }],
  ['an archive comment', { comment: 'made with care' }],
  ['an archive comment that is a whole archive', { comment: PLAIN }],
  ['a comment length without a comment', { commentLength: 7 }],
  [
    'the header of a version 2 container before the archive',
    { prefix: Buffer.from('Cr24\x02\0\0\0\0\0\0\0\0\0\0\0', 'latin1') },
  ],
  [
    'the header of a version 3 container before the archive',
    { prefix: Buffer.from('Cr24\x03\0\0\0\0\0\0\0', 'latin1') },
  ],
  ['a shell script before the archive', { prefix: Buffer.from('#!/bin/sh\nexit 0\n') }],
  [
    'a shell script before the archive, counted in the offsets',
    { prefix: Buffer.from('#!/bin/sh\n'), countPrefix: true },
  ],
  ['a picture before the archive, counted in the offsets', { prefix: Buffer.from('GIF89a'), countPrefix: true }],
  ['a hidden archive before the archive, counted in the offsets', { prefix: PLAIN, countPrefix: true }],
  ['a second disk', { disk: 1 }],
  ['a directory on a second disk', { directoryDisk: 1 }],
  ['fewer records on this disk', { countHere: 1 }],
  ['a count of one record too many', { count: 3 }],
  ['a count of one record too few', { count: 1 }],
  ['a count of 0 for two records', { count: 0 }],
  ['the record count of zip64', { count: 0xffff }],
  ['a directory size of one byte less', { directorySize: DIRECTORY_BYTES - 1 }],
  ['the directory size of zip64', { directorySize: 0xffffffff }],
  ['a directory offset of one byte less', { directoryOffset: DIRECTORY_AT - 1 }],
  ['a directory that starts one byte early', { directoryOffset: DIRECTORY_AT - 1, directorySize: DIRECTORY_BYTES + 1 }],
  [
    'a directory that starts with its second record',
    { directoryOffset: DIRECTORY_AT + 59, directorySize: DIRECTORY_BYTES - 59, count: 1 },
  ],
  ['the directory offset of zip64', { directoryOffset: 0xffffffff }],
  ['a zip64 end record and its locator', { afterDirectory: Buffer.concat([ZIP64_END, ZIP64_LOCATOR]) }],
  ['a digital signature after the directory', { afterDirectory: DIGITAL_SIGNATURE }],
  ['bytes after the last record', { afterDirectory: Buffer.alloc(46) }],
];

const UNICODE_PATH = extraField(0x7075, Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from('evil.js')]));

/** Features that other readers support or interpret differently, set in both headers. */
const FEATURES: ReadonlyArray<[description: string, both: HeaderClaims]> = [
  ['an encrypted entry', { flags: 0x0801 }],
  ['a strongly encrypted entry', { flags: 0x0841 }],
  ['an encrypted directory', { flags: 0x2800 }],
  ['patched data', { flags: 0x0820 }],
  ['a reserved flag', { flags: 0x8800 }],
  ['the method shrink', { method: 1 }],
  ['the method implode', { method: 6 }],
  ['the method Deflate64', { method: 9 }],
  ['the method bzip2', { method: 12 }],
  ['the method LZMA', { method: 14 }],
  ['the method Zstandard', { method: 93 }],
  ['the method XZ', { method: 95 }],
  ['the method of AES encryption', { method: 99 }],
  ['a zip64 extra field', { extra: extraField(0x0001, Buffer.alloc(16)) }],
  ['a Unicode path with another name', { extra: UNICODE_PATH }],
  ['a Unicode comment', { extra: extraField(0x6375, Buffer.alloc(9)) }],
  ['an AES extra field', { extra: extraField(0x9901, Buffer.alloc(7)) }],
  ['a strong encryption extra field', { extra: extraField(0x0017, Buffer.alloc(12)) }],
  ['an unknown extra field', { extra: extraField(0xbeef, Buffer.from('?')) }],
  ['an unknown field after a known one', { extra: Buffer.concat([extraField(0x5455), extraField(0xd935)]) }],
  ['an extra field longer than its place', { extra: extraField(0x5455, Buffer.alloc(5), 9) }],
  ['three bytes of padding as extra field', { extra: Buffer.alloc(3) }],
];

const LAST = { name: 'last.js', content: 'last();' };

/** Incomplete records, and records that point outside the file. */
const RECORDS: ReadonlyArray<[description: string, entry: RawEntry]> = [
  ['a record with a wrong signature', { ...LAST, central: { signature: 0x02014b51 } }],
  ['a local header in the directory', { ...LAST, central: { signature: 0x04034b50 } }],
  ['a name length past the directory', { ...LAST, central: { nameLength: 400 } }],
  ['an extra length past the directory', { ...LAST, central: { extraLength: 0xffff } }],
  ['a comment length past the directory', { ...LAST, central: { commentLength: 0xffff } }],
  ['an entry on a second disk', { ...LAST, central: { disk: 1 } }],
  ['an unknown extra field in the local header only', { ...LAST, local: { extra: extraField(0x7075) } }],
  ['an unknown extra field in the record only', { ...LAST, central: { extra: extraField(0x7075) } }],
];

/** Archives whose container is refused before any content is read. */
export function hostileContainers(): HostileArchive[] {
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `f${index}` }));
  return [
    ...NOT_ARCHIVES.map(([name, bytes]) => ({ name, bytes, text: UNREADABLE })),
    ...ENDS.map(([name, end]) => ({ name, bytes: rawZip(packageWith(), end), text: UNREADABLE })),
    ...FEATURES.map(([name, both]) => ({ name, bytes: rawZip(packageWith({ ...LAST, both })), text: UNREADABLE })),
    ...RECORDS.map(([name, entry]) => ({ name, bytes: rawZip(packageWith(entry)), text: UNREADABLE })),
    { name: '20,001 entries', bytes: rawZip(packageWith(...numbered(19_999))), text: INVALID },
    { name: '65,537 entries counted as one', bytes: rawZip(packageWith(...numbered(65_535))), text: UNREADABLE },
  ];
}
