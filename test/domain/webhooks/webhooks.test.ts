/* Webhooks of add-ons and of the service, sent to receivers on loopback. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { endless, isSigned } from '../../support/webhook-receiver.ts';
import { setUpWebhooks } from '../../support/webhook-world.ts';

const world = await setUpWebhooks();
const { app, receiver, create, ofAddon, disable, deliveriesOf, reconcile } = world;
const base = receiver.url;

/** Makes waiting deliveries due, as time does. */
const pass = () =>
  app.sql(`WITH w AS (UPDATE webhook SET paused_until = NULL)
    UPDATE webhook_delivery SET next_attempt = now() WHERE state = 'queued'`);

describe('an event', () => {
  it('is sent once, signed, to the webhooks of its add-on and of the service', async () => {
    const admin = await app.admin();
    const [own, service] = [await create(world.owner, ofAddon()), await create(admin, {}, `${base}/service`)];
    const other = await addon({ authors: [world.owner.accountId ?? 0] });
    await create(world.owner, { addon: globalId('Addon', other.id) }, `${base}/other`);
    await create(world.owner, { ...ofAddon(), events: ['VERSION_SIGNED'] }, `${base}/signed`);
    await disable(true);
    expect(await app.pendingJobs()).toEqual(['deliver-webhooks']);
    await app.runJobs();
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/hook', '/service']);
    for (const request of receiver.received) {
      const { secret } = request.path === '/hook' ? own : service;
      expect(isSigned(request, secret)).toBe(true);
      expect(isSigned({ ...request, body: `${request.body} ` }, secret)).toBe(false);
      expect(JSON.parse(request.body)).toEqual({
        type: 'addon.disabled',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        data: { addon: { id: world.made.id, guid: 'hooked@example', slug: 'hooked', status: 'public' }, version: null },
      });
    }
    expect(await deliveriesOf(own.webhook.id)).toEqual([
      expect.objectContaining({
        ...{ event: 'ADDON_DISABLED', state: 'DELIVERED', attempts: 1, responseStatus: 204, lastError: null },
        eventId: receiver.received.find(({ path }) => path === '/hook')?.headers['webhook-id'],
      }),
    ]);
    await disable(false);
    await app.runJobs();
  });

  it('of a review has no comment, reason or person', async () => {
    const waiting = await addon({
      authors: [world.owner.accountId ?? 0],
      versions: [{ version: '2.0', stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] }],
    });
    const version = waiting.versions[0];
    const { webhook } = await create(world.owner, {
      addon: globalId('Addon', waiting.id),
      events: ['VERSION_REJECTED'],
    });
    const reviewer = await app.reviewer();
    await reviewer.graphql(
      'mutation ($id: ID!) { rejectVersion(input: { id: $id, comments: "not for hooks" }) { __typename } }',
      { id: globalId('Version', version?.id ?? 0) },
    );
    await app.runJobs();
    const [delivery] = await deliveriesOf(webhook.id);
    expect(delivery).toMatchObject({ event: 'VERSION_REJECTED', state: 'DELIVERED' });
    expect(JSON.parse(delivery?.data ?? '')).toMatchObject({
      version: { id: version?.id, number: '2.0', channel: 'listed', stage: 'rejected' },
    });
    expect(receiver.received[0]?.body).not.toContain('not for hooks');
    expect(receiver.received[0]?.body).not.toContain('account');
  });

  it('is not queued for a webhook that is switched off, nor by a bulk load', async () => {
    const { webhook } = await create(world.owner, ofAddon());
    const set = (isEnabled: boolean) =>
      world.owner.graphql(
        'mutation ($id: ID!, $isEnabled: Boolean) { updateWebhook(input: { id: $id, isEnabled: $isEnabled }) { __typename } }',
        { id: webhook.id, isEnabled },
      );
    await set(false);
    await disable(true);
    await set(true);
    await app.sql(`DO $$ BEGIN SET LOCAL addons.bulk_load = 'on';
      INSERT INTO activity (action, addon_id) VALUES ('addon-disabled-by-operator', ${world.made.id}); END $$`);
    await app.runJobs();
    expect([receiver.received, await deliveriesOf(webhook.id)]).toEqual([[], []]);
    await disable(false);
    await app.runJobs();
    expect(await deliveriesOf(webhook.id)).toMatchObject([{ event: 'ADDON_ENABLED', state: 'DELIVERED' }]);
  });
});

