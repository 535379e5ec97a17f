import type { Buffer } from 'node:buffer';
import { noise } from '../../test/support/hostile-archive.ts';
import { legacyExtension, xpi } from '../../test/support/packages.ts';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** Incompressible content such as pictures: files of the same size with different bytes. */
function assets(count: number, bytes: number): Record<string, Buffer> {
  const all = noise(count + bytes);
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`assets/${index}.bin`, all.subarray(index, index + bytes)]),
  );
}

/** A script of about `bytes`, with functions that the linter parses. */
function script(bytes: number): string {
  const functions: string[] = [];
  for (let length = 0, index = 0; length < bytes; index++) {
    const text = `function step${index}(list, limit) {\n  const kept = list.filter((item) => item.weight < limit + ${index});\n  return kept.length > ${index} ? kept.map((item) => item.name) : [];\n}\n`;
    functions.push(text);
    length += text.length;
  }
  return functions.join('\n');
}

/** A tiny package, for the minimum time of a signature. */
export function smallPackage(guid: string, version: string): Promise<Buffer> {
  return xpi({
    guid,
    version,
    files: { 'options.html': '<!doctype html><title>Options</title>\n', 'style.css': 'p {}\n' },
  });
}

/** An ordinary add-on of about 50 kB: 20 kB of script, the rest pictures. */
export function ordinaryPackage(guid: string, version: string): Promise<Buffer> {
  return xpi({ guid, version, files: { 'main.js': script(20 * KILOBYTE), ...assets(6, 8 * KILOBYTE - 100) } });
}

/** 20 MB in 2,000 files. */
export function manyFiles(guid: string, version: string): Promise<Buffer> {
  return xpi({ guid, version, files: assets(2000, 10 * KILOBYTE) });
}

/** 20 MB in 2,000 files as a legacy package, which is not linted: its job only signs. */
export function manyLegacyFiles(guid: string, version: string): Promise<Buffer> {
  return legacyExtension({ guid, version, files: assets(2000, 10 * KILOBYTE) });
}

/** Just below the largest upload: five files of 39 MB. */
export function largestPackage(guid: string, version: string): Promise<Buffer> {
  return xpi({ guid, version, files: assets(5, 39 * MEGABYTE) });
}
