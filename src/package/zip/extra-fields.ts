import { Buffer } from 'node:buffer';
import type { ContainerRules } from './container-rules.ts';
import { brokenArchive, twoNames, unsupportedExtra } from './refusals.ts';

/**
 * Time stamps (Unix 0x5455, old Unix 0x5855, NTFS 0x000a), owner ids (0x7875) and the empty marker of Java archives
 * (0xcafe), which a plain container may have.
 */
const PLAIN: ReadonlySet<number> = new Set([0x5455, 0x7875, 0x5855, 0x000a, 0xcafe]);

/**
 * The fields of APPNOTE 4.5 and of Info-ZIP's `extrafld.txt` that give an entry another content (patches 0x000f, encryption
 * 0x0014 to 0x0019 and 0x9901), another type (links 0x000d and 0x756e), or a name in a form that is not compared here
 * (0x2605, 0x2705, 0x554e). Fields that no specification defines have no such power.
 */
const REDEFINING: ReadonlySet<number> = new Set([
  0x000d, 0x000f, 0x0014, 0x0015, 0x0016, 0x0017, 0x0018, 0x0019, 0x2605, 0x2705, 0x554e, 0x756e, 0x9901,
]);

const ZIP64 = 0x0001;
const UNICODE_PATH = 0x7075;
const UNICODE_PATH_VERSION = 1;
/** Version and CRC-32 before the name. */
const UNICODE_PATH_HEAD = 5;

/**
 * Checks that the extra field of a header (APPNOTE 4.5) cannot change name, type, size or content of its entry, and returns the
 * values of its zip64 field, whose meaning depends on the header.
 * @throws {PackageError} for any other field.
 */
export function readExtra(extra: Buffer, nameBytes: Buffer, rules: ContainerRules): Buffer | null {
  let zip64: Buffer | null = null;
  let at = 0;
  while (at + 4 <= extra.length) {
    const id = extra.readUInt16LE(at);
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (end > extra.length) throw unsupportedExtra(nameBytes, id);
    const data = extra.subarray(at + 4, end);
    if (!PLAIN.has(id)) rules.requirePacked();
    if (REDEFINING.has(id) || (id === ZIP64 && zip64 !== null)) throw unsupportedExtra(nameBytes, id);
    if (id === ZIP64) zip64 = data;
    else if (id === UNICODE_PATH) requireSameName(data, nameBytes);
    at = end;
  }
  if (at !== extra.length) throw brokenArchive('package.zip_directory');
  return zip64;
}

/** Readers that support the Unicode path prefer it to the name of the header (APPNOTE 4.6.9). */
function requireSameName(data: Buffer, nameBytes: Buffer): void {
  if (data.length <= UNICODE_PATH_HEAD || data[0] !== UNICODE_PATH_VERSION) {
    throw unsupportedExtra(nameBytes, UNICODE_PATH);
  }
  const path = data.subarray(UNICODE_PATH_HEAD);
  if (!path.equals(nameBytes)) throw twoNames(nameBytes.toString('latin1'), path.toString('utf8'));
}

/** A 32-bit field with this value refers to the zip64 field. */
const IN_ZIP64 = 0xffffffff;

/**
 * The true values of 32-bit fields, in the order of APPNOTE 4.5.3. The zip64 field has those that the header refers to, in
 * their order; packers that also write the others must repeat the true values.
 * @throws {PackageError} for a zip64 field that is incomplete, or has a value that the header contradicts.
 */
export function zip64Values<T extends number[]>(written: T, zip64: Buffer | null): T {
  if (zip64 === null) return written;
  let at = 0;
  const values = written.map((value) => {
    if (value !== IN_ZIP64) return value;
    if (at + 8 > zip64.length) throw brokenArchive('package.zip_directory');
    at += 8;
    return safeNumber(zip64, at - 8);
  });
  const all = Buffer.alloc(8 * values.length + 4);
  for (const [index, value] of values.entries()) all.writeBigUInt64LE(BigInt(value), 8 * index);
  if (at === zip64.length || zip64.equals(all.subarray(0, zip64.length))) return values as T;
  throw brokenArchive('package.zip_directory');
}

/** A 64-bit number; larger ones than any limit are refused. */
export function safeNumber(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw brokenArchive('package.zip_directory');
  return Number(value);
}
