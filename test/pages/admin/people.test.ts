/* Accounts and groups on the pages of the administration. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client, Reply } from '../../support/client.ts';
import { globalId } from '../../support/global-ids.ts';
import { documentOf, formFields, textOf, type Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let person: Client;
let root: Visitor;
let official: Visitor;
let keeper: Visitor;
beforeAll(async () => {
  person = await app.developer();
  await app.sql(
    "UPDATE account SET username = 'Ada', email = 'ada@mail.example', display_name = 'Countess' WHERE id = $1",
    [person.accountId],
  );
  root = await visitorOf(app, await app.admin());
  official = await visitorOf(app, await app.memberWith('Users:Edit'));
  keeper = await visitorOf(app, await app.memberWith('Admin:Groups', 'Addons:Review'));
});

const pathOf = ({ accountId }: Client) => `/admin/users/${accountId}/`;

describe('/admin/users/', () => {
  const foundBy = async (query: string) => {
    const $ = documentOf(await official.get(`/admin/users/?${query}`));
    const links = $('tbody a').toArray();
    return links.map((link) => $(link).attr('href'));
  };

  it('finds accounts by name, address and id, in any case', async () => {
    for (const q of ['ada', 'ADA@mail', 'count', String(person.accountId)]) {
      expect([q, await foundBy(`q=${q}`)]).toEqual([q, [pathOf(person)]]);
    }
    for (const q of ['%25', '_da', '%00', '99999999999', 'x'.repeat(300)]) expect(await foundBy(`q=${q}`)).toEqual([]);
    expect(await foundBy('')).toContain(pathOf(person));
    expect(await foundBy('state=disabled')).toEqual([]);
    expect(await foundBy('q=ada&state=active')).toEqual([pathOf(person)]);
    for (const query of ['after=x', 'state=y', 'group=z']) {
      expect((await official.get(`/admin/users/?${query}`)).status).toBeLessThan(500);
    }
  });

  it('lists the members of a group, in pages', async () => {
    const [group] = await app.sql<{ id: number }>(
      "INSERT INTO permission_group (name, rules) VALUES ('Many', '{}') RETURNING id",
    );
    await app.sql(
      `WITH made AS (INSERT INTO account (username) SELECT 'many-' || n FROM generate_series(1, 60) AS n RETURNING id)
       INSERT INTO group_member (group_id, account_id) SELECT $1, id FROM made`,
      [group?.id],
    );
    const $ = documentOf(await official.get(`/admin/users/?group=${group?.id}`));
    expect($('tbody tr')).toHaveLength(50);
    const next = documentOf(await official.get($('.pager a[rel=next]').attr('href') ?? ''));
    expect(next('tbody tr')).toHaveLength(10);
  });
});

describe('/admin/users/:id/', () => {
  it('shows facts, sessions and keys without secrets', async () => {
    const { createApiKeyFor } = await import('../../../src/domain/accounts/administration.ts');
    const { key, secret } = await createApiKeyFor({ username: 'Ada' });
    const page = await official.get(pathOf(person));
    expect(page.status).toBe(200);
    const text = textOf(page);
    for (const part of ['Ada', 'ada@mail.example', 'Countess', key]) expect(text).toContain(part);
    expect(page.text).not.toContain(secret);
  });

  it('says that sessions were opened without a sign-in, and leads to the audit log those who may read it', async () => {
    const account = await app.developer();
    await visitorOf(app, account);
    // As after a command that opened the session.
    await app.sql('UPDATE account SET last_login = NULL, last_login_ip = NULL WHERE id = $1', [account.accountId]);
    expect(textOf(await official.get(pathOf(account)))).toMatch(
      /Last sign-in No sign-in with a browser\. The newest session was opened: \S/,
    );
    await app.sql("UPDATE account SET last_login = now(), last_login_ip = '192.0.2.7' WHERE id = $1", [
      account.accountId,
    ]);
    expect(textOf(await official.get(pathOf(account)))).toMatch(/Last sign-in [^.]* UTC · 192\.0\.2\.7/);
    const links = async (visitor: Visitor) => {
      const $ = documentOf(await visitor.get(pathOf(account)));
      return $('main a[href^="/admin/audit/?"]')
        .map((_, link) => $(link).attr('href'))
        .get();
    };
    const username = documentOf(await root.get(pathOf(account)))('h1').text();
    expect(await links(root)).toEqual([`/admin/audit/?about=${username}`, `/admin/audit/?actor=${username}`]);
    expect(await links(official)).toEqual([]);
  });

  it('ends sessions and revokes keys, with a mail and an entry of the audit log', async () => {
    const session = await visitorOf(app, person);
    const idsOf = async (name: string) => {
      const $ = documentOf(await official.get(pathOf(person)));
      const inputs = $(`form:has(input[name=form][value=${name}]) input[name=id]`).toArray();
      return inputs.map((input) => String($(input).attr('value')));
    };
    const [sessionId = ''] = await idsOf('admin-end-session');
    const ended = await official.submit(pathOf(person), 'admin-end-session', { id: sessionId });
    expect(ended.headers.location).toBe(`${pathOf(person)}?done=admin-end-session`);
    expect((await session.get('/account/')).status).toBe(303);
    const [key = '', ...otherKeys] = await idsOf('admin-revoke-key');
    const revoked = await official.submit(pathOf(person), 'admin-revoke-key', { id: key });
    expect(revoked.status).toBe(303);
    expect(await idsOf('admin-revoke-key')).toEqual(otherKeys);
    const actions = await app.sql<{ action: string }>('SELECT action FROM audit_entry ORDER BY id DESC LIMIT 2');
    expect(actions.map(({ action }) => action).sort()).toEqual(['api-key-revoked', 'session-ended']);
  });

  it('disables with a reason and enables again; keeps what was typed into a refused form', async () => {
    const fields = await formFields(official, pathOf(person), 'admin-account');
    const refused = await official.submit(pathOf(person), 'admin-account', { ...fields, reason: ' ' });
    expect(refused.status).toBe(422);
    const disabled = await official.submit(pathOf(person), 'admin-account', { ...fields, reason: 'Spam.' });
    expect(disabled.status).toBe(303);
    expect(textOf(await official.get('/admin/users/?state=disabled'))).toContain('ada@mail.example');
    const again = await formFields(official, pathOf(person), 'admin-account');
    expect(again.disabled).toBe('no');
    expect((await official.submit(pathOf(person), 'admin-account', again)).status).toBe(303);
  });

  it('offers nothing against accounts above the rank of the viewer, and refuses it', async () => {
    const administrator = await app.admin();
    const page = await official.get(pathOf(administrator));
    expect(documentOf(page)('main form[method=post]')).toHaveLength(0);
    const fields = { id: globalId('Account', administrator.accountId), disabled: 'yes', reason: 'x' };
    expect((await official.submit(pathOf(administrator), 'admin-account', fields)).status).toBe(403);
    expect(documentOf(await root.get(pathOf(administrator)))('main form[method=post]').length).toBeGreaterThan(0);
  });

  it('needs a recent sign-in for what cannot wait, with what was typed', async () => {
    const visitor = await visitorOf(app, await app.memberWith('Users:Edit'));
    const fields = await formFields(visitor, pathOf(person), 'admin-account');
    await app.sql(
      "UPDATE page_session SET created = now() - interval '1 hour' WHERE hash = (SELECT hash FROM page_session ORDER BY created DESC LIMIT 1)",
    );
    const late = await visitor.submit(pathOf(person), 'admin-account', { ...fields, reason: 'Typed words' });
    expect([late.status, late.text.includes('Typed words')]).toEqual([401, true]);
  });

  it('is not found without such an account, and refused to others', async () => {
    for (const id of ['0', 'x', '2000000000']) expect((await official.get(`/admin/users/${id}/`)).status).toBe(404);
    expect((await keeper.get(pathOf(person))).status).toBe(404);
  });
});

describe('/admin/groups/', () => {
  const create = (visitor: Visitor, name: string, rules: string) =>
    visitor.submit('/admin/groups/', 'admin-new-group', { name, rules });

  it('makes groups with rules that the viewer may grant', async () => {
    const made = await create(keeper, 'Readers', 'Addons:Review\nAddons:Review');
    expect(made.headers.location).toMatch(/^\/admin\/groups\/\d+\/\?done=admin-new-group$/);
    expect(textOf(await keeper.get(made.headers.location ?? ''))).toContain('Addons:Review');
    expect((await create(keeper, 'Stronger', '*:*')).status).toBe(403);
    for (const [name, rules] of [
      ['Readers', ''],
      ['', 'Addons:Review'],
      ['Other', 'no rule'],
    ] as const) {
      const refused = await create(keeper, name, rules);
      expect([name, refused.status]).toEqual([name, 422]);
      expect(documentOf(refused)('textarea[name=rules]').text().trim()).toBe(rules);
    }
  });

  it('changes name and rules, adds members by name or id, and removes them', async () => {
    const path = new URL((await create(root, 'Helpers', 'Stats:View')).headers.location ?? '', 'http://x').pathname;
    const fields = await formFields(root, path, 'admin-group');
    expect(fields.rules?.trim()).toBe('Stats:View');
    const changed = await root.submit(path, 'admin-group', {
      ...fields,
      name: 'Helpers 2',
      rules: 'Stats:View Addons:Edit',
    });
    expect(changed.status).toBe(303);
    const { group = '' } = await formFields(root, path, 'admin-add-member');
    const add = (account: string) => root.submit(path, 'admin-add-member', { group, account });
    expect((await add('ada')).status).toBe(303);
    expect((await add(String(person.accountId))).status).toBe(303);
    const unknown = await add('there-is-none');
    expect(unknown.status).toBe(404);
    expect(documentOf(unknown)('input[name=account][type=text]').attr('value')).toBe('there-is-none');
    const $ = documentOf(await root.get(path));
    expect($('main p:contains("must sign in again") ~ section.data-table')).toHaveLength(1);
    expect($('tbody tr')).toHaveLength(1);
    expect($('tbody th a').attr('href')).toBe(pathOf(person));
    const account = $('tbody input[name=account]').attr('value') ?? '';
    const username = $('tbody input[name=username]').attr('value') ?? '';
    const removed = await root.submit(path, 'admin-remove-member', { group, account, username });
    expect(textOf(await root.get(String(removed.headers.location)))).toContain(`${username} was removed from `);
    expect(documentOf(await root.get(path))('tbody tr')).toHaveLength(0);
    const actions = await app.sql<{ action: string }>('SELECT action FROM audit_entry ORDER BY id DESC LIMIT 4');
    expect(actions.map(({ action }) => action)).toEqual([
      'group-member-removed',
      'group-member-added',
      'group-changed',
      'group-created',
    ]);
  });

  it('says in words what rules allow', async () => {
    const rules = '*:* AbuseReports:Edit Admin:* Shop:Open';
    const path = new URL((await create(root, 'In words', rules)).headers.location ?? '', 'http://x').pathname;
    const shown = (page: Reply) => {
      const $ = documentOf(page);
      return $('.plain-list li')
        .map((_, item) => $(item).text())
        .get();
    };
    const words = [
      'Everything *:*',
      'Read and decide reports of abuse AbuseReports:Edit',
      'Everything that rules of the kind Admin allow Admin:*',
      'Not checked by this service; other programs can read it from the account Shop:Open',
    ];
    expect(shown(await root.get(path))).toEqual(words);
    expect(shown(await root.get('/admin/groups/'))).toEqual(expect.arrayContaining(words));
  });

  it('are joined on the page of an account, which offers those that the viewer may change', async () => {
    const account = await app.developer();
    const offered = async (visitor: Visitor) => {
      const $ = documentOf(await visitor.get(pathOf(account)));
      return $('#admin-join-group option')
        .map((_, option) => $(option).text())
        .get();
    };
    await create(root, 'Greeters', 'Addons:Review');
    expect(textOf(await root.get(pathOf(account)))).toContain('Groups none');
    expect(await offered(root)).toEqual(expect.arrayContaining(['–', 'Greeters', 'Readers']));
    const editor = await visitorOf(app, await app.memberWith('Users:Edit', 'Admin:Groups'));
    expect(await offered(editor)).not.toContain('Greeters');
    expect(await offered(official)).toEqual([]);
    const fields = await formFields(root, pathOf(account), 'admin-join-group');
    expect((await root.submit(pathOf(account), 'admin-join-group', fields)).status).toBe(422);
    const $ = documentOf(await root.get(pathOf(account)));
    const group = $('#admin-join-group option:contains("Greeters")').attr('value') ?? '';
    expect((await editor.submit(pathOf(account), 'admin-join-group', { ...fields, group })).status).toBe(403);
    const joined = await root.submit(pathOf(account), 'admin-join-group', { ...fields, group });
    expect(joined.status).toBe(303);
    const shown = textOf(await root.get(String(joined.headers.location)));
    const mail =
      'The account gets a mail and must sign in again. No mail server is set up: mails wait until there is one.';
    expect(shown).toContain(`was added to Greeters . ${mail}`);
    expect(shown).toContain('Groups Greeters Remove : Greeters');
    expect(await offered(root)).not.toContain('Greeters');
    expect(textOf(await editor.get(pathOf(account)))).not.toContain('Remove : Greeters');
    const leaving = { account: globalId('Account', Number(account.accountId)), group };
    expect((await editor.submit(pathOf(account), 'admin-leave-group', leaving)).status).toBe(403);
    const left = await root.submit(pathOf(account), 'admin-leave-group', leaving);
    const after = textOf(await root.get(String(left.headers.location)));
    expect(after).toContain(`was removed from Greeters . ${mail}`);
    expect(await offered(root)).toContain('Greeters');
  });

  it('shows groups above the rank of the viewer without forms', async () => {
    const [group] = await app.sql<{ id: number }>("SELECT id FROM permission_group WHERE '*:*' = ANY(rules) LIMIT 1");
    const page = await keeper.get(`/admin/groups/${group?.id}/`);
    expect(page.status).toBe(200);
    expect(documentOf(page)('main form')).toHaveLength(0);
    const fields = { group: globalId('Group', group?.id), account: 'Ada' };
    expect((await keeper.submit(`/admin/groups/${group?.id}/`, 'admin-add-member', fields)).status).toBe(403);
    for (const id of ['0', 'x', '2000000000']) expect((await keeper.get(`/admin/groups/${id}/`)).status).toBe(404);
  });
});

describe('in other languages', () => {
  it.each(['de', 'he'])('accounts and groups are translated: %s', async (language) => {
    for (const path of ['/admin/users/', pathOf(person), '/admin/groups/', '/admin/groups/1/']) {
      expect((await root.get(`${path}?lang=${language}`)).text).toContain(`<html lang="${language}"`);
    }
  });
});
