/*
 * The places of a signing key, for tests: files, a token of SoftHSM, and a process that holds the key for others. Each has the same chain.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const LIBRARIES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/softhsm/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
];

/** The library of SoftHSM; null when the machine lacks it or the module for PKCS#11 is not built. */
export function softHsm(): string | null {
  try {
    createRequire(import.meta.url)('pkcs11js');
  } catch {
    return null;
  }
  return LIBRARIES.find((path) => existsSync(path)) ?? null;
}

/** Makes a token with a private key in a folder, and lets this process use it. Returns settings of the signer. */
export async function makeToken(folder: string, library: string, keyPem: string) {
  const tokens = join(folder, 'tokens');
  await mkdir(tokens, { recursive: true });
  const configuration = join(folder, 'softhsm.conf');
  await writeFile(configuration, `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`);
  const environment = { SOFTHSM2_CONF: configuration };
  const env = { ...process.env, ...environment };
  const keyFile = join(folder, 'imported.pem');
  await writeFile(keyFile, keyPem, { mode: 0o600 });
  await run('softhsm2-util', ['--init-token', '--free', '--label', 'addons', '--so-pin', '12345678', '--pin', '1234'], {
    env,
  });
  await run(
    'softhsm2-util',
    ['--import', keyFile, '--token', 'addons', '--label', 'signing', '--id', '01', '--pin', '1234'],
    { env },
  );
  return {
    environment,
    settings: {
      SIGNING_PKCS11_MODULE: library,
      SIGNING_PKCS11_TOKEN: 'addons',
      SIGNING_PKCS11_KEY: 'signing',
      SIGNING_PKCS11_PIN: '1234',
    },
  };
}

/** Makes an authority and certificates of it, for TLS: of the signer on 127.0.0.1, and of a client. Returns the paths of the files. */
export async function makeTlsFiles(folder: string, name: string) {
  await mkdir(folder, { recursive: true });
  const file = (ending: string) => join(folder, `${name}-${ending}`);
  const openssl = (...words: string[]) => run('openssl', words);
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await openssl(
    'req',
    '-x509',
    ...newKey,
    '-days',
    '2',
    '-subj',
    `/CN=${name} authority`,
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.crt'),
  );
  for (const [role, extension] of [
    ['server', 'subjectAltName=IP:127.0.0.1'],
    ['client', 'extendedKeyUsage=clientAuth'],
  ] as const) {
    await openssl(
      'req',
      ...newKey,
      '-subj',
      `/CN=${name}-${role}`,
      '-keyout',
      file(`${role}.key`),
      '-out',
      file(`${role}.csr`),
    );
    await writeFile(file(`${role}.ext`), `${extension}\n`);
    const issue = [
      '-CA',
      file('ca.crt'),
      '-CAkey',
      file('ca.key'),
      '-CAcreateserial',
      '-days',
      '2',
      '-extfile',
      file(`${role}.ext`),
    ];
    await openssl('x509', '-req', '-in', file(`${role}.csr`), ...issue, '-out', file(`${role}.crt`));
  }
  return {
    signer: {
      SIGNER_CERT_FILE: file('server.crt'),
      SIGNER_KEY_FILE: file('server.key'),
      SIGNER_CLIENT_CA_FILE: file('ca.crt'),
    },
    worker: {
      SIGNING_REMOTE_CERT_FILE: file('client.crt'),
      SIGNING_REMOTE_KEY_FILE: file('client.key'),
      SIGNING_REMOTE_CA_FILE: file('ca.crt'),
    },
  };
}
