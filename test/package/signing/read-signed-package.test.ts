import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPackage } from '../../../src/package/manifest/read-package.ts';
import { verifySignedArchive } from '../../../src/package/signing/verify/verify-package.ts';
import { ADDON_FILES, ADDON_ID, editedCopy, type SigningWorld, signingWorld } from './signing-world.ts';

let world: SigningWorld;
let signed: string;

beforeAll(async () => {
  world = await signingWorld();
  signed = (await world.sign()).path;
});
afterAll(() => world.folder.remove());

describe('a signature is checked in the archive that is open', () => {
  const readSigned = (path: string) =>
    readPackage(path, 'notes.xpi', {
      checkSignature: (archive) => verifySignedArchive(archive, { roots: [world.rootPem] }),
    });

  it('while the package is read', async () => {
    expect((await readSigned(signed)).signature).toMatchObject({ ok: true, id: ADDON_ID, problems: [] });
    const { ok, sha256: _, ...expected } = await world.verify(signed);
    expect((await readSigned(signed)).signature).toEqual({ ok, ...expected });
  });

  it('and a damaged one is no reason to refuse the package', async () => {
    const damaged = await editedCopy(world.folder, signed, (files) =>
      files.set('META-INF/addon.rsa', randomBytes(100_000)),
    );
    expect((await readSigned(damaged)).signature).toMatchObject({ ok: false });
  });

  it('but nobody is asked about a package without one', async () => {
    const plain = await world.store(ADDON_FILES);
    const checkSignature = () => Promise.reject(new Error('There is no signature.'));
    expect((await readPackage(plain, 'notes.xpi', { checkSignature })).signature).toBeNull();
  });
});
