import type { Buffer } from 'node:buffer';

/**
 * Time stamps (Unix 0x5455, old Unix 0x5855, NTFS 0x000a), owner ids (0x7875) and the empty marker of Java archives
 * (0xcafe). Any other field may give the entry another name, size or content in another reader.
 */
const HARMLESS = new Set([0x5455, 0x7875, 0x5855, 0x000a, 0xcafe]);

/** Whether the extra field of a header is well-formed and has only fields without effect (APPNOTE 4.5). */
export function isHarmlessExtra(extra: Buffer): boolean {
  let at = 0;
  while (at + 4 <= extra.length) {
    if (!HARMLESS.has(extra.readUInt16LE(at))) return false;
    at += 4 + extra.readUInt16LE(at + 2);
  }
  return at === extra.length;
}
