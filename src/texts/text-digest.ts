import { createHash } from 'node:crypto';

/** Identifies a text: SHA-256 in hex, with line feeds as line ends and without spaces around it; '' for no text. */
export function textDigest(text: string): string {
  const same = text.replaceAll('\r\n', '\n').trim();
  return same === '' ? '' : createHash('sha256').update(same).digest('hex');
}
