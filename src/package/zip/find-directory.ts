import type { Buffer } from 'node:buffer';
import type { ContainerRules } from './container-rules.ts';
import { safeNumber } from './extra-fields.ts';
import type { FileWindow } from './file-window.ts';
import { brokenArchive, trailingBytes } from './refusals.ts';

export const END_SIGNATURE = 0x06054b50;
export const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ZIP64_END_BYTES = 56;
const LOCATOR_SIGNATURE = 0x07064b50;
const LOCATOR_BYTES = 20;

/** Position of the central directory in bytes, and its number of records. */
export interface DirectoryPlace {
  offset: number;
  size: number;
  count: number;
}

/**
 * Reads the end record (APPNOTE 4.3.16), which ends the file or has a comment that does, and touches the directory. Only the
 * end record of zip64 (4.3.14), with its locator, may lie between.
 * @throws {PackageError} when there is none, or another reader could find another directory.
 */
export async function findDirectory(window: FileWindow, rules: ContainerRules): Promise<DirectoryPlace> {
  const { end, at } = await findEnd(window, rules);
  if (end.readUInt32LE(4) !== 0) throw brokenArchive('package.zip_split');
  const place = placeIn(end);
  if (end.readUInt16LE(8) !== place.count) throw brokenArchive('package.zip_directory');
  if (place.offset + place.size === at && place.count !== 0xffff) return place;
  rules.requirePacked();
  return readZip64End(window, place, at);
}

/** Where an end record says that the directory is. */
export const placeIn = (end: Buffer): DirectoryPlace => ({
  count: end.readUInt16LE(10),
  size: end.readUInt32LE(12),
  offset: end.readUInt32LE(16),
});

/** The part of a file in which its end record is. */
export function readTail(window: FileWindow): Promise<Buffer> {
  const length = Math.min(window.size, END_BYTES + MAX_COMMENT_BYTES);
  return window.bytes(window.size - length, length);
}

/** The last signature of an end record in the file, whose comment must reach the end. */
async function findEnd(window: FileWindow, rules: ContainerRules): Promise<{ end: Buffer; at: number }> {
  if (window.size < END_BYTES) throw brokenArchive(window.size === 0 ? 'package.empty_file' : 'package.not_zip');
  const last = await window.bytes(window.size - END_BYTES, END_BYTES);
  if (last.readUInt32LE(0) === END_SIGNATURE && last.readUInt16LE(20) === 0) {
    return { end: last, at: window.size - END_BYTES };
  }
  const tail = await readTail(window);
  const { length } = tail;
  for (let at = length - 4; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    rules.requirePacked();
    if (at + END_BYTES > length) break;
    const rest = tail.subarray(at + END_BYTES + tail.readUInt16LE(at + 20));
    if (rest.length > 0) throw trailingBytes(rest.length);
    if (tail.readUInt16LE(at + 20) !== length - END_BYTES - at) break;
    return { end: tail.subarray(at, at + END_BYTES), at: window.size - length + at };
  }
  throw brokenArchive('package.not_zip');
}

/** The values of the zip64 end record, which must be those of the end record, except where that one refers to it. */
async function readZip64End(window: FileWindow, short: DirectoryPlace, endAt: number): Promise<DirectoryPlace> {
  const at = endAt - LOCATOR_BYTES - ZIP64_END_BYTES;
  if (at < 0) throw brokenArchive('package.zip_directory');
  const bytes = await window.bytes(at, ZIP64_END_BYTES + LOCATOR_BYTES);
  const isWhole =
    bytes.readUInt32LE(0) === ZIP64_END_SIGNATURE &&
    safeNumber(bytes, 4) === ZIP64_END_BYTES - 12 &&
    bytes.readUInt32LE(16) === 0 &&
    bytes.readUInt32LE(20) === 0 &&
    bytes.readUInt32LE(56) === LOCATOR_SIGNATURE &&
    bytes.readUInt32LE(60) === 0 &&
    safeNumber(bytes, 64) === at &&
    bytes.readUInt32LE(72) === 1;
  const place = { count: safeNumber(bytes, 32), size: safeNumber(bytes, 40), offset: safeNumber(bytes, 48) };
  const isSame =
    safeNumber(bytes, 24) === place.count &&
    (short.count === place.count || short.count === 0xffff) &&
    (short.size === place.size || short.size === 0xffffffff) &&
    (short.offset === place.offset || short.offset === 0xffffffff);
  if (!isWhole || !isSame || place.offset + place.size !== at) throw brokenArchive('package.zip_directory');
  return place;
}
