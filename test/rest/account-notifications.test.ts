import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { encodeForm } from '../support/client.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { addon } from '../support/factories.ts';
import { whileThrottled, withoutDatabase } from '../support/outage.ts';

const app = setUpApp();
let developer: Client;
let reader: Client;
let administrator: Client;

beforeAll(async () => {
  [reader, administrator] = [await app.developer(), await app.memberWith('Users:Edit')];
});
beforeEach(async () => {
  developer = await app.developer();
  // An author of any add-on, listed or not, is a developer.
  await addon({ authors: [{ id: developer.accountId ?? 0, listed: false }], status: 'incomplete' });
});

const pathOf = (client: Client, version = 'v4') =>
  `/api/${version}/accounts/account/${client.accountId}/notifications/`;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const post = (client: Client, values: unknown, path = pathOf(client)) =>
  client.request('POST', path, { headers: JSON_TYPE, body: JSON.stringify(values) });

/** Name, enabled, mandatory of every type. */
const DEFAULTS: [string, boolean, boolean][] = [
  ['reply', true, false],
  ['new_features', true, false],
  ['upgrade_success', true, false],
  ['sdk_upgrade_success', true, false],
  ['new_review', true, false],
  ['upgrade_fail', true, true],
  ['sdk_upgrade_fail', true, true],
  ['reviewer_reviewed', true, true],
  ['individual_contact', true, true],
  ['announcements', false, false],
];
const listWith = (changes: Record<string, boolean> = {}) =>
  DEFAULTS.map(([name, enabled, mandatory]) => ({ name, enabled: changes[name] ?? enabled, mandatory }));
const OWN = listWith().slice(0, 2);

describe.each(['v3', 'v4', 'v4dev'])('notifications under /api/%s/', (version) => {
  it('are ten for developers and two for other accounts, in the documented order', async () => {
    const path = pathOf(developer, version);
    for (const address of [path, path.slice(0, -1)]) {
      const reply = await developer.get(address);
      expect([reply.status, reply.json]).toEqual([200, listWith()]);
    }
    expect((await administrator.get(path)).json).toEqual(listWith());
    expect((await reader.get(pathOf(reader, version))).json).toEqual(OWN);
    expect((await developer.head(path)).status).toBe(200);
  });

  it('are changed by POST, which returns the whole list', async () => {
    const path = pathOf(developer, version);
    const reply = await post(developer, { reply: false, announcements: true, new_features: null, unknown: 7 }, path);
    const changed = listWith({ reply: false, announcements: true });
    expect([reply.status, reply.json]).toEqual([200, changed]);
    expect((await developer.get(path)).json).toEqual(changed);
    expect((await post(developer, {}, path)).json).toEqual(changed);
    expect((await post(developer, { reply: true }, path)).json).toEqual(listWith({ announcements: true }));
  });

  it('are refused to strangers, whether the account exists or not', async () => {
    const forbidden = { status: 403, json: { detail: 'You do not have permission to perform this action.' } };
    const anonymous = { status: 401, json: { detail: 'Authentication credentials were not provided.' } };
    for (const ref of [developer.accountId, 'unknown', '2147483648']) {
      const path = `/api/${version}/accounts/account/${ref}/notifications/`;
      expectRefusal(await app.anonymous.get(path), anonymous);
      expectRefusal(await post(app.anonymous, {}, path), anonymous);
      expectRefusal(await reader.get(path), forbidden);
      expectRefusal(await post(reader, [], path), forbidden);
    }
    const unknown = `/api/${version}/accounts/account/unknown/notifications/`;
    for (const reply of [await administrator.get(unknown), await post(administrator, {}, unknown)]) {
      expectRefusal(reply, { status: 404, json: { detail: 'Not found.' } });
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const reply = await developer.request(method, pathOf(developer, version));
      expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, POST, HEAD, OPTIONS']);
    }
  });
});