describe('a delivery', () => {
  it('is sent again with the same id and body when its worker died after the response', async () => {
    const { webhook } = await create(world.owner, ofAddon());
    await disable(true);
    await app.runJobs();
    await app.sql(
      `UPDATE webhook_delivery SET state = 'queued', finished = NULL, claimed_until = now() - interval '1 s'`,
    );
    await reconcile();
    const [first, second] = receiver.received;
    expect(receiver.received).toHaveLength(2);
    expect([second?.headers['webhook-id'], second?.body]).toEqual([first?.headers['webhook-id'], first?.body]);
    expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'DELIVERED', attempts: 2 }]);
    await disable(false);
    await app.runJobs();
  });

  it('is tried with pauses for a day, then failed, and replayed on request', async () => {
    const { webhook } = await create(world.owner, ofAddon());
    receiver.respond = (response) => response.writeHead(500).end('no');
    await disable(true);
    await app.runJobs();
    const lastError = {
      ...{ code: 'webhook.refused', params: { status: '500' }, text: 'Die Antwort hat den Status 500.' },
    };
    const failing = { attempts: 1, responseStatus: 500, lastError };
    expect(await deliveriesOf(webhook.id)).toMatchObject([{ ...failing, state: 'QUEUED' }]);
    // Neither this delivery nor another one of the webhook is tried before the pause ends.
    await disable(false);
    await reconcile();
    expect(receiver.received).toHaveLength(1);
    await app.sql(`DELETE FROM webhook_delivery WHERE attempts = 0`);
    await pass();
    await app.sql(`UPDATE webhook_delivery SET attempts = 10, queued = now() - interval '20 hours'`);
    await reconcile();
    const [failed] = await deliveriesOf(webhook.id);
    expect(failed).toMatchObject({ state: 'FAILED', attempts: 11 });
    receiver.respond = (response) => response.writeHead(200).end('{}');
    await world.owner.graphql('mutation ($id: ID!) { replayWebhookDelivery(input: { id: $id }) { __typename } }', {
      id: failed?.id,
    });
    await app.runJobs();
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'DELIVERED', attempts: 1, lastError: null }]);
  });

  it('that no attempt was possible for is given up after a day', async () => {
    const { webhook } = await create(world.owner, ofAddon());
    await app.sql(`UPDATE webhook SET paused_until = now() + interval '1 hour'`);
    await disable(true);
    await app.runJobs();
    await app.sql(`UPDATE webhook_delivery SET queued = now() - interval '25 hours'`);
    await reconcile();
    expect(await deliveriesOf(webhook.id)).toMatchObject([
      { state: 'FAILED', attempts: 0, lastError: { code: 'webhook.not_tried', params: {} } },
    ]);
    await disable(false);
  });

  it.each<[string, string | null, (response: ServerResponse, path: string) => void, RegExp, object?]>([
    ['never responds', null, () => {}, /no_response/, { seconds: 1 }],
    ['never ends its body', null, (response) => void endless(response), /response_too_long|no_response/],
    [
      'redirects',
      null,
      (response) => response.writeHead(302, { Location: `${base}/internal` }).end(),
      /refused/,
      { status: '302' },
    ],
    ['closes the connection', null, (response) => response.destroy(), /connection_failed/, { code: 'ECONNRESET' }],
    ['speaks no TLS', `https://127.0.0.1:${receiver.port}/`, (response) => response.end(), /tls_failed/],
    [
      'is a name of a private address',
      `https://localhost:${receiver.port}/`,
      (response) => response.end(),
      /no_public_address/,
    ],
    ['has an unknown name', 'https://receiver.invalid/', (response) => response.end(), /unknown_host/],
  ])('fails at a receiver that %s', async (_name, url, response, code, params = {}) => {
    receiver.respond = response;
    const { webhook } = await create(world.owner, ofAddon(), url ?? `${base}/hook`);
    const networks = app.config.WEBHOOK_PRIVATE_NETWORKS;
    if (url?.includes('localhost')) app.config.WEBHOOK_PRIVATE_NETWORKS = [];
    await disable(true);
    await app.runJobs();
    app.config.WEBHOOK_PRIVATE_NETWORKS = networks;
    const [delivery] = await deliveriesOf(webhook.id);
    expect(delivery).toMatchObject({ state: 'QUEUED', attempts: 1 });
    expect(delivery?.lastError?.code).toMatch(code);
    expect(delivery?.lastError?.params).toMatchObject(params);
    expect(delivery?.lastError?.text).not.toContain('webhook.');
    expect(receiver.received.filter(({ path }) => path !== '/hook')).toEqual([]);
    await disable(false);
  });
});

describe('createWebhook', () => {
  it.each([
    ['ftp://example.com/', 'https address'],
    ['https://user:pass@example.com/', 'https address'],
    ['https://example.com/#x', 'https address'],
    [`https://example.com/${'x'.repeat(1000)}`, 'https address'],
    ['text', 'https address'],
    ['http://example.com\0/', 'https address'],
    ['https://10.0.0.1/', 'public host'],
    ['https://192.168.1.1/', 'public host'],
    ['https://0x0a.1/', 'public host'],
    ['https://169.254.169.254/latest/', 'public host'],
    ['https://[::1]/', 'public host'],
    ['https://[::ffff:10.0.0.1]/', 'public host'],
    ['https://[fd00::1]/', 'public host'],
    ['https://[64:ff9b::a00:1]/', 'public host'],
    ['https://[2002:a00:1::]/', 'public host'],
    ['http://8.8.8.8/', 'public host'],
  ])('refuses %s', async (url, message) => {
    const refused = await create(world.owner, ofAddon(), url);
    expect([refused.__typename, refused.message]).toEqual(['InvalidInputError', expect.stringContaining(message)]);
  });

  it('refuses no event and an eleventh webhook, seals the secret, and is in the history', async () => {
    expect(await create(world.owner, { ...ofAddon(), events: [] })).toMatchObject({ __typename: 'InvalidInputError' });
    const { secret } = await create(world.owner, ofAddon(), 'https://[2a00:1450:4001::1]/');
    const [row] = await app.sql<{ sealed: Buffer }>('SELECT sealed_secret AS sealed FROM webhook');
    const { openSecret } = await import('../../../src/auth/secret-box.ts');
    expect([row?.sealed.includes(secret), openSecret(row?.sealed ?? Buffer.of())]).toEqual([false, secret]);
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    for (let count = 2; count <= 10; count++) await create(world.owner, ofAddon());
    expect(await create(world.owner, ofAddon())).toMatchObject({ message: expect.stringContaining('at most 10') });
    const rows = await app.sql<{ details: object }>(
      `SELECT details FROM activity WHERE action = 'webhook-created' AND addon_id = $1 ORDER BY id DESC LIMIT 1`,
      [world.made.id],
    );
    expect(rows[0]?.details).toMatchObject({ url: `${base}/hook`, events: ['addon.disabled', 'addon.enabled'] });
  });
});
