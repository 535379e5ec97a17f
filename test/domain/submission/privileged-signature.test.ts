import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { beginningWith, expectRefusal, signingRefusal } from '../../support/expect-refusal.ts';
import { xpi } from '../../support/packages.ts';

const app = setUpApp();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privileged-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** A package for `guid`, signed by this installation's certificate authority with this signature class for `addonId`. */
async function signedPackage(organizationalUnit: string, guid: string, addonId = guid): Promise<Buffer> {
  const { openSigner } = await import('../../../src/domain/signing/open-signer.ts');
  const { openZip } = await import('../../../src/package/zip/read-zip.ts');
  const { signPackage } = await import('../../../src/package/signing/sign-package.ts');
  const [input, output] = [join(folder, `${guid}.xpi`), join(folder, `${guid}-signed.xpi`)];
  await writeFile(input, await xpi({ guid, version: '1.0' }));
  const archive = await openZip(input);
  const { signer } = await openSigner();
  await signPackage({ archive, output, addonId, signer, organizationalUnit, onCertificate: async () => {} });
  await archive.close();
  return readFile(output);
}

describe('an uploaded package with a signature', () => {
  it.each(['v3', 'v4', 'v4dev'])('of the privileged class returns 400 under %s, by PUT and by POST', async (api) => {
    const guid = `privileged-${api}@example`;
    const developer = await app.developer();
    const upload = await signedPackage('Privileged', guid);
    const put = await developer.put(`/api/${api}/addons/${guid}/versions/1.0/`, { upload });
    const post = await developer.post(`/api/${api}/addons/`, { upload, version: '1.0' });
    for (const reply of [put, post]) {
      expectRefusal(reply, signingRefusal(400, 'You cannot submit a Add-ons Signed Extension'));
    }
    expect(await app.pendingJobs()).toEqual([]);
  });

  it('of the default class is accepted', async () => {
    const guid = 'production@example';
    const developer = await app.developer();
    const upload = await signedPackage('Production', guid);
    expect((await developer.put(`/api/v4/addons/${guid}/versions/1.0/`, { upload })).status).toBe(201);
    await app.runJobs();
  });

  it('of the privileged class from staff is published with its signature', async () => {
    const guid = 'staff@example';
    const staff = await app.memberWith('Addons:SubmitPrivileged');
    const upload = await signedPackage('Privileged', guid);
    const address = `/api/v4/addons/${guid}/versions/1.0/`;
    expect((await staff.put(address, { upload })).status).toBe(201);
    await app.runJobs();
    const status = (await staff.get(address)).json as { files: { download_url: string }[] };
    expect(status).toMatchObject({ valid: true, active: true, files: [{ signed: true }] });
    const download = await staff.get(status.files[0]?.download_url ?? '');
    expect(hash('sha256', download.bytes)).toBe(hash('sha256', upload));
    const { db } = await import('../../../src/infra/db.ts');
    const file = await db.file.findFirstOrThrow({ where: { version: { addon: { guid } } } });
    expect(file).toMatchObject({ isVendorSignedExtension: true, certificateSerial: null });
  });

  it('of the privileged class in a container that is not published as it is returns 400', async () => {
    const guid = 'comment@example';
    const staff = await app.memberWith('Addons:SubmitPrivileged');
    const signed = await signedPackage('Privileged', guid);
    const commented = Buffer.concat([signed.subarray(0, -2), Buffer.from([1, 0]), Buffer.from('!')]);
    for (const account of [staff, await app.developer()]) {
      const reply = await account.put(`/api/v4/addons/${guid}/versions/1.0/`, { upload: commented });
      expectRefusal(
        reply,
        signingRefusal(400, beginningWith('Could not parse the manifest file. The archive has a comment')),
      );
    }
  });

  it('of the privileged class with an id too long for a certificate is published with its signature', async () => {
    const guid = `${'staff'.repeat(15)}@example`;
    const staff = await app.memberWith('Addons:SubmitPrivileged');
    const upload = await signedPackage('Privileged', guid);
    expect((await staff.put(`/api/v4/addons/${guid}/versions/1.0/`, { upload })).status).toBe(201);
    await app.runJobs();
    const { db } = await import('../../../src/infra/db.ts');
    const file = await db.file.findFirstOrThrow({ where: { version: { addon: { guid } } } });
    expect(file).toMatchObject({ isVendorSignedExtension: true, sha256: hash('sha256', upload) });
  });

  it('of the privileged class for another id is signed again', async () => {
    const staff = await app.memberWith('Addons:SubmitPrivileged');
    const upload = await signedPackage('Privileged', 'mine@example', 'other@example');
    expect((await staff.put('/api/v4/addons/mine@example/versions/1.0/', { upload })).status).toBe(201);
    await app.runJobs();
    const { db } = await import('../../../src/infra/db.ts');
    const file = await db.file.findFirstOrThrow({ where: { version: { addon: { guid: 'mine@example' } } } });
    expect(file.isVendorSignedExtension).toBe(false);
    expect(file.signedSha256).not.toBeNull();
  });
});
