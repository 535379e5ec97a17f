/*
 * Signed notes as transparency logs use them (C2SP signed-note): a text, an empty line, and signature lines
 * `— NAME BASE64(key id || signature)`, here of Ed25519.
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

const ED25519 = 0x01;
const KEY_ID_BYTES = 4;
/** The DER of an Ed25519 public key ends with these bytes of the key (RFC 8410). */
const PUBLIC_KEY_BYTES = 32;
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE_LINE = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/;
const VERIFIER_KEY = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/;

/** The note has no valid signature of the key, or is no signed note. */
export class NoteError extends Error {
  override readonly name = 'NoteError';
}

const publicOf = (key: KeyObject): KeyObject => (key.type === 'private' ? createPublicKey(key) : key);

const rawKey = (key: KeyObject): Buffer =>
  publicOf(key).export({ type: 'spki', format: 'der' }).subarray(-PUBLIC_KEY_BYTES);

function keyId(name: string, raw: Buffer): Buffer {
  const hash = createHash('sha256').update(`${name}\n`).update(Buffer.of(ED25519)).update(raw);
  return hash.digest().subarray(0, KEY_ID_BYTES);
}

/** The public key of `key` under a name, in the form that verifiers of signed notes read: `NAME+ID+BASE64`. */
export function verifierKey(name: string, key: KeyObject): string {
  const raw = rawKey(key);
  return `${name}+${keyId(name, raw).toString('hex')}+${Buffer.concat([Buffer.of(ED25519), raw]).toString('base64')}`;
}

/** Reads a key as `verifierKey` writes it. @throws {NoteError} if it is none. */
export function readVerifierKey(text: string): KeyObject {
  const [, name = '', id = '', body = ''] = VERIFIER_KEY.exec(text.trim()) ?? [];
  const bytes = Buffer.from(body, 'base64');
  const raw = bytes.subarray(1);
  if (bytes[0] !== ED25519 || raw.length !== PUBLIC_KEY_BYTES || keyId(name, raw).toString('hex') !== id) {
    throw new NoteError('The key is not of the form NAME+ID+BASE64 of an Ed25519 key.');
  }
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' });
}

/** Signs `text`, which ends with a line break, with a private key under a name. */
export function signNote(text: string, name: string, key: KeyObject): string {
  const signature = Buffer.concat([keyId(name, rawKey(key)), sign(null, Buffer.from(text), key)]);
  return `${text}\n— ${name} ${signature.toString('base64')}\n`;
}

/** The text of a note that `key` has signed under any name. @throws {NoteError} if it has not. */
export function openNote(note: string, key: KeyObject): string {
  const end = note.lastIndexOf('\n\n');
  if (end === -1 || !note.endsWith('\n')) throw new NoteError('It is no signed note.');
  const text = note.slice(0, end + 1);
  const raw = rawKey(key);
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, name = '', body = ''] = SIGNATURE_LINE.exec(line) ?? [];
    const bytes = Buffer.from(body, 'base64');
    const isOfKey = bytes.subarray(0, KEY_ID_BYTES).equals(keyId(name, raw));
    if (isOfKey && verify(null, Buffer.from(text), publicOf(key), bytes.subarray(KEY_ID_BYTES))) return text;
  }
  throw new NoteError('It has no valid signature of the key of this log.');
}
