import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { globalId } from '../../support/global-ids.ts';

const app = setUpApp();
let admin: Client;
let keeper: Client;
let other: Client;

beforeAll(async () => {
  admin = await app.admin();
  keeper = await app.memberWith('Admin:Groups', 'Addons:Edit', 'Personas:*');
  other = await app.developer();
});

type Result = Record<string, unknown> & { group: Record<string, unknown> & { id: string } };

const GROUP = 'group { id name rules members(first: 10) { nodes { databaseId } totalCount } }';
const run = async (client: Client, name: string, input: object): Promise<Result> => {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const query = `mutation($input: ${type}Input!) { ${name}(input: $input) { ... on ${type}Payload { ${GROUP} }
    ... on InvalidInputError { fields { name } } ... on UserError { code } } }`;
  return (await client.graphql(query, { input }))[name] as Result;
};
const createGroup = (client: Client, input: object) => run(client, 'createGroup', input);
const updateGroup = (client: Client, input: object) => run(client, 'updateGroup', input);
const member = (client: Client, id: string, { accountId }: Client, name = 'addGroupMember') =>
  run(client, name, { group: id, account: globalId('Account', accountId) });
const permissions = async (client: Client) =>
  (await client.graphql<{ viewer: { private: object } }>('{ viewer { private { permissions } } }')).viewer.private;
const audits = () =>
  app.sql<{ actor: string; action: string; details: object }>(
    `select actor, action, details from audit_entry where action like 'group-%' order by id`,
  );
const refused = { code: 'NOT_PERMITTED' };

