import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '../config.ts';
import { readIfThere, readOrCreateKeyFile } from './key-file.ts';

const OTHERS = 0o077;

/** Where this host has the key that signs checkpoints of the logs. */
export const logKeyFile = (): string => config.LOG_KEY_FILE ?? join(config.DATA_DIR, 'log.key');

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
}

function parse(pem: string): KeyObject {
  const path = logKeyFile();
  const mode = statSync(path).mode & 0o777;
  if ((mode & OTHERS) !== 0) {
    throw new Error(`${path} can be read or changed by others (mode ${mode.toString(8)}); run: chmod 600 ${path}`);
  }
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${path} must be an Ed25519 key in PEM form.`);
  return key;
}

/** The private key that signs checkpoints of the logs; made when it is missing. */
export const openLogKey = (): KeyObject => parse(readOrCreateKeyFile(logKeyFile(), newKey));

/** The private key of this host; null if it has none, as web processes need none. */
export function readLogKey(): KeyObject | null {
  const pem = readIfThere(logKeyFile());
  return pem === null ? null : parse(pem);
}
