/* The pages of webhooks: those of an add-on in the hub, and those of the service in the administration. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { documentOf, textOf, type Visitor, visitorOf } from '../support/pages.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const receiver = await startReceiver();
const app = setUpApp({ settings: { WEBHOOK_PRIVATE_NETWORKS: ['127.0.0.0/8'] } });
let owner: Visitor;
let operator: Visitor;
let made: MadeAddon;
const HUB = '/developers/addon/paged/webhooks/';
const ADMIN = '/admin/webhooks/';

beforeAll(async () => {
  const client = await app.developer();
  owner = await visitorOf(app, client);
  operator = await visitorOf(app, await app.memberWith('Admin:Service'));
  made = await addon({ slug: 'paged', authors: [client.accountId ?? 0] });
});
afterAll(() => receiver.close());

const newest = async () => (await app.sql<{ id: number }>('SELECT max(id) AS id FROM webhook'))[0]?.id ?? 0;

describe.each([
  ['the hub', HUB, () => owner, () => ({ addon: globalId('Addon', made.id) })],
  ['the administration', ADMIN, () => operator, () => ({})],
] as const)('%s', (_name, list, visitor, hidden) => {
  it('creates a webhook with its secret shown once, sends, replays, changes and removes it', async () => {
    expect(textOf(await visitor().get(list))).toContain('There is no webhook.');
    const url = `${receiver.url}${list}`;
    const form = { ...hidden(), url, events: ['ADDON_DISABLED', 'ADDON_ENABLED'] };
    const created = await visitor().submit(list, 'webhook-create', form);
    expect([created.status, textOf(created)]).toEqual([200, expect.stringContaining('It is not shown again')]);
    expect(created.text).toMatch(/whsec_[\w+/]{43}=/);
    const id = await newest();
    const path = `${list}${id}/`;
    expect(documentOf(await visitor().get(list))(`main a[href="${path}"]`).text()).toBe(url);
    await app.sql(`INSERT INTO activity (action, addon_id) VALUES ('addon-disabled-by-developer', $1)`, [made.id]);
    await app.runJobs();
    const shown = textOf(await visitor().get(path));
    expect(shown).toContain('1 delivery.');
    expect(shown).toContain('Delivered');
    expect(shown).not.toContain('whsec_');
    expect(textOf(await visitor().get(`${path}?state=failed`))).toContain('0 deliveries.');
    const delivery = documentOf(await visitor().get(path))('form input[name="id"][value]').toArray();
    const ids = delivery.map(({ attribs }) => Buffer.from(attribs.value ?? '', 'base64').toString());
    const replayed = ids.find((each) => each.startsWith('WebhookDelivery:')) ?? '';
    const sent = await visitor().submit(path, 'webhook-replay', { id: Buffer.from(replayed).toString('base64') });
    expect([sent.status, sent.headers.location]).toEqual([303, `${path}?done=webhook-replay`]);
    await app.runJobs();
    expect(receiver.received.filter((each) => each.path === list)).toHaveLength(2);
    const webhook = globalId('Webhook', id);
    const replaced = await visitor().submit(path, 'webhook-replace-secret', { id: webhook });
    expect([replaced.status, textOf(replaced)]).toEqual([200, expect.stringContaining('each request has both')]);
    expect(replaced.text).toMatch(/whsec_[\w+/]{43}=/);
    expect(textOf(await visitor().get(path))).toContain('The previous secret signs as well until');
    const ended = await visitor().submit(path, 'webhook-end-previous', { id: webhook });
    expect([ended.status, ended.headers.location]).toEqual([303, `${path}?done=webhook-end-previous`]);
    expect(textOf(await visitor().get(path))).not.toContain('The previous secret signs');
    await app.sql(`UPDATE webhook_delivery SET last_error = '{"code":"webhook.refused","params":{"status":"500"}}'`);
    const german = await visitor().get(path, { Cookie: 'addons_language=de' });
    expect(textOf(german)).toContain('Die Antwort hat den Status 500');
    await visitor().submit(path, 'webhook-events', { id: webhook, events: 'VERSION_SIGNED' });
    await visitor().submit(path, 'webhook-switch', { id: webhook });
    expect(await app.sql('SELECT actions, is_enabled AS "isEnabled" FROM webhook WHERE id = $1', [id])).toEqual([
      { actions: ['published'], isEnabled: false },
    ]);
    const removed = await visitor().submit(path, 'webhook-remove', { id: webhook });
    expect([removed.status, removed.headers.location]).toEqual([303, `${list}?done=webhook-remove`]);
    expect((await visitor().get(path)).status).toBe(404);
  });

  it('keeps what was typed when it is refused', async () => {
    const form = { ...hidden(), url: 'https://10.1.2.3/x', events: 'VERSION_SIGNED' };
    const refused = await visitor().submit(list, 'webhook-create', form);
    const $ = documentOf(refused);
    expect([refused.status, textOf(refused)]).toEqual([422, expect.stringContaining('public host')]);
    expect($('input[name="url"]').attr('value')).toBe('https://10.1.2.3/x');
    expect($('input[name="events"][checked]').attr('value')).toBe('VERSION_SIGNED');
    const none = await visitor().submit(list, 'webhook-create', { ...form, url: receiver.url, events: 'UNKNOWN' });
    expect([none.status, textOf(none)]).toEqual([422, expect.stringContaining('at least one event')]);
  });
});

it('are hidden from others, and from the page of another webhook', async () => {
  await app.sql(
    `INSERT INTO webhook (addon_id, url, sealed_secret, actions) VALUES
    ($1, 'https://a.example/', '', '{}'), (NULL, 'https://b.example/', '', '{}')`,
    [made.id],
  );
  const service = await newest();
  const stranger = await visitorOf(app, await app.developer());
  expect((await stranger.get(`${HUB}${service - 1}/`)).status).toBe(404);
  expect((await stranger.get(ADMIN)).status).toBe(403);
  for (const id of [service, 0, 'x', 2_000_000_000]) expect((await owner.get(`${HUB}${id}/`)).status).toBe(404);
  for (const id of [service - 1, 0]) expect((await operator.get(`${ADMIN}${id}/`)).status).toBe(404);
  expect((await operator.get(`${ADMIN}${service}/`)).status).toBe(200);
});
