import { Buffer } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import type { ContainerRules } from './container-rules.ts';
import { brokenArchive } from './refusals.ts';

const MAGIC = Buffer.from('Cr24', 'latin1');
/** Magic number, version, and the length of the key and of the signature (version 2) or of the header (version 3). */
const PREFIX_BYTES = 16;
const VERSIONS: Readonly<Record<number, { lengths: number; fixedBytes: number }>> = {
  2: { lengths: 2, fixedBytes: 16 },
  3: { lengths: 1, fixedBytes: 12 },
};
/** Keys and signatures take some thousand bytes. */
const MAX_HEADER_BYTES = 1024 * 1024;

/**
 * Length of the CRX header before a ZIP archive, in bytes; 0 without one. Offsets in the archive do not count it.
 * @throws {PackageError} for a header that is malformed, or in a plain container.
 */
export async function crxHeaderBytes(handle: FileHandle, rules: ContainerRules): Promise<number> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(PREFIX_BYTES), 0, PREFIX_BYTES, 0);
  if (bytesRead < PREFIX_BYTES || !buffer.subarray(0, MAGIC.length).equals(MAGIC)) return 0;
  rules.requirePacked();
  const layout = VERSIONS[buffer.readUInt32LE(4)];
  if (layout === undefined) throw brokenArchive('package.crx_header');
  const lengths = Array.from({ length: layout.lengths }, (_, index) => buffer.readUInt32LE(8 + 4 * index));
  if (lengths.some((length) => length === 0 || length > MAX_HEADER_BYTES)) throw brokenArchive('package.crx_header');
  return lengths.reduce((sum, length) => sum + length, layout.fixedBytes);
}
