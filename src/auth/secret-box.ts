import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { config } from '../config.ts';

/**
 * Encrypts secrets that must be readable, such as API secrets, which verify signatures. The database stores
 * AES-256-GCM ciphertext, never the key, which is SECRET_KEY or a file that the first process creates.
 */

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

let memory: { source: string; keys: Map<string, KeyObject> } | undefined;

/** Derives a 256-bit key for one purpose; derived keys are independent. */
export function derivedKey(purpose: string): KeyObject {
  const source = config.SECRET_KEY ?? memory?.source ?? readOrCreateKeyFile(join(config.DATA_DIR, 'secret.key'));
  if (memory?.source !== source) memory = { source, keys: new Map() };
  let key = memory.keys.get(purpose);
  if (key === undefined) {
    key = createSecretKey(Buffer.from(hkdfSync('sha256', source, '', purpose, 32)));
    memory.keys.set(purpose, key);
  }
  return key;
}

/** Whether SECRET_KEY is set or the key file exists. Makes no key. */
export function hasSecretKey(): boolean {
  return config.SECRET_KEY !== undefined || existsSync(join(config.DATA_DIR, 'secret.key'));
}

const sealingKey = (): KeyObject => derivedKey('api-secrets');

/**
 * The content of the key file, created with random content when missing. The complete file appears through a hard
 * link that only one process can create, so that processes that start together use one key.
 */
function readOrCreateKeyFile(path: string): string {
  const found = readIfThere(path);
  if (found !== null) return found;
  mkdirSync(config.DATA_DIR, { recursive: true });
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  syncFolder(config.DATA_DIR);
  return readFileSync(path, 'utf8').trim();
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Sealed secrets are lost without their key, so the directory entry is flushed before the first secret. */
function syncFolder(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Seals a text: format byte, nonce, authentication tag, ciphertext. Two seals of one text differ. */
export function sealSecret(text: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(), nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return new Uint8Array(Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), body]));
}

/** The secret was sealed with another key, or its ciphertext was changed. */
export class UnopenableSecretError extends Error {
  constructor(options: ErrorOptions) {
    super('A sealed secret does not open: restore the SECRET_KEY or secret.key it was sealed with.', options);
  }
}

/** The text inside a sealed secret. @throws {UnopenableSecretError}; other errors when the key cannot be read. */
export function openSecret(sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const key = sealingKey();
  try {
    if (bytes[0] !== FORMAT) throw new Error('unknown format');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEAD_BYTES));
    return decipher.update(bytes.subarray(HEAD_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch (error) {
    throw new UnopenableSecretError({ cause: error });
  }
}
