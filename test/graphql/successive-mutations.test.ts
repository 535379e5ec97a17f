import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await startApp();
  admin = await app.admin();
});
afterAll(() => app.close());

describe('the payload of the second mutation of a request shows its change', () => {
  it('of notifications', async () => {
    const id = globalId('Account', admin.accountId ?? 0);
    const change = (enabled: boolean) => `updateNotifications(input: { id: "${id}",
      changes: [{ name: "new_features", enabled: ${enabled} }] }) { ... on UpdateNotificationsPayload { notifications { name enabled } } }`;
    const data = await admin.graphql<Record<string, { notifications: { name: string; enabled: boolean }[] }>>(
      `mutation { off: ${change(false)} on: ${change(true)} offAgain: ${change(false)} }`,
    );
    const shown = Object.values(data).map(
      ({ notifications }) => notifications.find(({ name }) => name === 'new_features')?.enabled,
    );
    expect(shown).toEqual([false, true, false]);
  });

  it('of groups and their members', async () => {
    const [{ id: databaseId } = { id: 0 }] = await app.sql<{ id: number }>(
      `INSERT INTO permission_group (name, rules) VALUES ('Painters', '{}') RETURNING id`,
    );
    const id = globalId('Group', databaseId);
    const rename = (name: string) =>
      `setGroup(input: { id: "${id}", name: "${name}" }) { ... on SetGroupPayload { group { name } } }`;
    const member = `input: { group: "${id}", account: "${globalId('Account', admin.accountId ?? 0)}" }`;
    const group = 'group { members { totalCount edges { node { databaseId } } } }';
    const data = await admin.graphql(`mutation { one: ${rename('First')} two: ${rename('Second')}
      add: addGroupMember(${member}) { ... on AddGroupMemberPayload { ${group} } }
      remove: removeGroupMember(${member}) { ... on RemoveGroupMemberPayload { ${group} } } }`);
    const members = (ids: (number | null)[]) => ({
      group: { members: { totalCount: ids.length, edges: ids.map((each) => ({ node: { databaseId: each } })) } },
    });
    expect(data).toEqual({
      one: { group: { name: 'First' } },
      two: { group: { name: 'Second' } },
      add: members([admin.accountId]),
      remove: members([]),
    });
  });

  it('of update addresses', async () => {
    const owner = await app.developer();
    const made = await addon({ authors: [owner.accountId ?? 0] });
    const lists = 'updateAddress { addon { updateAddresses { id } } createdBy { databaseId } }';
    const create = (guid: string) =>
      `createUpdateAddress(input: { guid: "${guid}" }) { ... on CreateUpdateAddressPayload { ${lists} } }`;
    interface Created {
      updateAddress: { addon: { updateAddresses: object[] } };
    }
    const { one, two } = await owner.graphql<Record<'one' | 'two', Created>>(
      `mutation { one: ${create(made.guid)} two: ${create(made.guid)} }`,
    );
    expect([one, two].map(({ updateAddress }) => updateAddress.addon.updateAddresses.length)).toEqual([1, 2]);
  });
});
