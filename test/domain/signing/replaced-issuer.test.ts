import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createIntermediate } from '../../../src/package/signing/authorities.ts';
import { verifySignedPackage } from '../../../src/package/signing/verify/verify-package.ts';
import { setUpApp } from '../../support/app.ts';
import { xpi } from '../../support/packages.ts';
import { path } from '../../support/signing-steps.ts';

const app = setUpApp();

it('files that were signed before an intermediate was replaced verify afterwards, and the log names the issuer of each', async () => {
  const guid = 'rotated@example.org';
  const developer = await app.developer();
  await developer.put(path(guid), { upload: await xpi({ guid, version: '1.0' }) });
  await app.runJobs();
  const folder = join(app.config.DATA_DIR, 'ca');
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const [first, rootPem, rootKey] = [
    await read('intermediate.pem'),
    await read('root.pem'),
    await read('root-key.pem'),
  ];
  const second = await createIntermediate(createPrivateKey(rootKey));
  await writeFile(join(folder, 'intermediate-key.pem'), second.intermediateKey);
  await writeFile(join(folder, 'chain.pem'), second.intermediateCertificate + rootPem);
  // As a worker after SIGHUP, which signs the file once more.
  const { openSigner } = await import('../../../src/domain/signing/open-signer.ts');
  const { signer } = await openSigner();
  const { signFile } = await import('../../../src/domain/signing/sign-version.ts');
  const [file] = await app.sql<{ id: number; original: string; signed: string; versionId: number }>(
    'SELECT id, original_sha256 AS original, sha256 AS signed, version_id AS "versionId" FROM file',
  );
  if (file === undefined) throw new Error('there is no file');
  const { id, original: originalSha256, versionId } = file;
  const facts = { id, originalSha256, versionId, format: 'webextension', version: '1.0', addonId: 0, guid };
  const again = await signFile(facts, signer, rootPem);

  const hashOf = (certificatePem: string) =>
    new X509Certificate(certificatePem).fingerprint256.replaceAll(':', '').toLowerCase();
  const { db } = await import('../../../src/infra/db.ts');
  const logged = await db.signingCertificate.findMany({ orderBy: { id: 'asc' } });
  expect(logged.map(({ issuerSha256 }) => issuerSha256)).toEqual([
    hashOf(first),
    hashOf(second.intermediateCertificate),
  ]);
  const verified = await Promise.all(
    [file.signed, again.sha256].map((sha256) =>
      verifySignedPackage(join(app.config.DATA_DIR, 'blobs', sha256.slice(0, 2), sha256), {
        roots: [rootPem],
        id: guid,
      }),
    ),
  );
  expect(verified.map(({ ok, problems }) => [ok, problems])).toEqual([
    [true, []],
    [true, []],
  ]);

  const { signingIssuers } = await import('../../../src/domain/signature-log/issuers.ts');
  expect((await signingIssuers()).map(({ sha256, certificates }) => [sha256, certificates])).toEqual([
    [hashOf(first), 1],
    [hashOf(second.intermediateCertificate), 1],
  ]);
  const { verifySignatureLog } = await import('../../../src/domain/signature-log/signature-log.ts');
  expect((await verifySignatureLog()).problems).toEqual([]);
  await app.sql('DELETE FROM service_state WHERE name = $1', [
    `signing-issuer ${hashOf(second.intermediateCertificate)}`,
  ]);
  expect((await verifySignatureLog()).problems).toEqual([
    expect.stringMatching(/^1 certificate\(s\) have an unknown issuer, the first is [0-9a-f]{32}$/),
  ]);
});
