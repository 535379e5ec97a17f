import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { join } from 'node:path';
import { config } from '../config.ts';
import { readIfThere, readOrCreateKeyFile } from '../infra/key-file.ts';

/**
 * Encrypts secrets that must be readable, such as API secrets, which verify signatures, and makes the codes in links. The database
 * stores AES-256-GCM ciphertext, never the key, which is SECRET_KEY or a file that the first process creates. While the key is
 * replaced, a process has two: SECRET_KEY_PREVIOUS opens and verifies as well. The one that the database has a proof of seals and signs.
 */

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** What codes in links and addresses are made for; each purpose has a key of its own. */
export const LINK_PURPOSES = ['abuse-reports', 'outgoing-links', 'reply-tokens', 'unsubscribe'] as const;
type LinkPurpose = (typeof LINK_PURPOSES)[number];
type Purpose = LinkPurpose | 'api-secrets';

/** Link keys of secret keys that were replaced. They verify codes that were made before; nothing is made with them. */
export type RetiredKeys = Readonly<Record<LinkPurpose, KeyObject>>;

interface Keys {
  /** The secret keys of this process, the one that seals first. */
  secrets: readonly string[];
  /** The keys of each purpose in the same order, those of retired secret keys last. */
  derived: Map<Purpose, KeyObject[]>;
}

let fileKey: string | undefined;
/** The secret key of which the database has a proof; undefined before the database is open. */
let proven: string | undefined;
let retired: readonly RetiredKeys[] = [];
let memory: { of: readonly unknown[]; keys: Keys } | undefined;

const keyFile = (): string => join(config.DATA_DIR, 'secret.key');

/** The secret key: SECRET_KEY, or that of the key file, which is made when it is missing. */
export function currentSecret(): string {
  if (config.SECRET_KEY !== undefined) return config.SECRET_KEY;
  fileKey ??= readOrCreateKeyFile(keyFile(), () => randomBytes(32).toString('hex'));
  return fileKey;
}

/** The keys of the present settings. */
function keys(): Keys {
  const of = [currentSecret(), config.SECRET_KEY_PREVIOUS, proven, retired];
  if (memory === undefined || of.some((each, index) => each !== memory?.of[index])) {
    const secrets = [currentSecret(), config.SECRET_KEY_PREVIOUS].filter((each) => each !== undefined);
    secrets.sort((a, b) => Number(b === proven) - Number(a === proven));
    memory = { of, keys: { secrets, derived: new Map() } };
  }
  return memory.keys;
}

const derive = (secret: string, purpose: Purpose): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));

/** The 256-bit keys of one purpose, the one that makes new values first; keys of different purposes are independent. */
function keysOf(purpose: Purpose): KeyObject[] {
  const { secrets, derived } = keys();
  let found = derived.get(purpose);
  if (found === undefined) {
    found = secrets.map((secret) => derive(secret, purpose));
    if (purpose !== 'api-secrets') found.push(...retired.map((of) => of[purpose]));
    derived.set(purpose, found);
  }
  return found;
}

/** The key that makes new values of a purpose. */
function newest(purpose: Purpose): KeyObject {
  const [key] = keysOf(purpose);
  if (key === undefined) throw new Error('There is no secret key.');
  return key;
}

/** Identifies the key that `linkCode` uses now. Another one is another object. */
export const linkKey = (purpose: LinkPurpose): KeyObject => newest(purpose);

const code = (key: KeyObject, subject: string): Buffer => createHmac('sha256', key).update(subject).digest();

/** The code that proves that this installation made a link about `subject`: 32 bytes. */
export const linkCode = (purpose: LinkPurpose, subject: string): Buffer => code(newest(purpose), subject);

/** The codes that are valid for `subject`, the newest first. */
export const validLinkCodes = (purpose: LinkPurpose, subject: string): Buffer[] =>
  keysOf(purpose).map((key) => code(key, subject));

/** Whether `given` is the start of a valid code. Callers require its length. */
export function isLinkCode(purpose: LinkPurpose, subject: string, given: Buffer): boolean {
  const matches = validLinkCodes(purpose, subject).filter((valid) =>
    timingSafeEqual(valid.subarray(0, given.length), given),
  );
  return given.length > 0 && matches.length > 0;
}

/** Whether SECRET_KEY is set or the key file exists. Makes no key. */
export function hasSecretKey(): boolean {
  return config.SECRET_KEY !== undefined || readIfThere(keyFile()) !== null;
}

/** Reads the key file again at the next use. Returns what it had. */
export function forgetKeyFile(): string | undefined {
  const had = fileKey;
  fileKey = undefined;
  return had;
}

/** Uses what `forgetKeyFile` returned. */
export function useKeyFile(text: string | undefined): void {
  fileKey = text;
}

/**
 * Makes the secret key that opens `proof` the one that seals and signs. Returns false, and changes nothing, when this process has no
 * such key.
 */
export function followProof(proof: Uint8Array): boolean {
  const secret = keys().secrets.find((each) => opened(proof, derive(each, 'api-secrets')) !== null);
  if (secret === undefined) return false;
  proven = secret;
  return true;
}

/** Sets the link keys of secret keys that were replaced. */
export function useRetiredKeys(all: readonly RetiredKeys[]): void {
  retired = all;
}

/** The link keys of a secret key, to keep when it is replaced. */
export const linkKeysOf = (secret: string): RetiredKeys =>
  Object.fromEntries(LINK_PURPOSES.map((purpose) => [purpose, derive(secret, purpose)])) as Record<
    LinkPurpose,
    KeyObject
  >;

/** Seals a text: format byte, nonce, authentication tag, ciphertext. Two seals of one text differ. */
export const sealSecret = (text: string): Uint8Array<ArrayBuffer> => sealed(text, newest('api-secrets'));

/** Like `sealSecret`, with a given secret key. */
export const sealWith = (secret: string, text: string): Uint8Array<ArrayBuffer> =>
  sealed(text, derive(secret, 'api-secrets'));

function sealed(text: string, key: KeyObject): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return new Uint8Array(Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), body]));
}

/** The secret was sealed with another key, or its ciphertext was changed. */
export class UnopenableSecretError extends Error {
  constructor() {
    super('A sealed secret does not open: restore the SECRET_KEY or secret.key it was sealed with.');
  }
}

/** The text inside a sealed secret. @throws {UnopenableSecretError}; other errors when the key cannot be read. */
export function openSecret(bytes: Uint8Array): string {
  for (const key of keysOf('api-secrets')) {
    const text = opened(bytes, key);
    if (text !== null) return text;
  }
  throw new UnopenableSecretError();
}

/** The text of a secret that was sealed with this secret key; null for others. */
export const openWith = (secret: string, bytes: Uint8Array): string | null =>
  opened(bytes, derive(secret, 'api-secrets'));

function opened(sealedText: Uint8Array, key: KeyObject): string | null {
  const bytes = Buffer.from(sealedText.buffer, sealedText.byteOffset, sealedText.byteLength);
  if (bytes[0] !== FORMAT || bytes.length < HEAD_BYTES) return null;
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  try {
    return decipher.update(bytes.subarray(HEAD_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
