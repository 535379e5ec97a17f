import { z } from 'zod';
import { count, meta, url } from './types.ts';

const path = z.string().optional();
const label = z.string().min(1).optional();

/** Settings of where the signing key is, and of the process that holds it for others. */
export const signerSettings = {
  SIGNING_PKCS11_MODULE: [
    path,
    meta('Signing', 'PKCS#11 library of the hardware module that has the key, in place of SIGNING_KEY_FILE.'),
  ],
  SIGNING_PKCS11_TOKEN: [label, meta('Signing', 'Label of the token in that module.')],
  SIGNING_PKCS11_KEY: [label, meta('Signing', 'Label of the private key in that token.')],
  SIGNING_PKCS11_PIN: [label, meta('Signing', 'PIN of the user of that token.', true)],
  SIGNING_REMOTE_URL: [
    url.refine((text) => text.startsWith('https:'), 'Expected https://…').optional(),
    meta('Signing', 'Address of the process `addons signer` that has the key, in place of SIGNING_KEY_FILE.'),
  ],
  SIGNING_REMOTE_CERT_FILE: [path, meta('Signing', 'Certificate (PEM) with which a worker connects to it.')],
  SIGNING_REMOTE_KEY_FILE: [path, meta('Signing', 'Private key (PEM, 0600) of that certificate.')],
  SIGNING_REMOTE_CA_FILE: [path, meta('Signing', 'Authority (PEM) of the certificate of the signer.')],
  SIGNER_HOST: [z.string().default('127.0.0.1'), meta('Signer', 'Address that `addons signer` listens on.')],
  SIGNER_PORT: [count(1, 65535).default(8443), meta('Signer', 'Port that it listens on.')],
  SIGNER_CERT_FILE: [path, meta('Signer', 'Certificate (PEM) of its host name.')],
  SIGNER_KEY_FILE: [path, meta('Signer', 'Private key (PEM, 0600) of that certificate.')],
  SIGNER_CLIENT_CA_FILE: [
    path,
    meta('Signer', 'Authority (PEM) of the certificates of workers; others cannot connect.'),
  ],
  SIGNER_RATE: [
    count(1, 1_000_000).default(600),
    meta('Signer', 'Signatures per minute for one worker certificate; further ones get 429.'),
  ],
} as const;
