import { beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { globalId } from '../support/global-ids.ts';

const app = setUpApp();

beforeEach(async () => {
  await app.sql('delete from group_member');
});

const LAST = expect.stringContaining('This is the last account with the permission *:*.');

type Result = { __typename: string; message?: string };

async function run(client: Client, name: string, type: string, input: object): Promise<Result> {
  const source = `mutation($input: ${type}!) { ${name}(input: $input) { __typename ... on UserError { message } } }`;
  return (await client.graphql<Record<string, Result>>(source, { input }))[name] as Result;
}

const groupOf = async ({ accountId }: Client) => {
  const [row] = await app.sql<{ id: number }>('select group_id as id from group_member where account_id = $1', [
    accountId,
  ]);
  return globalId('Group', row?.id);
};

const usernameOf = async ({ accountId }: Client) => {
  const [row] = await app.sql<{ username: string }>('select username from account where id = $1', [accountId]);
  return row?.username ?? '';
};

const administrators = async () => {
  const rows = await app.sql<{ id: number }>(
    `select m.account_id as id from group_member m join permission_group g on g.id = m.group_id join account a on a.id = m.account_id
     where '*:*' = any (g.rules) and a.disabled_at is null and a.deleted_at is null`,
  );
  return rows.map(({ id }) => id);
};

const account = ({ accountId }: Client) => globalId('Account', accountId);

/** What takes the rights of an administrator, by what does it. */
const REMOVALS: Readonly<Record<string, (actor: Client, target: Client) => Promise<Result>>> = {
  deleteAccount: (actor, target) => run(actor, 'deleteAccount', 'DeleteAccountInput', { id: account(target) }),
  removeGroupMember: async (actor, target) =>
    run(actor, 'removeGroupMember', 'RemoveGroupMemberInput', {
      group: await groupOf(target),
      account: account(target),
    }),
  updateGroup: async (actor, target) =>
    run(actor, 'updateGroup', 'UpdateGroupInput', { id: await groupOf(target), rules: ['Admin:Groups'] }),
};

const COMMANDS: Readonly<Record<string, (target: Client) => Promise<unknown>>> = {
  'user disable': async (target) => {
    const { disableAccountByName } = await import('../../src/domain/profiles/disable-account.ts');
    await disableAccountByName(await usernameOf(target));
  },
  'user delete': async (target) => {
    const { deleteAccountByName } = await import('../../src/domain/profiles/delete-account.ts');
    await deleteAccountByName(await usernameOf(target));
  },
  'group revoke': async (target) => {
    const { revokeMembership } = await import('../../src/domain/groups/change-groups.ts');
    await revokeMembership(`group-${await usernameOf(target)}`, await usernameOf(target));
  },
};

describe('the last administrator', () => {
  it.each(Object.entries(REMOVALS))('keeps the rule *:* after %s of their own', async (_name, remove) => {
    const admin = await app.admin();
    expect(await remove(admin, admin)).toEqual({ __typename: 'InvalidInputError', message: LAST });
    expect(await administrators()).toEqual([admin.accountId]);
  });

  it('is not deleted by DELETE account', async () => {
    const admin = await app.admin();
    const { status, json } = await admin.request('DELETE', `/api/v4/accounts/account/${admin.accountId}/`);
    expect([status, json]).toEqual([400, { non_field_errors: [LAST] }]);
  });

  it.each(Object.entries(COMMANDS))('keeps the rule *:* after %s', async (_name, remove) => {
    const admin = await app.admin();
    await expect(remove(admin)).rejects.toThrow('This is the last account with the permission *:*.');
    expect(await administrators()).toEqual([admin.accountId]);
  });

  it('is not one of several, of which a disabled one does not count', async () => {
    const [admin, second, disabled] = [await app.admin(), await app.admin(), await app.admin()];
    const disabling = await run(admin, 'disableAccount', 'DisableAccountInput', { id: account(disabled) });
    expect(disabling.__typename).toBe('DisableAccountPayload');
    const removal = REMOVALS['removeGroupMember'];
    expect((await removal?.(admin, second))?.__typename).toBe('RemoveGroupMemberPayload');
    expect(await removal?.(admin, admin)).toMatchObject({ message: LAST });
  });
});

describe('two administrators who remove each other at once', () => {
  const disable = (actor: Client, target: Client) =>
    run(actor, 'disableAccount', 'DisableAccountInput', { id: account(target) });

  it.each(Object.entries({ ...REMOVALS, disableAccount: disable }))('by %s leave one', async (_name, remove) => {
    const [one, other] = [await app.admin(), await app.admin()];
    const results = await Promise.allSettled([remove(one, other), remove(other, one)]);
    const done = results.filter(
      (result) => result.status === 'fulfilled' && result.value.__typename.endsWith('Payload'),
    );
    expect(done).toHaveLength(1);
    expect(await administrators()).toHaveLength(1);
  });
});

describe('staff below the target', () => {
  const REFUSED = { __typename: 'NotPermittedError' };

  it('change no group with a member above them, and move no such member', async () => {
    const keeper = await app.memberWith('Admin:Groups', 'Addons:Edit');
    const admin = await app.admin();
    const made = await run(keeper, 'createGroup', 'CreateGroupInput', { name: 'Mixed', rules: ['Addons:Edit'] });
    expect(made.__typename).toBe('CreateGroupPayload');
    const [group] = await app.sql<{ id: number }>("select id from permission_group where name = 'Mixed'");
    const id = globalId('Group', group?.id);
    const member = { group: id, account: account(admin) };
    expect(await run(keeper, 'addGroupMember', 'AddGroupMemberInput', member)).toMatchObject(REFUSED);
    await app.sql('insert into group_member (group_id, account_id) values ($1, $2)', [group?.id, admin.accountId]);
    expect(await run(keeper, 'updateGroup', 'UpdateGroupInput', { id, rules: [] })).toMatchObject(REFUSED);
    expect(await run(keeper, 'removeGroupMember', 'RemoveGroupMemberInput', member)).toMatchObject(REFUSED);
  });

  it('get 403 for each change of an administrator by REST, and 404 only for unknown accounts', async () => {
    const [official, admin] = [await app.memberWith('Users:Edit'), await app.admin()];
    const headers = { 'Content-Type': 'application/json' };
    const statusOf = async (method: string, path: string, body?: object) => {
      const options = body === undefined ? {} : { headers, body: JSON.stringify(body) };
      return (await official.request(method, `/api/v4/accounts/account/${path}`, options)).status;
    };
    const { accountId } = admin;
    expect([
      await statusOf('GET', `${accountId}/`),
      await statusOf('PATCH', `${accountId}/`, { display_name: 'x' }),
      await statusOf('DELETE', `${accountId}/picture/`),
      await statusOf('POST', `${accountId}/notifications/`, { announcements: true }),
      await statusOf('DELETE', `${accountId}/`),
      await statusOf('DELETE', '2000000000/'),
    ]).toEqual([200, 403, 403, 403, 403, 404]);
  });
});
