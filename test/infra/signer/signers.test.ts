import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/config.ts';
import type { UnsignedFile } from '../../../src/domain/signing/sign-version.ts';
import type { Signer, SigningRequest } from '../../../src/infra/signer/signer.ts';
import { createAuthorities, createIntermediate } from '../../../src/package/signing/authorities.ts';
import { issuerOf } from '../../../src/package/signing/issuer.ts';
import type { RunningSigner } from '../../../src/process/signer.ts';
import { setUpApp } from '../../support/app.ts';
import { xpi } from '../../support/packages.ts';
import { makeTlsFiles, makeToken, softHsm } from '../../support/signers.ts';
import { path } from '../../support/signing-steps.ts';

const app = setUpApp();
const library = softHsm();
let folder: string;
let authorities: Awaited<ReturnType<typeof createAuthorities>>;
let running: RunningSigner;
let places: Record<string, Partial<Config>>;

const PLACES = ['a file', 'a token of SoftHSM', 'another process'] as const;
const isMissing = (place: string): boolean => place === 'a token of SoftHSM' && library === null;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const NOWHERE = { SIGNING_KEY_FILE: undefined, SIGNING_PKCS11_MODULE: undefined, SIGNING_REMOTE_URL: undefined };

/** Opens the key at a place, as a worker does. */
async function openAt(place: string): Promise<{ signer: Signer; rootPem: string }> {
  Object.assign(app.config, NOWHERE, places[place]);
  const { openSigner } = await import('../../../src/domain/signing/open-signer.ts');
  return openSigner();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'addons-signers-'));
  authorities = await createAuthorities();
  const [keyFile, chainFile] = [join(folder, 'key.pem'), join(folder, 'chain.pem')];
  await writeFile(keyFile, authorities.intermediateKey, { mode: 0o600 });
  await writeFile(chainFile, authorities.intermediateCertificate + authorities.rootCertificate);
  const tls = await makeTlsFiles(folder, 'signer');
  const port = await freePort();
  const token = library === null ? null : await makeToken(folder, library, authorities.intermediateKey);
  Object.assign(process.env, token?.environment);
  places = {
    'a file': { SIGNING_KEY_FILE: keyFile, SIGNING_CHAIN_FILE: chainFile },
    'a token of SoftHSM': { ...token?.settings, SIGNING_CHAIN_FILE: chainFile },
    'another process': {
      SIGNING_REMOTE_URL: `https://127.0.0.1:${port}`,
      ...tls.worker,
      SIGNING_CHAIN_FILE: chainFile,
    },
  };
  Object.assign(app.config, places['a file'], tls.signer, { SIGNER_PORT: port });
  const { startSigner } = await import('../../../src/process/signer.ts');
  running = await startSigner();
});

afterAll(async () => {
  await running.stop();
  await rm(folder, { recursive: true });
});

let uploads = 0;

/** A package of a version that waits to be signed. */
async function waitingFile(): Promise<UnsignedFile> {
  const guid = `waits-${++uploads}@example.org`;
  const developer = await app.developer();
  await developer.put(path(guid), { upload: await xpi({ guid, version: '1.0' }) });
  const [file] = await app.sql<UnsignedFile>(
    `UPDATE version v SET stage = 'signing' FROM file f, addon a
      WHERE f.version_id = v.id AND a.id = v.addon_id AND a.guid = $1
      RETURNING f.id, f.original_sha256 AS "originalSha256", f.format, v.id AS "versionId", v.version, a.id AS "addonId", a.guid::text`,
    [guid],
  );
  if (file === undefined) throw new Error('the upload has no version');
  return file;
}

async function sign(file: UnsignedFile, { signer, rootPem }: { signer: Signer; rootPem: string }) {
  const { signFile } = await import('../../../src/domain/signing/sign-version.ts');
  return signFile(file, signer, rootPem);
}

