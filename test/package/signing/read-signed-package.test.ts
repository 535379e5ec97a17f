import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPackage } from '../../../src/package/manifest/read-package.ts';
import { verifySignedArchive } from '../../../src/package/signing/verify/verify-package.ts';
import { ADDON_FILES, ADDON_ID, editedCopy, type SigningFixture, signingFixture } from './signing-fixture.ts';

let fixture: SigningFixture;
let signed: string;

beforeAll(async () => {
  fixture = await signingFixture();
  signed = (await fixture.sign()).path;
});
afterAll(() => fixture.folder.remove());

describe('the signature of an open archive', () => {
  const readSigned = (path: string) =>
    readPackage(path, 'notes.xpi', {
      checkSignature: (archive) => verifySignedArchive(archive, { roots: [fixture.rootPem] }),
    });

  it('is verified while the package is read', async () => {
    expect((await readSigned(signed)).signature).toMatchObject({ ok: true, id: ADDON_ID, problems: [] });
    const { ok, sha256: _, ...expected } = await fixture.verify(signed);
    expect((await readSigned(signed)).signature).toEqual({ ok, ...expected });
  });

  it('does not prevent reading the package if it is damaged', async () => {
    const damaged = await editedCopy(fixture.folder, signed, (files) =>
      files.set('META-INF/addon.rsa', randomBytes(100_000)),
    );
    expect((await readSigned(damaged)).signature).toMatchObject({ ok: false });
  });

  it('is not verified if there is none', async () => {
    const plain = await fixture.store(ADDON_FILES);
    const checkSignature = () => Promise.reject(new Error('There is no signature.'));
    expect((await readPackage(plain, 'notes.xpi', { checkSignature })).signature).toBeNull();
  });
});
