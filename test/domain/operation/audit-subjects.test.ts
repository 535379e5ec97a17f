/* What the condition `about` of the audit log selects, in GraphQL. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { mutate } from '../../support/mutate.ts';
import { areConstant, statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let auditor: Client;
beforeAll(async () => {
  auditor = await app.memberWith('Admin:Audit');
});

async function record(action: string, details: Record<string, unknown>): Promise<void> {
  const { recordAudit } = await import('../../../src/domain/activity/record-audit.ts');
  const { db } = await import('../../../src/infra/db.ts');
  await db.$transaction((tx) => recordAudit(tx, 'test program', action, details));
}

interface Found {
  auditLog: { totalCount: number; nodes: { action: string }[] };
}

async function actionsAbout(about: string): Promise<string[]> {
  const { auditLog } = await auditor.graphql<Found>(
    'query ($about: String!) { auditLog(filter: { about: $about }) { totalCount nodes { action } } }',
    { about },
  );
  expect(auditLog.totalCount).toBe(auditLog.nodes.length);
  // The test environment makes accounts by commands, which have entries, too.
  return auditLog.nodes.map(({ action }) => action).filter((action) => action !== 'account-created');
}

describe('auditLog(filter: { about })', () => {
  it('selects entries with the id of an account under each key', async () => {
    const { accountId } = await app.developer();
    const id = Number(accountId);
    await app.sql("UPDATE account SET username = 'under-keys' WHERE id = $1", [id]);
    const keys = ['accountId', 'memberId', 'recipientId', 'writer'];
    for (const key of keys) await record(key, { [key]: id });
    await record('payload', { payload: { accountId: id } });
    await record('text', { accountId: String(id) });
    expect(await actionsAbout('under-keys')).toEqual([...keys, 'payload']);
  });

  it('selects entries with an add-on, also in lists, by its guid, and in jobs about its versions', async () => {
    const made = await addon({ slug: 'in-lists', guid: 'in-lists@about.example', versions: [{}] });
    const versionId = made.versions[0]?.id;
    const details: Record<string, Record<string, unknown>> = {
      ...{ id: { addonId: made.id }, list: { addons: [made.id + 1, made.id] }, guid: { guid: made.guid } },
      ...{ mapping: { addonGuid: made.guid }, guids: { guids: ['a@b', made.guid] } },
      ...{ job: { payload: { addonId: made.id } }, version: { payload: { versionId } } },
    };
    for (const [action, each] of Object.entries(details)) await record(action, each);
    await record('other', { payload: { versionId: 2_000_000_000 }, guids: [], addons: [] });
    expect(await actionsAbout('IN-lists')).toEqual(Object.keys(details));
  });

  it('finds deleted accounts and add-ons by their number', async () => {
    const owner = await app.developer();
    const made = await addon({ slug: 'ended-about', authors: [owner.accountId ?? 0] });
    await record('addon-ended', { addonId: made.id });
    await mutate(owner, 'deleteAddon', { id: made.id });
    expect(await actionsAbout(String(made.id))).toContain('addon-ended');
    const id = Number((await app.developer()).accountId);
    await record('account-ended', { accountId: id });
    await app.sql('UPDATE account SET deleted_at = now() WHERE id = $1', [id]);
    expect(await actionsAbout(String(id))).toContain('account-ended');
  });

  it('prefers a username to a display name that others may choose', async () => {
    const [owner, imitator] = [await app.developer(), await app.developer()];
    await app.sql("UPDATE account SET username = 'the-owner' WHERE id = $1", [owner.accountId]);
    await app.sql("UPDATE account SET display_name = 'the-owner' WHERE id = $1", [imitator.accountId]);
    await record('of-owner', { accountId: Number(owner.accountId) });
    await record('of-imitator', { accountId: Number(imitator.accountId) });
    expect(await actionsAbout('the-owner')).toEqual(['of-owner']);
  });

  it('selects nothing for a text that names nothing', async () => {
    await record('nameless', { accountId: 0, guid: '' });
    for (const about of ['', ' ', '0', '-1', '99999999999', 'there is none', '%', '\0']) {
      expect([about, await actionsAbout(about)]).toEqual([about, []]);
    }
  });

  it('takes a constant number of statements, and needs Admin:Audit', async () => {
    const { accountId } = await app.developer();
    await app.sql("UPDATE account SET display_name = 'Common' WHERE id = $1", [accountId]);
    const few = await statementsDuring(() => actionsAbout('Common'));
    await addon({ slug: 'shared-name', name: { de: 'common' } });
    for (let index = 0; index < 5; index++) {
      const more = await app.developer();
      await app.sql("UPDATE account SET display_name = 'Common' WHERE id = $1", [more.accountId]);
      await record('common', { accountId: Number(more.accountId) });
    }
    expect(areConstant(few, await statementsDuring(() => actionsAbout('Common')))).toBe(true);
    const query = '{ auditSubjects(text: "common") { isKnown accounts { username } addons { slug } } }';
    expect(await auditor.graphql(query)).toEqual({
      auditSubjects: { isKnown: true, accounts: expect.any(Array), addons: [{ slug: 'shared-name' }] },
    });
    const other = await app.memberWith('Users:Edit');
    expect((await other.graphqlResult(query)).errors?.[0]?.extensions?.code).toBe('NOT_PERMITTED');
  });
});
