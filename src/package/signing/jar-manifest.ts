import { createHash } from 'node:crypto';
import { invalidName } from '../zip/refusals.ts';

const MAX_LINE_BYTES = 72;

/** One file of a manifest: its name and the bytes of its section, the closing blank line included. */
export interface ManifestSection {
  name: string;
  bytes: Buffer;
}

/**
 * Folds `Key: value` into lines of at most 72 bytes, each continuation starting with one space. A character of several
 * bytes is never split, because readers decode line by line.
 */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return `${line}\n`;
  let folded = '';
  let used = 0;
  for (const character of line) {
    const bytes = Buffer.byteLength(character);
    if (used + bytes > MAX_LINE_BYTES) {
      folded += '\n ';
      used = 1;
    }
    folded += character;
    used += bytes;
  }
  return `${folded}\n`;
}

/** Refuses control characters, which would start a new line, and outer spaces, which readers trim. */
function checkName(name: string): void {
  const controls = [...name].some((character) => character < ' ' || character === '\u007f');
  if (name === '' || controls || name.startsWith(' ') || name.endsWith(' '))
    throw invalidName(name, 'package.name_not_signable');
}

function sha256Base64(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64');
}

/**
 * The manifest section of one file; `sha256` is the raw digest of its content. Both spellings of the digest attribute
 * are written: browsers read `SHA256-Digest`, JAR tools only `SHA-256-Digest`. Throws a PackageError for a name that
 * a manifest cannot hold (JAR file specification, Section-Specification).
 */
export function manifestSection(name: string, sha256: Buffer): ManifestSection {
  checkName(name);
  const digest = sha256.toString('base64');
  const lines = `Digest-Algorithms: SHA256\nSHA256-Digest: ${digest}\nSHA-256-Digest: ${digest}\n\n`;
  return { name, bytes: Buffer.from(foldLine(`Name: ${name}`) + lines, 'utf8') };
}

/** The bytes of a manifest (manifest.mf or cose.manifest) with the given sections. */
export function jarManifest(sections: ManifestSection[]): Buffer {
  return Buffer.concat([Buffer.from('Manifest-Version: 1.0\n\n'), ...sections.map((section) => section.bytes)]);
}

/**
 * The bytes of the signature file (`*.sf`) over a manifest. Browsers check the digest of the whole manifest; JAR tools
 * count a file as signed only when the signature file has a section for it, with the digest of its manifest section.
 */
export function signatureFile(manifest: Buffer, sections: ManifestSection[]): Buffer {
  const whole = sha256Base64(manifest);
  const head = `Signature-Version: 1.0\nSHA256-Digest-Manifest: ${whole}\nSHA-256-Digest-Manifest: ${whole}\n\n`;
  const files = sections.map(
    ({ name, bytes }) => `${foldLine(`Name: ${name}`)}SHA-256-Digest: ${sha256Base64(bytes)}\n\n`,
  );
  return Buffer.from(head + files.join(''), 'utf8');
}
