import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { expectRefusal, signingRefusal } from '../../support/expect-refusal.ts';
import { staticTheme, xpi } from '../../support/packages.ts';
import { path, upload } from '../../support/signing-steps.ts';

const app = setUpApp();

const recorded = (guid: string) =>
  app.sql(
    'SELECT v.version, u.account_id FROM version v JOIN addon a ON a.id = v.addon_id JOIN upload u ON u.version_id = v.id WHERE a.guid = $1',
    [guid],
  );

describe('a new id that several accounts upload at the same time', () => {
  it('belongs to one account and has no versions of the others', async () => {
    const guid = 'contested@example.org';
    const contenders = await Promise.all(
      ['1.0', '2.0', '3.0', '4.0', '5.0', '6.0'].map(async (version) => ({
        version,
        client: await app.developer(),
        form: { upload: await xpi({ guid, version }) },
      })),
    );

    const replies = await Promise.all(
      contenders.map(({ client, version, form }) => client.put(path(guid, version), form)),
    );

    const winner = replies.findIndex((reply) => reply.status === 201);
    for (const reply of replies.toSpliced(winner, 1)) {
      expectRefusal(reply, signingRefusal(403, 'You do not own this addon.'));
    }
    const { version, client } = contenders[winner] ?? expect.fail();
    expect(await recorded(guid)).toEqual([{ version, account_id: client.accountId }]);
  });
});

describe('an upload whose id another account creates after the package check', () => {
  /** Records a package without the preceding checks. */
  async function record(sender: Client, guid: string, version: string, bytes: Buffer): Promise<unknown> {
    const { recordUpload } = await import('../../../src/domain/submission/accept-upload.ts');
    const { readPackage } = await import('../../../src/package/manifest/read-package.ts');
    const file = join(app.config.DATA_DIR, `${guid}.xpi`);
    await writeFile(file, bytes);
    const account = {
      kind: 'account',
      accountId: sender.accountId ?? 0,
      username: 'sender',
      rules: [],
      via: { scheme: 'bearer', tokenId: 0, signedInAt: new Date() },
    } as const;
    const upload = {
      account,
      guid,
      version,
      channel: 'unlisted',
      fileName: 'package.xpi',
      isVendorSigned: false,
      manifest: await readPackage(file, 'package.xpi'),
      size: bytes.length,
      sha256: '0'.repeat(64),
    } as const;
    return recordUpload(upload, { addon: {}, version: {} });
  }

  it('adds no version to the add-on of another account', async () => {
    const guid = 'overtaken@example.org';
    const owner = await app.developer();
    await upload(owner, guid, '1.0');
    const late = record(await app.developer(), guid, '2.0', await xpi({ guid, version: '2.0' }));
    await expect(late).rejects.toMatchObject({ code: 'NOT_PERMITTED', message: 'You do not own this addon.' });
    expect(await recorded(guid)).toEqual([{ version: '1.0', account_id: owner.accountId }]);
  });

  it('adds no package of another type to an add-on of the same account', async () => {
    const guid = 'two-types@example.org';
    const owner = await app.developer();
    await upload(owner, guid, '1.0');
    const late = record(owner, guid, '2.0', await staticTheme({ guid, version: '2.0' }));
    await expect(late).rejects.toMatchObject({ code: 'INVALID_PACKAGE' });
    expect(await recorded(guid)).toEqual([{ version: '1.0', account_id: owner.accountId }]);
  });
});
