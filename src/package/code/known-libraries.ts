import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file of a published library. */
export interface KnownLibrary {
  name: string;
  version: string;
}

/** A line of the list, in a string literal: SHA-256 in hex, then name, version and file with points between them. */
const ENTRY = /(?:\\n|")([0-9a-f]{64}) ([a-z-]+(?:16)?)\.(\d+(?:\.\d+)+)\./g;

let known: Map<string, KnownLibrary> | null = null;

/** The library whose unchanged file has this SHA-256 in hex, by the list of the linter; null for other files. */
export function knownLibrary(sha256: string): KnownLibrary | null {
  known ??= readList();
  return known.get(sha256) ?? null;
}

/** The linter has the list as a text in its program and exports no part of it; loading it takes seconds. */
function readList(): Map<string, KnownLibrary> {
  const program = readFileSync(createRequire(import.meta.url).resolve('addons-linter'), 'utf8');
  // The linter has two lists of React, the one since version 16 with the number in its names.
  return new Map(
    [...program.matchAll(ENTRY)].map(([, sha256 = '', name = '', version = '']) => [
      sha256,
      { name: name.replace(/16$/, ''), version },
    ]),
  );
}
