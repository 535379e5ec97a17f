import { verify, X509Certificate } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadRootPem } from '../../../src/infra/signer/certificate-file.ts';
import { openFileSigner } from '../../../src/infra/signer/file-signer.ts';
import { SignerSetupError, type SigningRequest } from '../../../src/infra/signer/signer.ts';
import { authorityExtensions, endEntityExtensions } from '../../../src/package/signing/certificates.ts';
import { issuerOf } from '../../../src/package/signing/issuer.ts';
import {
  certificate,
  type Folder,
  keyIdOf,
  keyPem,
  newKeyPair,
  openChain,
  operatorChain,
  pem,
  temporaryFolder,
} from '../../package/signing/signing-fixture.ts';

let folder: Folder;
let chain: Awaited<ReturnType<typeof operatorChain>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  chain = await operatorChain();
});
afterAll(() => folder.remove());

async function writeKey(content: string, mode = 0o600): Promise<string> {
  const path = folder.next('.key');
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

async function writeChain(content: string): Promise<string> {
  const path = folder.next('.pem');
  await writeFile(path, content);
  return path;
}

const REQUEST: SigningRequest = {
  serial: '00',
  guid: 'notes@example.com',
  organizationalUnit: 'Production',
  notBefore: new Date(0),
  notAfter: new Date(0),
  publicKey: Buffer.alloc(0),
  file: null,
};

describe('a signer from an operator’s files', () => {
  const kinds = [
    ['P-256', 'ecdsa-sha256', 'sha256'],
    ['P-384', 'ecdsa-sha384', 'sha384'],
    [2048, 'rsa-sha256', 'sha256'],
  ] as const;
  it.each(kinds)('signs with a %s key', async (kind, algorithm, hash) => {
    const made = await operatorChain({ intermediateKey: newKeyPair(kind).privateKey });
    const signer = await openChain(folder, keyPem(made.intermediateKey), pem(made.intermediate) + pem(made.root));
    const bytes = Buffer.from('to be signed');
    expect(signer.algorithm).toBe(algorithm);
    expect(
      verify(hash, bytes, new X509Certificate(made.intermediate).publicKey, await signer.signTbs(bytes, REQUEST)),
    ).toBe(true);
  });

  it('has the chain and the details of its issuer', async () => {
    const signer = await openChain(folder, keyPem(chain.intermediateKey), pem(chain.intermediate) + pem(chain.root));
    const intermediate = new X509Certificate(chain.intermediate);
    const root = new X509Certificate(chain.root);
    expect(signer.chain()).toEqual([chain.intermediate, chain.root]);
    expect(issuerOf(signer)).toMatchObject({
      nameText: 'C=NL, O=Example Operator, CN=Example intermediate',
      notAfter: intermediate.validToDate < root.validToDate ? intermediate.validToDate : root.validToDate,
    });
  });

  it.each([0o640, 0o604, 0o660, 0o644])('refuses a key file of mode %o', async (mode) => {
    const keyFile = await writeKey(keyPem(chain.intermediateKey), mode);
    const chainFile = await writeChain(pem(chain.intermediate) + pem(chain.root));
    await expect(openFileSigner({ keyFile, chainFile })).rejects.toThrow(`chmod 600 ${keyFile}`);
  });

  const badKeys: [string, () => string, RegExp][] = [
    ['no key', () => 'hello', /does not hold a private key/],
    [
      'a public key',
      () => new X509Certificate(chain.root).publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      /private key/,
    ],
    [
      'an encrypted key',
      () =>
        chain.intermediateKey
          .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' })
          .toString(),
      /is encrypted/,
    ],
    ['a P-521 key', () => keyPem(newKeyPair('P-521').privateKey), /must be an ECDSA key on P-256 or P-384/],
    ['a short RSA key', () => keyPem(newKeyPair(1024).privateKey), /RSA key of 2048 bits or more/],
    ['the key of another certificate', () => keyPem(chain.rootKey), /is not the key of the first certificate/],
  ];
  it.each(badKeys)('refuses %s', async (_, key, problem) => {
    const opened = openChain(folder, key(), pem(chain.intermediate) + pem(chain.root));
    await expect(opened).rejects.toThrow(problem);
    await expect(opened).rejects.toBeInstanceOf(SignerSetupError);
  });

  it('names a missing file', async () => {
    const keyFile = await writeKey(keyPem(chain.intermediateKey));
    const missing = `${folder.path}/missing.pem`;
    await expect(openFileSigner({ keyFile: missing, chainFile: missing })).rejects.toThrow(`${missing} cannot be read`);
    await expect(openFileSigner({ keyFile, chainFile: missing })).rejects.toThrow(`${missing} cannot be read`);
  });

  const badChains: [string, () => Promise<string>, RegExp][] = [
    [
      'one certificate',
      async () => pem(chain.intermediate),
      /must hold the intermediate certificate and then the root/,
    ],
    ['no certificate', async () => '', /must hold the intermediate certificate and then the root/],
    [
      'root before intermediate',
      async () => pem(chain.root) + pem(chain.intermediate),
      /certificate 1 is not issued by certificate 2/,
    ],
    [
      'no root at the end',
      async () => pem(chain.intermediate) + pem(chain.intermediate),
      /not issued by certificate 2/,
    ],
    [
      'another root',
      async () => pem(chain.intermediate) + pem((await operatorChain()).root),
      /not issued by certificate 2/,
    ],
    [
      'a certificate that is not readable',
      async () => `${pem(chain.intermediate)}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
      /certificate 2 is not readable/,
    ],
  ];
  it.each(badChains)('refuses a chain file with %s', async (_, content, problem) => {
    await expect(openChain(folder, keyPem(chain.intermediateKey), await content())).rejects.toThrow(problem);
  });

  it('refuses an intermediate that expired, is not an authority or has another purpose', async () => {
    const expired = await operatorChain({ notAfter: new Date(Date.now() - 1000) });
    const openExpired = openChain(
      folder,
      keyPem(expired.intermediateKey),
      pem(expired.intermediate) + pem(expired.root),
    );
    await expect(openExpired).rejects.toThrow(/CN=Example intermediate" expired on/);

    const { rootKey, intermediateKey: key } = chain;
    const issuer = { key: rootKey, name: 'Example root' };
    const ids = [keyIdOf(key), keyIdOf(rootKey)] as const;
    const noAuthority = await certificate({
      key,
      name: 'x',
      issuer,
      extensions: endEntityExtensions(...ids, 'a.example.com'),
    });
    await expect(openChain(folder, keyPem(key), pem(noAuthority) + pem(chain.root))).rejects.toThrow(
      'is not a certificate authority',
    );

    const usual = authorityExtensions(...ids, 0);
    for (const item of usual) {
      // The last byte of the extended key usage is 3 for code signing and 1 for server authentication.
      if (item.extnID === '2.5.29.37') new Uint8Array(item.extnValue.buffer).fill(1, -1);
    }
    const forServers = await certificate({ key, name: 'x', issuer, extensions: usual });
    await expect(openChain(folder, keyPem(key), pem(forServers) + pem(chain.root))).rejects.toThrow(
      'is not for code signing',
    );
  });

  it('is not valid at another time', async () => {
    const keyFile = await writeKey(keyPem(chain.intermediateKey));
    const chainFile = await writeChain(pem(chain.intermediate) + pem(chain.root));
    const now = new Date('2001-01-01T00:00:00Z');
    await expect(openFileSigner({ keyFile, chainFile, now })).rejects.toThrow('is not valid before');
  });
});

describe('the root certificate for a process without a key', () => {
  const developmentDirectory = '/nonexistent/ca';

  it('is the last one of the chain file', async () => {
    const chainFile = await writeChain(`intermediate:\n${pem(chain.intermediate)}root:\n${pem(chain.root)}`);
    expect(await loadRootPem({ chainFile, developmentDirectory })).toBe(pem(chain.root));
  });

  it('is null until there is a development CA', async () => {
    expect(await loadRootPem({ developmentDirectory })).toBeNull();
  });

  it('is an error if the chain file is missing or empty', async () => {
    const chainFile = await writeChain('nothing');
    await expect(loadRootPem({ chainFile, developmentDirectory })).rejects.toThrow('holds no certificate');
    await expect(loadRootPem({ chainFile: '/nonexistent', developmentDirectory })).rejects.toThrow('cannot be read');
  });
});
