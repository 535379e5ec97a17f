/* What keepers and operators do with webhooks: secrets that are replaced, and commands. */
import { describe, expect, it } from 'vitest';
import { addons } from '../../support/program.ts';
import { isSigned } from '../../support/webhook-receiver.ts';
import { type CreatedWebhook, setUpWebhooks } from '../../support/webhook-world.ts';

const world = await setUpWebhooks();
const { app, receiver, create, ofAddon, disable, reconcile } = world;

describe('a replaced secret', () => {
  const act = async (name: string, id: string, selection = '__typename'): Promise<CreatedWebhook> => {
    const query = `mutation ($id: ID!) { ${name}(input: { id: $id }) { ${selection} } }`;
    return (await world.owner.graphql<Record<string, CreatedWebhook>>(query, { id }))[name] as CreatedWebhook;
  };
  const replace = async (id: string) =>
    (await act('replaceWebhookSecret', id, '... on ReplaceWebhookSecretPayload { secret }')).secret;
  /** Which of the secrets have signed the next event, and the number of its signatures. */
  const signers = async (isDisabled: boolean, ...secrets: string[]) => {
    receiver.received.length = 0;
    await disable(isDisabled);
    await app.runJobs();
    const [request] = receiver.received;
    if (request === undefined) throw new Error('no request');
    const count = String(request.headers['webhook-signature']).split(' ').length;
    return [count, ...secrets.map((secret) => isSigned(request, secret))];
  };
  const until = async (id: string) => {
    const query = 'query ($id: ID!) { node(id: $id) { ... on Webhook { previousSecretUntil } } }';
    const { node } = await world.owner.graphql<{ node: { previousSecretUntil: string | null } }>(query, { id });
    return node.previousSecretUntil;
  };

  it('signs together with its successor for a day, or until its end', async () => {
    const made = await create(world.owner, ofAddon());
    const { id } = made.webhook;
    expect(await until(id)).toBeNull();
    const second = await replace(id);
    expect(Date.parse((await until(id)) ?? '') - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    expect(await signers(true, made.secret, second)).toEqual([2, true, true]);
    const third = await replace(id);
    expect(await signers(false, made.secret, second, third)).toEqual([2, false, true, true]);
    await act('endPreviousWebhookSecret', id);
    await act('endPreviousWebhookSecret', id);
    expect(await until(id)).toBeNull();
    expect(await signers(true, second, third)).toEqual([1, false, true]);
    const fourth = await replace(id);
    await app.sql(`UPDATE webhook SET previous_until = now() - interval '1 s'`);
    expect(await until(id)).toBeNull();
    expect(await signers(false, third, fourth)).toEqual([1, false, true]);
    await reconcile();
    expect(await app.sql('SELECT sealed_previous AS sealed FROM webhook')).toEqual([{ sealed: null }]);
    expect(
      await app.sql(
        `SELECT action, count(*)::int FROM activity WHERE action LIKE 'webhook-secret%' GROUP BY 1 ORDER BY 1`,
      ),
    ).toEqual([
      { action: 'webhook-secret-ended', count: 1 },
      { action: 'webhook-secret-replaced', count: 3 },
    ]);
  });
});

describe('the commands', () => {
  const run = (...words: string[]) => addons(['webhooks', ...words], { DATABASE_URL: app.config.DATABASE_URL ?? '' });
  const json = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('list webhooks and deliveries, replay and switch off, with entries of the audit log and a mail', async () => {
    await create(world.owner, ofAddon());
    receiver.respond = (response) => response.writeHead(503).end();
    await disable(true);
    await app.runJobs();
    await disable(false);
    const own = await run('list', '--addon', 'hooked', '--json');
    const [webhook] = json(own.stdout);
    expect([json(own.stdout).length, own.stdout]).toEqual([1, expect.not.stringMatching(/secret|sealed/)]);
    const deliveries = await run('deliveries', String(webhook?.id), '--json');
    const [waits, failing] = json(deliveries.stdout);
    expect(waits).toMatchObject({ event: 'addon.enabled', lastError: null });
    expect(failing).toMatchObject({ event: 'addon.disabled', lastError: { code: 'webhook.refused' } });
    receiver.respond = (response) => response.writeHead(204).end();
    const [replayed, off] = [await run('replay', String(failing?.id)), await run('disable', String(webhook?.id))];
    expect([replayed.stdout, off.stdout]).toEqual([
      `Delivery ${failing?.id} is due now.\n`,
      `Webhook ${webhook?.id} is off.\n`,
    ]);
    expect(
      await app.sql(
        `SELECT action, details->>'webhookId' AS id FROM audit_entry
          WHERE actor = 'command line' AND action LIKE 'webhook%' ORDER BY id`,
      ),
    ).toEqual(['webhook-replayed', 'webhook-changed'].map((action) => ({ action, id: String(webhook?.id) })));
    expect(await app.sql(`SELECT subject, text FROM outgoing_mail WHERE cause LIKE 'addon-webhook%'`)).toEqual([
      expect.objectContaining({ text: expect.stringContaining(`switched off the webhook ${receiver.url}/hook`) }),
    ]);
    await app.runJobs();
  });

  it('refuse what does not exist with one line', async () => {
    expect(await run('replay', '999999999')).toEqual({
      ...{ code: 1, stdout: '', stderr: 'addons: There is no delivery 999999999.\n' },
    });
  });
});
