import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';

const app = setUpApp();
let admin: Client;
beforeAll(async () => {
  admin = await app.admin();
});

describe('the payload of the second mutation of a request shows its change', () => {
  it('of notifications', async () => {
    const id = globalId('Account', admin.accountId ?? 0);
    const change = (enabled: boolean) => `updateNotifications(input: { id: "${id}",
      changes: [{ name: "new_features", isEnabled: ${enabled} }] }) { ... on UpdateNotificationsPayload { notifications { name isEnabled } } }`;
    const data = await admin.graphql<Record<string, { notifications: { name: string; isEnabled: boolean }[] }>>(
      `mutation { off: ${change(false)} on: ${change(true)} offAgain: ${change(false)} }`,
    );
    const shown = Object.values(data).map(
      ({ notifications }) => notifications.find(({ name }) => name === 'new_features')?.isEnabled,
    );
    expect(shown).toEqual([false, true, false]);
  });

  it('of groups and their members', async () => {
    const [{ id: databaseId } = { id: 0 }] = await app.sql<{ id: number }>(
      `INSERT INTO permission_group (name, rules) VALUES ('Painters', '{}') RETURNING id`,
    );
    const id = globalId('Group', databaseId);
    const rename = (name: string) =>
      `updateGroup(input: { id: "${id}", name: "${name}" }) { ... on UpdateGroupPayload { group { name } } }`;
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

  it('of the notes of a version', async () => {
    const made = await addon({ status: 'nominated', versions: [{ stage: 'awaiting_review', files: [{ status: 1 }] }] });
    const input = (comments: string) =>
      `input: { id: "${globalId('Version', made.versions[0]?.id)}", comments: "${comments}" }`;
    const notes = 'totalCount nodes { comments }';
    const version = `version { reviewNotes { ${notes} } addon { thread { ${notes} } openQuestions { comments } } }`;
    const { one, two } = await admin.graphql<Record<'one' | 'two', unknown>>(`mutation {
      one: commentOnVersion(${input('First')}) { ... on CommentOnVersionPayload { ${version} } }
      two: requestInformation(${input('Second')}) { ... on RequestInformationPayload { ${version} } } }`);
    const first = { totalCount: 1, nodes: [{ comments: 'First' }] };
    const both = { totalCount: 2, nodes: [{ comments: 'Second' }, { comments: 'First' }] };
    expect(one).toEqual({ version: { reviewNotes: first, addon: { thread: first, openQuestions: [] } } });
    expect(two).toEqual({
      version: { reviewNotes: both, addon: { thread: both, openQuestions: [{ comments: 'Second' }] } },
    });
  });

  it('of the versions of an add-on', async () => {
    const made = await addon({ authors: [admin.accountId ?? 0], versions: [{}, {}, {}] });
    const remove = (
      index: number,
    ) => `deleteVersion(input: { id: "${globalId('Version', made.versions[index]?.id)}" }) {
      ... on DeleteVersionPayload { addon { versions { totalCount nodes { version } } channelStates { version } } } }`;
    const data = await admin.graphql(`mutation { one: ${remove(2)} two: ${remove(1)} }`);
    const versions = (...numbers: string[]) => ({
      addon: {
        versions: { totalCount: numbers.length, nodes: numbers.map((version) => ({ version })) },
        channelStates: [{ version: numbers[0] }],
      },
    });
    expect(data).toEqual({ one: versions('2.0', '1.0'), two: versions('1.0') });
  });
});
