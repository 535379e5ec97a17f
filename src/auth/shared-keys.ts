/*
 * Keys that all hosts of an installation must share. The database has a value that shows whether a host has the right key: a text
 * sealed with the secret key, the hash of the root certificate, the public key of checkpoints. A host with another key would refuse credentials, break links, or
 * sign files that no client trusts, so its processes do not start.
 */
import { createHash, createPublicKey, createSecretKey, type KeyObject, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { config } from '../config.ts';
import { UnavailableError } from '../errors.ts';
import { type Database, db, Prisma, type Transaction } from '../infra/db.ts';
import { log } from '../infra/log.ts';
import { logKeyFile, readLogKey } from '../infra/log-key.ts';
import { readVerifierKey, verifierKey } from '../infra/signed-note.ts';
import { readRootPem } from '../infra/signer/root-certificate.ts';
import {
  followProof,
  hasSecretKey,
  LINK_PURPOSES,
  linkKeysOf,
  openSecret,
  openWith,
  type RetiredKeys,
  sealSecret,
  sealWith,
  UnopenableSecretError,
  useRetiredKeys,
} from './secret-box.ts';

/** The keys by their names for operators. */
export const SHARED_KEYS = ['secret-key', 'signing-root', 'log-key'] as const;
type SharedKey = (typeof SHARED_KEYS)[number];

/** This host has another key than the installation, or lacks it. The message says what to do. */
export class SharedKeyError extends Error {
  override readonly name = 'SharedKeyError';
}

const SEALED_TEXT = 'the secret key of this installation';

const stateName = (key: SharedKey): string => `shared-key ${key}`;

async function proofOf(key: SharedKey): Promise<string | null> {
  const row = await db.serviceState.findUnique({ where: { name: stateName(key) } });
  return row === null ? null : String(row.value);
}

/** Records the proof of this host's key unless another host was first. Returns the recorded proof. */
async function record(key: SharedKey, proof: string): Promise<string> {
  const row = { name: stateName(key), value: proof };
  await db.serviceState.createMany({ data: [row], skipDuplicates: true });
  return (await proofOf(key)) ?? proof;
}

/** Where this host has its secret key, for messages. */
const secretKeyPlace = (): string =>
  config.SECRET_KEY === undefined ? join(config.DATA_DIR, 'secret.key') : 'SECRET_KEY';

const otherSecretKey = (): SharedKeyError =>
  new SharedKeyError(
    `The secret key of this host (${secretKeyPlace()}) is not that of the installation. Set SECRET_KEY, or copy ` +
      'DATA_DIR/secret.key from a host that has it. If it is lost, run: npx addons shared-key accept secret-key',
  );

function opens(sealed: Uint8Array): boolean {
  try {
    openSecret(sealed);
    return true;
  } catch (error) {
    if (error instanceof UnopenableSecretError) return false;
    throw error;
  }
}

const opensProof = (proof: string): boolean => followProof(Buffer.from(proof, 'hex'));
const newProof = (): string => hex(sealSecret(SEALED_TEXT));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * Returns if this host has the secret key of the installation. The first host makes the key unless it is set. An
 * installation that has no proof yet is judged by its newest API key.
 * @throws {SharedKeyError} otherwise.
 */
export async function requireSecretKey(): Promise<void> {
  const known = await proofOf('secret-key');
  if (known !== null && !hasSecretKey()) {
    throw new SharedKeyError(
      `This host has no secret key: ${secretKeyPlace()} is missing. Set SECRET_KEY, or copy DATA_DIR/secret.key from ` +
        'another host. If it is lost, run: npx addons shared-key accept secret-key',
    );
  }
  const proof = known ?? (await firstProof());
  if (!opensProof(proof)) throw otherSecretKey();
  useRetiredKeys(openRetired(await retiredKeys(db)));
}

/** Link keys of a secret key that was replaced, sealed, by their purpose. */
type SealedKeys = Record<string, string>;

/** The name of the state that has the link keys of replaced secret keys, the newest first. */
const RETIRED_KEYS = 'retired-link-keys';
/** Links that are older than this number of replaced keys end. */
const MAX_RETIRED = 20;

async function retiredKeys(on: Database): Promise<SealedKeys[]> {
  const row = await on.serviceState.findUnique({ where: { name: RETIRED_KEYS } });
  return (row?.value ?? []) as SealedKeys[];
}

/** Opens kept link keys. Those that were sealed with a lost key are left out: their links have ended. */
function openRetired(all: readonly SealedKeys[]): RetiredKeys[] {
  const open = (text = '') => createSecretKey(openSecret(Buffer.from(text, 'hex')), 'hex');
  return all
    .filter((sealed) => LINK_PURPOSES.every((purpose) => opens(Buffer.from(sealed[purpose] ?? '', 'hex'))))
    .map(
      (sealed) => Object.fromEntries(LINK_PURPOSES.map((purpose) => [purpose, open(sealed[purpose])])) as RetiredKeys,
    );
}

/** The recorded proof of the secret key, which no rotation replaces before `tx` ends. Null before the first one. */
async function lockProof(tx: Transaction, strength: 'FOR SHARE' | 'FOR UPDATE'): Promise<Buffer | null> {
  const [row] = await tx.$queryRaw<{ proof: string }[]>`
    SELECT value #>> '{}' AS proof FROM service_state WHERE name = ${stateName('secret-key')} ${Prisma.raw(strength)}`;
  return row === undefined ? null : Buffer.from(row.proof, 'hex');
}

/**
 * Seals a text with the secret key of the installation, in the transaction that stores it.
 * @throws {UnavailableError} when the key was replaced by one that this process has not read.
 */
export async function sealInTransaction(tx: Transaction, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const proof = await lockProof(tx, 'FOR SHARE');
  if (proof !== null && !followProof(proof)) {
    log.error('The secret key was replaced by one that this process does not have: send it SIGHUP, or start it again.');
    throw new UnavailableError();
  }
  return sealSecret(text);
}

/**
 * Makes `secret` the secret key of the installation in place of `previous`. Links of the previous key stay valid unless `endsLinks`.
 * Returns false when `secret` was that already.
 * @throws {SharedKeyError} when the secret key of the installation is neither of them.
 */
export async function replaceSecretKey(
  tx: Transaction,
  { secret, previous, endsLinks }: { secret: string; previous: string; endsLinks: boolean },
): Promise<boolean> {
  const proof = await lockProof(tx, 'FOR UPDATE');
  const isReplaced = proof !== null && openWith(secret, proof) !== null;
  if (!isReplaced && (proof === null || openWith(previous, proof) === null)) throw otherSecretKey();
  const kept = endsLinks ? [] : await keptKeys(tx, secret, isReplaced ? null : previous);
  const write = (name: string, value: Prisma.InputJsonValue) =>
    tx.serviceState.upsert({ where: { name }, create: { name, value }, update: { value } });
  await write(RETIRED_KEYS, kept);
  if (!isReplaced) await write(stateName('secret-key'), hex(sealWith(secret, SEALED_TEXT)));
  return !isReplaced;
}

/** The link keys to keep, sealed with `secret`: those kept so far, and those of the secret key that ends now. */
async function keptKeys(tx: Transaction, secret: string, ending: string | null): Promise<SealedKeys[]> {
  const kept = openRetired(await retiredKeys(tx));
  const all = ending === null ? kept : [linkKeysOf(ending), ...kept];
  const seal = (key: KeyObject) => hex(sealWith(secret, key.export().toString('hex')));
  return all
    .slice(0, MAX_RETIRED)
    .map((keys) => Object.fromEntries(LINK_PURPOSES.map((purpose) => [purpose, seal(keys[purpose])])));
}

async function firstProof(): Promise<string> {
  const newest = await db.apiKey.findFirst({ orderBy: { id: 'desc' }, select: { sealedSecret: true } });
  if (newest !== null && !opens(newest.sealedSecret)) throw otherSecretKey();
  return record('secret-key', newProof());
}

const fingerprint = (pem: string): string => createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');

/**
 * Returns if `rootPem` is the root certificate of the installation; the first worker decides which that is.
 * @throws {SharedKeyError} otherwise.
 */
export async function requireSigningRoot(rootPem: string, role: 'signs' | 'serves'): Promise<void> {
  const own = fingerprint(rootPem);
  const known = (await proofOf('signing-root')) ?? (role === 'signs' ? await record('signing-root', own) : own);
  if (known === own) return;
  const place = config.SIGNING_CHAIN_FILE ?? join(config.DATA_DIR, 'ca');
  throw new SharedKeyError(
    `The root certificate of this host (${place}) is not that of the installation (SHA-256 ${known}). Use its ` +
      'SIGNING_CHAIN_FILE, or share DATA_DIR. To change the root, run: npx addons shared-key accept signing-root',
  );
}

const LOG_KEY_NAME = 'log';

/** The public key of checkpoints of the logs, as a verifier key; null before the first checkpoint. */
export const recordedLogKey = (): Promise<string | null> => proofOf('log-key');

/**
 * Returns if `key` is the key that signs checkpoints of this installation; the first worker decides which that is.
 * @throws {SharedKeyError} otherwise.
 */
export async function requireLogKey(key: KeyObject): Promise<void> {
  const known = (await recordedLogKey()) ?? (await record('log-key', verifierKey(LOG_KEY_NAME, key)));
  if (readVerifierKey(known).equals(createPublicKey(key))) return;
  throw new SharedKeyError(
    `The key of this host that signs checkpoints of the logs (${logKeyFile()}) is not that of the installation. Copy it ` +
      'from the host that has it. If it is lost, run: npx addons shared-key accept log-key',
  );
}

async function ownProof(key: SharedKey): Promise<string | null> {
  if (key === 'secret-key') return newProof();
  if (key === 'signing-root') {
    const rootPem = await readRootPem();
    return rootPem === null ? null : fingerprint(rootPem);
  }
  const logKey = readLogKey();
  return logKey === null ? null : verifierKey(LOG_KEY_NAME, logKey);
}

/**
 * Makes the key of this host that of the installation. Other hosts with the earlier key no longer start.
 * @throws {SharedKeyError} when this host has no such key.
 */
export async function acceptSharedKey(on: Database, key: SharedKey): Promise<void> {
  const value = await ownProof(key);
  if (value === null) throw new SharedKeyError(`This host has no ${key}.`);
  const name = stateName(key);
  await on.serviceState.upsert({ where: { name }, create: { name, value }, update: { value } });
}