describe.each(PLACES)('a signing key in %s', (place) => {
  it.skipIf(isMissing(place))('signs packages that verify, also several at the same time', async () => {
    const opened = await openAt(place);
    expect(opened.rootPem).toBe(authorities.rootCertificate);
    const files = [await waitingFile(), await waitingFile(), await waitingFile()];
    const signed = await Promise.all(files.map((file) => sign(file, opened)));
    const logged = await app.sql<{ serial: string; issuer: string }>(
      'SELECT serial, issuer_sha256 AS issuer FROM signing_certificate WHERE file_id = ANY ($1)',
      [files.map(({ id }) => id)],
    );
    expect(logged.map(({ serial }) => serial).sort()).toEqual(signed.map(({ serial }) => serial).sort());
    expect(new Set(logged.map(({ issuer }) => issuer))).toEqual(new Set([issuerOf(opened.signer).sha256]));
  });

  it.skipIf(isMissing(place))('has the chain of its certificate', async () => {
    const { signer } = await openAt(place);
    const [issuer, root] = signer.chain().map((der) => new X509Certificate(der).toString());
    expect([issuer, root]).toEqual([authorities.intermediateCertificate, authorities.rootCertificate]);
    expect(signer.algorithm).toBe('ecdsa-sha384');
  });
});

describe.skipIf(library === null)('a token', () => {
  const refused = [
    ['an unknown label', { SIGNING_PKCS11_TOKEN: 'absent' }, 'has no token "absent"'],
    ['an unknown key', { SIGNING_PKCS11_KEY: 'absent' }, 'has no private key "absent"'],
    ['a library that is none', { SIGNING_PKCS11_MODULE: '/does/not/exist.so' }, '/does/not/exist.so cannot be used'],
  ] as const;
  it.each(refused)('with %s is refused', async (_, change, problem) => {
    Object.assign(app.config, NOWHERE, places['a token of SoftHSM'], change);
    const { openSigner } = await import('../../../src/domain/signing/open-signer.ts');
    await expect(openSigner()).rejects.toThrow(problem);
  });

  it('whose key is not that of the certificate is refused', async () => {
    const other = await createIntermediate(createPrivateKey(authorities.rootKey));
    const chainFile = join(folder, 'other-chain.pem');
    await writeFile(chainFile, other.intermediateCertificate + authorities.rootCertificate);
    Object.assign(app.config, NOWHERE, places['a token of SoftHSM'], { SIGNING_CHAIN_FILE: chainFile });
    const { openSigner } = await import('../../../src/domain/signing/open-signer.ts');
    await expect(openSigner()).rejects.toThrow('is not the key of the first certificate');
  });
});

