import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { config } from '../config.ts';
import { readIfThere, readOrCreateKeyFile } from '../infra/key-file.ts';

/**
 * Encrypts secrets that must be readable, such as API secrets, which verify signatures. The database stores
 * AES-256-GCM ciphertext, never the key, which is SECRET_KEY or a file that the first process creates.
 */

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

let memory: { source: string; keys: Map<string, KeyObject> } | undefined;

const keyFile = (): string => join(config.DATA_DIR, 'secret.key');

/** Derives a 256-bit key for one purpose; derived keys are independent. */
export function derivedKey(purpose: string): KeyObject {
  const source =
    config.SECRET_KEY ?? memory?.source ?? readOrCreateKeyFile(keyFile(), () => randomBytes(32).toString('hex'));
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
  return config.SECRET_KEY !== undefined || readIfThere(keyFile()) !== null;
}

const sealingKey = (): KeyObject => derivedKey('api-secrets');

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