describe('groups', () => {
  it('give their rules to their members with the next request, and take them', async () => {
    const { group } = await createGroup(admin, {
      name: 'Translators',
      rules: ['Texts:Edit', 'Addons:Edit', 'Texts:Edit'],
    });
    expect(group).toMatchObject({
      name: 'Translators',
      rules: ['Addons:Edit', 'Texts:Edit'],
      members: { totalCount: 0 },
    });
    const joined = await member(admin, group.id, other);
    expect(joined.group.members).toEqual({ nodes: [{ databaseId: other.accountId }], totalCount: 1 });
    expect(await permissions(other)).toEqual({ permissions: ['Addons:Edit', 'Texts:Edit'] });
    await updateGroup(admin, { id: group.id, name: 'Texts', rules: ['Texts:Edit'] });
    expect(await permissions(other)).toEqual({ permissions: ['Texts:Edit'] });
    await member(admin, group.id, other);
    await member(admin, group.id, other, 'removeGroupMember');
    await member(admin, group.id, other, 'removeGroupMember');
    expect(await permissions(other)).toEqual({ permissions: [] });
    const [{ username } = { username: '' }] = await app.sql<{ username: string }>(
      'select username from account where id = $1',
      [other.accountId],
    );
    const groupId = Number(atob(group.id).split(':')[1]);
    const change = { groupId, memberId: other.accountId, username };
    expect((await audits()).map(({ action, details }) => [action, details])).toEqual([
      ['group-created', { groupId, group: 'Translators', added: ['Addons:Edit', 'Texts:Edit'], removed: [] }],
      ['group-member-added', { ...change, group: 'Translators' }],
      ['group-changed', { groupId, group: 'Texts', formerName: 'Translators', added: [], removed: ['Addons:Edit'] }],
      ['group-member-removed', { ...change, group: 'Texts' }],
    ]);
  });

  it('are not changed by a repetition', async () => {
    const rules = ['Texts:Edit', 'Addons:Edit'];
    const { group } = await createGroup(admin, { name: 'Repeated', rules });
    const rows = async () => [
      await audits(),
      await app.sql("select id from activity where action = 'group-changed' order by id"),
    ];
    const once = await rows();
    for (const again of [{ name: 'Repeated', rules }, { rules: rules.toReversed() }, { name: 'Repeated' }, {}]) {
      expect((await updateGroup(admin, { id: group.id, ...again })).group).toEqual(group);
      expect(await rows()).toEqual(once);
    }
  });

  it('have a unique name and rules of the form app:action', async () => {
    await createGroup(admin, { name: 'Taken' });
    for (const [input, field] of [
      [{ name: 'TAKEN' }, 'name'],
      [{ name: ' x' }, 'name'],
      [{ name: 'x\0' }, 'name'],
      [{ name: '\ud800' }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ name: 'y', rules: ['Addons:Edit,*:*'] }, 'rules'],
      [{ name: 'y', rules: ['Add*:Edit'] }, 'rules'],
      [{ name: 'y', rules: Array.from({ length: 201 }, (_, index) => `A:B${index}`) }, 'rules'],
    ] as const) {
      expect(await createGroup(admin, input)).toEqual({ code: 'BAD_USER_INPUT', fields: [{ name: field }] });
    }
    expect(await updateGroup(admin, { id: globalId('Group', 2e9), name: 'z' })).toEqual({ code: 'NOT_FOUND' });
  });

  it('are changed with Admin:Groups only, and not beyond the rules that the viewer holds', async () => {
    const rootId = (await createGroup(admin, { name: 'Root', rules: ['*:*'] })).group.id;
    const wideId = (await createGroup(admin, { name: 'Wide', rules: ['Addons:*'] })).group.id;
    const before = await audits();
    for (const rules of [
      ['*:*'],
      ['Addons:*'],
      ['Personas:*'],
      ['*:Edit'],
      ['Users:Edit'],
      ['Addons:Edit', 'Users:Edit'],
    ]) {
      expect(await createGroup(keeper, { name: 'More', rules })).toEqual(refused);
    }
    for (const id of [rootId, wideId]) {
      expect(await updateGroup(keeper, { id, rules: [] })).toEqual(refused);
      expect(await member(keeper, id, keeper)).toEqual(refused);
      expect(await member(keeper, id, admin, 'removeGroupMember')).toEqual(refused);
    }
    for (const client of [other, await app.memberWith('Users:Edit', 'Admin:Audit')]) {
      expect(await createGroup(client, { name: 'Mine', rules: [] })).toEqual(refused);
      expect(await member(client, rootId, client)).toEqual(refused);
      expect((await client.graphqlResult('{ groups { name } }')).errors?.[0]?.extensions).toMatchObject(refused);
    }
    expect(await audits()).toEqual(before);
    const { group } = await createGroup(keeper, { name: 'Editors', rules: ['Addons:Edit', 'Personas:Review'] });
    expect((await member(keeper, group.id, other)).group).toMatchObject({ name: 'Editors' });
  });

  it('take no deleted accounts', async () => {
    const { group } = await createGroup(admin, { name: 'Living' });
    const gone = await app.developer();
    await app.sql('update account set deleted_at = now() where id = $1', [gone.accountId]);
    expect(await member(admin, group.id, gone)).toEqual({ code: 'NOT_FOUND' });
  });

  it('are visible to those who administer groups or accounts', async () => {
    const accounts = await app.memberWith('Users:Edit');
    const { groups } = await keeper.graphql<{ groups: { id: string; name: string }[] }>('{ groups { id name rules } }');
    expect(groups.map(({ name }) => name)).toContain('Root');
    const id = groups.find(({ name }) => name === 'Editors')?.id;
    const NODE = 'query($id: ID!) { node(id: $id) { ... on Group { name rules members { nodes { databaseId } } } } }';
    expect(await accounts.graphql(NODE, { id })).toMatchObject({
      node: { members: { nodes: [{ databaseId: other.accountId }] } },
    });
    for (const client of [other, app.anonymous]) {
      expect((await client.graphqlResult(NODE, { id })).errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    }
    const OWN = 'query($id: ID!) { node(id: $id) { ... on Account { private { groups { name } } } } }';
    const account = { id: globalId('Account', other.accountId) };
    expect(await accounts.graphql(OWN, account)).toEqual({ node: { private: { groups: [{ name: 'Editors' }] } } });
    expect(await other.graphql(OWN, account)).toEqual({ node: { private: { groups: null } } });
  });
});

describe('addons group revoke', () => {
  it('removes a member, and only once', async () => {
    const { revokeMembership } = await import('../../../src/domain/groups/change-groups.ts');
    const [row] = await app.sql<{ username: string }>('select username from account where id = $1', [other.accountId]);
    const username = row?.username ?? '';
    expect(await revokeMembership('EDITORS', username)).toBe(true);
    expect(await revokeMembership('Editors', username)).toBe(false);
    expect(await permissions(other)).toEqual({ permissions: [] });
    expect((await audits()).at(-1)).toMatchObject({ actor: 'command line', action: 'group-member-removed' });
    await expect(revokeMembership('Nothing', username)).rejects.toThrow('There is no group named "Nothing".');
    await expect(revokeMembership('Editors', 'a\0b')).rejects.toThrow();
  });
});