describe('the process that holds the key', () => {
  /** A request as a worker makes it, whose certificate is in the signature log, with changes. */
  async function request(change: Partial<SigningRequest> = {}, signer?: Signer): Promise<SigningRequest> {
    const opened = signer ?? (await openAt('another process')).signer;
    const file = await waitingFile();
    const serial = (uploads + 0x7000).toString(16).padStart(32, '1');
    const { logCertificate } = await import('../../../src/domain/signature-log/signature-log.ts');
    const { nameText: issuer, sha256: issuerSha256, notAfter } = issuerOf(opened);
    const { guid, version, id: fileId, originalSha256: inputSha256 } = file;
    await logCertificate({ serial, issuer, issuerSha256, guid, version, fileId, inputSha256 });
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return {
      serial,
      guid,
      organizationalUnit: 'Production',
      notBefore: new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000),
      notAfter,
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
      file: { version, inputSha256 },
      ...change,
    };
  }

  async function issue(asked: SigningRequest): Promise<X509Certificate> {
    const { signer } = await openAt('another process');
    const { issueCertificate } = await import('../../../src/package/signing/end-entity.ts');
    return new X509Certificate(await issueCertificate(asked, signer));
  }

  it('issues the certificate that is in the signature log', async () => {
    const asked = await request();
    const issued = await issue(asked);
    expect(issued.serialNumber.toLowerCase()).toBe(asked.serial);
    expect(issued.verify(new X509Certificate(authorities.intermediateCertificate).publicKey)).toBe(true);
  });

  const rsa = () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'der' });
  const refused: [string, () => Partial<SigningRequest>, string][] = [
    ['an unlogged serial number', () => ({ serial: 'f'.repeat(32) }), 'is not in the signature log'],
    ['another add-on', () => ({ guid: 'other@example.org' }), 'for another file'],
    ['another package', () => ({ file: { version: '1.0', inputSha256: '0'.repeat(64) } }), 'for another file'],
    ['another version', () => ({ file: { version: '2.0', inputSha256: '0'.repeat(64) } }), 'for another file'],
    ['a privileged class', () => ({ organizationalUnit: 'Privileged' }), 'the class Privileged are not issued'],
    ['a later end', () => ({ notAfter: new Date('2090-01-01T00:00:00Z') }), 'must end with its issuer'],
    ['an earlier start', () => ({ notBefore: new Date('2020-01-01T00:00:00Z') }), 'does not begin now'],
    ['an RSA key', () => ({ publicKey: rsa() }), 'must be one on P-256'],
    ['no file', () => ({ file: null }), 'files of versions only'],
  ];
  it.each(refused)('refuses %s', async (_, change, problem) => {
    await expect(request(change()).then(issue)).rejects.toThrow(problem);
  });

  const states: [string, string][] = [
    ['waits for a reviewer', "UPDATE version SET stage = 'awaiting_review'"],
    ['belongs to a disabled add-on', "UPDATE addon SET status = 'disabled'"],
    ['has another package now', `UPDATE file SET original_sha256 = '${'0'.repeat(64)}'`],
  ];
  it.each(states)('refuses a version that %s', async (_, change) => {
    const asked = await request();
    const [ids] = await app.sql<{ file: number; version: number; addon: number }>(
      `SELECT f.id AS file, v.id AS version, a.id AS addon FROM addon a JOIN version v ON v.addon_id = a.id
        JOIN file f ON f.version_id = v.id WHERE a.guid = $1`,
      [asked.guid],
    );
    const table = /UPDATE (\w+)/.exec(change)?.[1] as 'file' | 'version' | 'addon';
    const [before] = await app.sql<Record<string, unknown>>(`SELECT * FROM ${table} WHERE id = $1`, [ids?.[table]]);
    await app.sql(`${change} WHERE id = $1`, [ids?.[table]]);
    await expect(issue(asked)).rejects.toThrow(/does not wait to be signed|has another hash/);
    const column = /SET (\w+)/.exec(change)?.[1] ?? '';
    await app.sql(`UPDATE ${table} SET ${column} = $1 WHERE id = $2`, [before?.[column], ids?.[table]]);
  });

  it('accepts clients with a certificate of its authority alone', async () => {
    const stranger = await makeTlsFiles(join(folder, 'stranger'), 'stranger');
    const { SIGNING_REMOTE_CA_FILE, ...own } = stranger.worker;
    Object.assign(app.config, NOWHERE, places['another process'], own);
    const { openSigner } = await import('../../../src/domain/signing/open-signer.ts');
    const { RemoteSignerError } = await import('../../../src/infra/signer/remote-signer.ts');
    await expect(openSigner()).rejects.toBeInstanceOf(RemoteSignerError);
    Object.assign(app.config, places['another process'], { SIGNING_REMOTE_CA_FILE });
    await expect(openSigner()).rejects.toBeInstanceOf(RemoteSignerError);
  });

  it('tells workers when it has another intermediate certificate', async () => {
    const opened = await openAt('another process');
    const { IssuerChangedError } = await import('../../../src/infra/signer/signer.ts');
    const { issueCertificate } = await import('../../../src/package/signing/end-entity.ts');
    const next = await createIntermediate(createPrivateKey(authorities.rootKey));
    await writeFile(join(folder, 'key.pem'), next.intermediateKey);
    await writeFile(join(folder, 'chain.pem'), next.intermediateCertificate + authorities.rootCertificate);
    Object.assign(app.config, NOWHERE, places['a file']);
    await running.reload();
    await expect(issueCertificate(await request({}, opened.signer), opened.signer)).rejects.toBeInstanceOf(
      IssuerChangedError,
    );
    const again = await openAt('another process');
    expect(issuerOf(again.signer).sha256).not.toBe(issuerOf(opened.signer).sha256);
    expect((await sign(await waitingFile(), again)).serial).toMatch(/^[0-9a-f]{32}$/);
  });
});
