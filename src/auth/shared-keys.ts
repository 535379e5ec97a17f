/*
 * Keys that all hosts of an installation must share. The database has a value that shows whether a host has the right key: a text
 * sealed with the secret key, the hash of the root certificate, the public key of checkpoints. A host with another key would refuse credentials, break links, or
 * sign files that no client trusts, so its processes do not start.
 */
import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { config } from '../config.ts';
import { type Database, db } from '../infra/db.ts';
import { logKeyFile, readLogKey } from '../infra/log-key.ts';
import { readVerifierKey, verifierKey } from '../infra/signed-note.ts';
import { readRootPem } from '../infra/signer/root-certificate.ts';
import { hasSecretKey, openSecret, sealSecret, UnopenableSecretError } from './secret-box.ts';

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

const opensProof = (proof: string): boolean => opens(Buffer.from(proof, 'hex'));
const newProof = (): string => Buffer.from(sealSecret(SEALED_TEXT)).toString('hex');

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
