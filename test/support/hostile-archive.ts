import { Buffer } from 'node:buffer';
import { createCipheriv } from 'node:crypto';
import type { RawEntry } from './raw-zip.ts';

/** An archive that must be refused with the message `text`. */
export interface HostileArchive {
  name: string;
  bytes: Buffer;
  text: string;
}

export const UNREADABLE = 'Could not parse the manifest file.';
export const INVALID = 'Invalid archive.';
export const UNDECODABLE = 'Invalid file name in archive. Please make sure all filenames are utf-8 or latin1 encoded.';

export function refusedName(printed: string): string {
  return `Invalid file name in archive: ${printed}`;
}

export function tooLarge(printed: string): string {
  return `File exceeding size limit in archive: ${printed}`;
}

export const MANIFEST = JSON.stringify({
  manifest_version: 2,
  name: 'Corner clock',
  version: '1.0',
  browser_specific_settings: { gecko: { id: 'corner-clock@example.org', strict_min_version: '58.0' } },
});

/** The entries of a small valid package, followed by `entries`. */
export function packageWith(...entries: RawEntry[]): RawEntry[] {
  return [
    { name: 'manifest.json', content: MANIFEST },
    { name: 'clock.js', content: 'tick();', deflated: true },
    ...entries,
  ];
}

/** Incompressible bytes, the same on every call. */
export function noise(length: number): Buffer {
  return createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(length));
}
