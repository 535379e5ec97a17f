import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon } from '../../support/factories.ts';
import { untilSessionsWait } from '../../support/locks.ts';
import { mutate, mutationError } from '../../support/mutate.ts';

const app = setUpApp();
let owner: Client;
let admin: Client;

beforeAll(async () => {
  [owner, admin] = [await app.developer(), await app.admin()];
});

const make = (facts: AddonFacts = {}) => addon({ authors: [owner.accountId ?? 0], ...facts });
const status = async (id: number, client = app.anonymous) => (await client.get(`/api/v4/addons/addon/${id}/`)).status;
const remove = (id: number) => mutate(owner, 'deleteAddon', { id });
const revive = (id: number, client = admin, reason = 'By mistake.') => mutate(client, 'reviveAddon', { id, reason });
const REVIVED = { __typename: 'ReviveAddonPayload' };

describe('reviveAddon', () => {
  it('restores the add-on and the versions that were deleted with it', async () => {
    const made = await make({
      slug: 'restored',
      tags: ['kept'],
      versions: [{ deletedAt: new Date('2018-10-05T00:00:00Z') }, {}, { channel: 'unlisted' }],
    });
    const before = (await app.anonymous.get(`/api/v4/addons/addon/${made.id}/`)).json;
    await remove(made.id);
    expect(await status(made.id)).toBe(404);
    expect(await revive(made.id)).toEqual(REVIVED);
    expect((await app.anonymous.get('/api/v4/addons/addon/restored/')).json).toEqual(before);
    const versions = (await owner.get(`/api/v4/addons/addon/${made.id}/versions/?filter=all_with_unlisted`)).json;
    expect((versions as { results: { version: string }[] }).results.map(({ version }) => version)).toEqual([
      '3.0',
      '2.0',
    ]);
    const found = (await app.anonymous.get('/api/v4/addons/search/?tag=kept')).json;
    expect(found).toMatchObject({ results: [{ id: made.id }] });
    const log = await app.sql(
      'SELECT action, account_id AS by, comments FROM activity WHERE addon_id = $1 ORDER BY id DESC LIMIT 1',
      [made.id],
    );
    expect(log).toEqual([{ action: 'addon-revived', by: admin.accountId, comments: 'By mistake.' }]);
    const audit = await app.sql('SELECT action, details FROM audit_entry ORDER BY id DESC LIMIT 1');
    expect(audit).toEqual([
      { action: 'addon-revived', details: { addonId: made.id, guid: made.guid, reason: 'By mistake.' } },
    ]);
  });

  it('removes characters that PostgreSQL cannot store from the reason', async () => {
    const made = await make();
    await remove(made.id);
    expect(await revive(made.id, admin, 'x\ud800y\0z')).toEqual(REVIVED);
    const [audit] = await app.sql('SELECT details FROM audit_entry ORDER BY id DESC LIMIT 1');
    expect(audit).toEqual({ details: { addonId: made.id, guid: made.guid, reason: 'x\ufffdyz' } });
  });

  it('sets a random slug if the old one is taken', async () => {
    const made = await make({ slug: 'reused' });
    await remove(made.id);
    const successor = await make();
    await mutate(owner, 'updateAddon', { id: successor.id, slug: 'reused' });
    expect(await revive(made.id)).toEqual(REVIVED);
    const { slug } = (await app.anonymous.get(`/api/v4/addons/addon/${made.id}/`)).json as { slug: string };
    expect(slug).toMatch(/^[0-9a-f]{20}$/);
  });

  it('sets a random slug if another transaction takes the old one first', async () => {
    const [made, successor] = [await make({ slug: 'contested' }), await make()];
    await remove(made.id);
    const { db } = await import('../../../src/infra/db.ts');
    const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
    const { revived } = await db.$transaction(async (tx) => {
      await tx.addon.update({ where: { id: successor.id }, data: { slug: 'contested' } });
      await publishAddons(tx, [successor.id]);
      const reviving = revive(made.id);
      await untilSessionsWait(app, 'UPDATE%addon%');
      return { revived: reviving };
    });
    expect(await revived).toEqual(REVIVED);
  });

  it('restores the status of a persona, and leaves an add-on without public versions incomplete', async () => {
    const persona = await make({ type: 'persona', persona: {} });
    const unlisted = await make({ status: 'incomplete', versions: [{ channel: 'unlisted' }] });
    for (const { id } of [persona, unlisted]) {
      await remove(id);
      expect(await revive(id)).toEqual(REVIVED);
    }
    expect([await status(persona.id), await status(unlisted.id)]).toEqual([200, 401]);
  });

  it('requires an administrator and a deleted add-on', async () => {
    const made = await make();
    expect(await revive(made.id)).toMatchObject({ message: 'This add-on is not deleted.', path: ['id'] });
    await remove(made.id);
    for (const client of [owner, await app.developer(), await app.reviewer()]) {
      expect(await revive(made.id, client)).toMatchObject({ code: 'NOT_PERMITTED' });
    }
    expect(await mutationError(app.anonymous, 'reviveAddon', { id: made.id })).toBe('NOT_AUTHENTICATED');
    expect(await revive(999_999)).toMatchObject({ code: 'NOT_FOUND' });
    const editor = await app.memberWith('Addons:Edit');
    const twice = await Promise.all([revive(made.id), revive(made.id, editor)]);
    expect(twice.map(({ __typename }) => __typename).sort()).toEqual(['InvalidInputError', 'ReviveAddonPayload']);
  });
});

