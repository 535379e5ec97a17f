import { describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { untilSessionsWait } from '../../support/locks.ts';
import { mutate } from '../../support/mutate.ts';
import { changeDuringSigning, flags, status, upload } from '../../support/signing-steps.ts';

const app = setUpApp();

async function idOf(guid: string): Promise<number> {
  const [addon] = await app.sql<{ id: number }>('SELECT id FROM addon WHERE guid = $1', [guid]);
  return addon?.id ?? 0;
}

const states = (guid: string) =>
  app.sql(
    `SELECT v.version, v.deleted_at IS NOT NULL AS "isDeleted", a.deleted_at IS NOT NULL AS "isAddonDeleted"
     FROM version v JOIN addon a ON a.id = v.addon_id WHERE a.guid = $1 ORDER BY v.id`,
    [guid],
  );

describe('an upload that arrives while its add-on is deleted', () => {
  it('revives the add-on, like an upload after the deletion', async () => {
    const developer = await app.developer();
    const guid = 'deleted-during-upload@example';
    await upload(developer, guid);
    await app.runJobs();
    const id = await idOf(guid);
    const { db } = await import('../../../src/infra/db.ts');
    const { deletion, arrival } = await db.$transaction(async (tx) => {
      // The deletion changes the add-on, then waits for this row.
      await tx.$queryRaw`SELECT FROM version WHERE addon_id = ${id} FOR UPDATE`;
      const deleted = mutate(developer, 'deleteAddon', { id });
      await untilSessionsWait(app, '%"version"%');
      const uploaded = upload(developer, guid, '2.0');
      await untilSessionsWait(app, '%', 2);
      return { deletion: deleted, arrival: uploaded };
    });
    expect(await deletion).toMatchObject({ __typename: 'DeleteAddonPayload' });
    expect((await arrival).status).toBe(202);
    expect(await states(guid)).toEqual([
      { version: '1.0', isDeleted: true, isAddonDeleted: false },
      { version: '2.0', isDeleted: false, isAddonDeleted: false },
    ]);
    await app.runJobs();
    expect(flags(await status(developer, guid, '2.0'))).toMatchObject({ active: true, signed: [true] });
  });
});

describe('a version in a deleted add-on that is not deleted itself', () => {
  /** No request makes this state. */
  async function deleteOnlyAddon(guid: string): Promise<void> {
    const { db } = await import('../../../src/infra/db.ts');
    const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
    const id = await idOf(guid);
    await db.$transaction(async (tx) => {
      await tx.addon.update({ where: { id }, data: { status: 'deleted', deletedAt: new Date(), slug: null } });
      await publishAddons(tx, [id]);
    });
  }
  const stage = async (guid: string) =>
    app.sql('SELECT stage FROM version v JOIN addon a ON a.id = v.addon_id WHERE a.guid = $1', [guid]);

  it('is validated but not signed', async () => {
    const guid = 'deleted-before-signing@example';
    await upload(await app.developer(), guid);
    await deleteOnlyAddon(guid);
    await app.runJobs();
    expect(await stage(guid)).toEqual([{ stage: 'valid' }]);
    expect(await app.sql('SELECT FROM signing_certificate WHERE guid = $1', [guid])).toEqual([]);
  });

  it('is not published when the deletion happens while it is signed', async () => {
    const guid = 'deleted-while-signing@example';
    await upload(await app.developer(), guid);
    await changeDuringSigning(app, () => deleteOnlyAddon(guid));
    expect(await stage(guid)).toEqual([{ stage: 'signing' }]);
  });
});