describe('a change of notifications', () => {
  it('refuses mandatory ones and values that are no booleans, all together, and changes nothing', async () => {
    const reply = await post(developer, {
      reply: false,
      individual_contact: false,
      upgrade_fail: true,
      new_review: 'false',
      new_features: 0,
      sdk_upgrade_success: [true],
    });
    expect([reply.status, reply.json]).toEqual([
      400,
      {
        new_features: ['Must be a valid boolean.'],
        sdk_upgrade_success: ['Must be a valid boolean.'],
        new_review: ['Must be a valid boolean.'],
        upgrade_fail: ["Attempting to set [upgrade_fail] to True. Mandatory notifications can't be modified."],
        individual_contact: [
          "Attempting to set [individual_contact] to False. Mandatory notifications can't be modified.",
        ],
      },
    ]);
    expect((await developer.get(pathOf(developer))).json).toEqual(listWith());
  });

  it('ignores the types of developers for other accounts', async () => {
    const reply = await post(reader, { individual_contact: false, announcements: 'x', reply: false });
    expect([reply.status, reply.json]).toEqual([200, [{ ...OWN[0], enabled: false }, OWN[1]]]);
    expect((await post(reader, { reply: true })).json).toEqual(OWN);
  });

  it('accepts forms with true and false', async () => {
    const multipart = await developer.request('POST', pathOf(developer), {
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: encodeForm({ reply: 'false' }, 'x'),
    });
    expect(multipart.json).toEqual(listWith({ reply: false }));
    const encoded = (body: string) =>
      developer.request('POST', pathOf(developer), {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body,
      });
    expect((await encoded('reply=true&announcements=true')).json).toEqual(listWith({ announcements: true }));
    expect((await encoded('reply=1')).json).toEqual({ reply: ['Must be a valid boolean.'] });
  });

  it.each([
    ['application/json', '[]', 400],
    ['application/json', '{', 400],
    ['text/plain', 'reply=false', 415],
  ])('refuses a body of type %s: %s', async (type, body, status) => {
    const reply = await developer.request('POST', pathOf(developer), { headers: { 'Content-Type': type }, body });
    expect([reply.status, Object.keys(reply.json as object)]).toEqual([
      status,
      [status === 415 ? 'detail' : 'non_field_errors'],
    ]);
  });

  it('is audited when another account made it', async () => {
    const audited = () => app.sql("SELECT details FROM audit_entry WHERE action = 'notifications-changed'");
    await post(developer, { reply: false });
    expect(await audited()).toEqual([]);
    await post(administrator, { reply: true }, pathOf(developer));
    expect(await audited()).toEqual([{ details: { accountId: developer.accountId, reply: true } }]);
  });

  it('is the same in GraphQL', async () => {
    const update = `mutation($input: UpdateNotificationsInput!) { updateNotifications(input: $input) { __typename
      ... on UpdateNotificationsPayload { notifications { name enabled: isEnabled mandatory: isMandatory } }
      ... on UserError { code } ... on InvalidInputError { fields { name messages } } } }`;
    const run = async (client: Client, changes: object[]) =>
      (
        await client.graphql<{ updateNotifications: Record<string, unknown> }>(update, {
          input: { id: btoa(`Account:${developer.accountId}`), changes },
        })
      ).updateNotifications;
    expect(await run(developer, [{ name: 'reply', isEnabled: false }])).toMatchObject({
      notifications: listWith({ reply: false }),
    });
    const { viewer } = await developer.graphql<{ viewer: { private: object } }>(
      '{ viewer { private { notifications { name enabled: isEnabled mandatory: isMandatory } } } }',
    );
    expect(viewer.private).toEqual({ notifications: (await developer.get(pathOf(developer))).json });
    expect(await run(developer, [{ name: 'upgrade_fail', isEnabled: false }])).toMatchObject({
      fields: [{ name: 'changes', messages: [expect.stringContaining('[upgrade_fail] to False')] }],
    });
    expect(await run(reader, [])).toMatchObject({ code: 'NOT_PERMITTED' });
  });
});

it('both routes return 503 without a database, and 429 after many failed authentications', async () => {
  const both = (client: Client): Promise<Reply[]> =>
    Promise.all(['GET', 'POST'].map((method) => client.request(method, pathOf(developer))));
  await withoutDatabase(app, async () => {
    for (const { status } of await both(developer)) expect(status).toBe(503);
  });
  const guesser = app.client({ token: 'guess' });
  await whileThrottled(app, guesser, pathOf(developer), async () => {
    for (const { status } of await both(guesser)) expect(status).toBe(429);
  });
});