describe('setAddonDisabled', () => {
  const disable = (id: number, by: string, disabled: boolean, client = admin) =>
    mutate(client, 'setAddonDisabled', { id, by, isDisabled: disabled, reason: 'Spam.' });

  it('writes an audit row for each effective change by the operator, and none for developers', async () => {
    const made = await make();
    for (const disabled of [false, true, true, false]) await disable(made.id, 'OPERATOR', disabled);
    await disable(made.id, 'DEVELOPER', true, owner);
    const audit = await app.sql(
      "SELECT actor, action, details FROM audit_entry WHERE details->>'guid' = $1 ORDER BY id",
      [made.guid],
    );
    const row = { actor: expect.stringContaining(`account ${admin.accountId} (`) };
    const details = { addonId: made.id, guid: made.guid, reason: 'Spam.' };
    expect(audit).toEqual([
      { ...row, action: 'addon-disabled-by-operator', details },
      { ...row, action: 'addon-enabled-by-operator', details },
    ]);
  });
});

describe('deleteAddon', () => {
  it('is forbidden for add-ons that the operator disabled', async () => {
    const made = await make();
    await mutate(admin, 'setAddonDisabled', { id: made.id, by: 'OPERATOR', isDisabled: true });
    expect(await remove(made.id)).toMatchObject({ code: 'NOT_PERMITTED' });
    await mutate(admin, 'setAddonDisabled', { id: made.id, by: 'OPERATOR', isDisabled: false });
    expect(await remove(made.id)).toMatchObject({ __typename: 'DeleteAddonPayload' });
  });

  it('requires an owner and succeeds once', async () => {
    const developer = await app.developer();
    const made = await make({ authors: [owner.accountId ?? 0, { id: developer.accountId ?? 0, role: 'developer' }] });
    for (const client of [developer, admin, await app.developer()]) {
      expect(await mutate(client, 'deleteAddon', { id: made.id })).toMatchObject({ code: 'NOT_PERMITTED' });
    }
    const twice = await Promise.all([remove(made.id), remove(made.id)]);
    expect(twice.map(({ code }) => code ?? 'deleted').sort()).toEqual(['NOT_FOUND', 'deleted']);
  });
});

describe('updateAddon', () => {
  it('disables and enables on behalf of the developers, and logs each change once', async () => {
    const made = await make();
    for (const isDisabled of [true, true, false]) {
      expect(await mutate(owner, 'updateAddon', { id: made.id, isDisabled })).toEqual({
        __typename: 'UpdateAddonPayload',
      });
      expect(await status(made.id)).toBe(isDisabled ? 401 : 200);
    }
    const log = await app.sql<{ action: string }>('SELECT action FROM activity WHERE addon_id = $1 ORDER BY id', [
      made.id,
    ]);
    const [edited, disabled, enabled] = ['addon-edited', 'addon-disabled-by-developer', 'addon-enabled-by-developer'];
    expect(log.map(({ action }) => action)).toEqual([edited, disabled, edited, edited, enabled]);
  });
});
