import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { childEnvironment } from '../../../src/config.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { closedPort } from '../../support/mail-server.ts';
import { useOutbox } from '../../support/outbox.ts';

const outbox = useOutbox();
const makeDue = () =>
  outbox.app.sql(`UPDATE outgoing_mail SET next_attempt = now() - interval '1 second' WHERE state = 'queued'`);
let admin: Promise<Client> | undefined;
const administrator = (): Promise<Client> => {
  admin ??= outbox.app.memberWith('Admin:Mail');
  return admin;
};

describe('delivery', () => {
  it('waits without a mail server', async () => {
    delete outbox.app.config.SMTP_URL;
    const { accountId } = await outbox.app.developer();
    await outbox.queue({ accountId });
    await outbox.work();
    expect([await outbox.app.pendingJobs(), await outbox.rows()]).toMatchObject([
      [],
      [{ state: 'queued', attempts: 0 }],
    ]);
    outbox.app.config.SMTP_URL = outbox.server.url;
    await outbox.work();
    expect(await outbox.rows()).toMatchObject([{ state: 'sent' }]);
  });

  it('is repeated with the same Message-ID after a temporary refusal and after a lost connection', async () => {
    const { accountId } = await outbox.app.developer();
    outbox.server.outcomes.push({ at: 'rcpt', status: 450 }, 'drop');
    await outbox.queue({ accountId });
    await outbox.app.runJobs();
    expect(await outbox.rows()).toMatchObject([
      { state: 'queued', attempts: 1, last_error: expect.stringContaining('450'), seconds: 5 },
    ]);
    await outbox.work();
    expect(await outbox.rows()).toMatchObject([{ attempts: 1 }]);
    await makeDue();
    await outbox.work();
    expect(await outbox.rows()).toMatchObject([{ state: 'queued', attempts: 2, seconds: 15 }]);
    await makeDue();
    await outbox.work();
    expect(await outbox.rows()).toMatchObject([{ state: 'sent', attempts: 3, last_error: null }]);
    expect(outbox.server.mails).toHaveLength(1);
  });

  it('ends with a dead letter after a permanent refusal, which an administrator can send again', async () => {
    const { accountId } = await outbox.app.developer();
    outbox.server.outcomes.push({ at: 'rcpt', status: 550 });
    await outbox.queue({ accountId });
    await outbox.app.runJobs();
    expect(await outbox.rows()).toMatchObject([
      { state: 'failed', attempts: 1, last_error: expect.stringContaining('550') },
    ]);
    await outbox.work();
    expect(outbox.server.mails).toEqual([]);

    const query = '{ mailOutbox(state: FAILED) { totalCount nodes { id state lastError } } }';
    type Outbox = { mailOutbox: { totalCount: number; nodes: { id: string; lastError: string }[] } };
    const { mailOutbox } = await (await administrator()).graphql<Outbox>(query);
    expect(mailOutbox).toMatchObject({ totalCount: 1, nodes: [{ lastError: expect.stringContaining('550') }] });
    const retry = `mutation ($id: ID!) { retryMail(input: { id: $id }) { __typename
      ... on RetryMailPayload { mail { state attempts } } ... on InvalidInputError { message } } }`;
    const id = mailOutbox.nodes[0]?.id;
    expect(await (await administrator()).graphql(retry, { id })).toEqual({
      retryMail: { __typename: 'RetryMailPayload', mail: { state: 'QUEUED', attempts: 0 } },
    });
    await outbox.app.runJobs();
    expect(outbox.server.mails).toHaveLength(1);
    expect(await (await administrator()).graphql(retry, { id })).toEqual({
      retryMail: { __typename: 'InvalidInputError', message: 'This mail was sent.' },
    });
  });

  it('ends with a dead letter after the last attempt', async () => {
    const { MAX_ATTEMPTS } = await import('../../../src/domain/mail/deliver-mails.ts');
    const { accountId } = await outbox.app.developer();
    await outbox.queue({ accountId });
    await outbox.app.sql('UPDATE outgoing_mail SET attempts = $1', [MAX_ATTEMPTS - 1]);
    outbox.server.outcomes.push({ at: 'data', status: 451 });
    await outbox.work();
    expect(await outbox.rows()).toMatchObject([{ state: 'failed', attempts: MAX_ATTEMPTS }]);
  });

  it('does not try other mails while the server cannot be reached', async () => {
    outbox.app.config.SMTP_URL = `smtp://127.0.0.1:${await closedPort()}`;
    const { accountId } = await outbox.app.developer();
    for (let index = 0; index < 8; index++) await outbox.queue({ accountId, cause: `test:outage:${index}` });
    const { deliverMails } = await import('../../../src/domain/mail/deliver-mails.ts');
    const { log } = await import('../../../src/infra/log.ts');
    await deliverMails({ stopping: new AbortController().signal, log });
    expect((await outbox.rows()).reduce((sum, { attempts }) => sum + attempts, 0)).toBe(4);
  });

  it('ends after some minutes, and the next job continues', async () => {
    const recipients = 20;
    for (let index = 0; index < recipients; index++) {
      await outbox.queue({ accountId: (await outbox.app.developer()).accountId, cause: `test:long:${index}` });
    }
    const { deliverMails } = await import('../../../src/domain/mail/deliver-mails.ts');
    const { log } = await import('../../../src/infra/log.ts');
    let minutes = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++minutes * 60_000);
    await deliverMails({ stopping: new AbortController().signal, log });
    clock.mockRestore();
    const { length } = outbox.server.mails;
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(recipients);
    await outbox.work();
    expect(outbox.server.mails).toHaveLength(recipients);
  });

  it('leaves a mail alone that another worker has claimed, until the claim runs out', async () => {
    const { accountId } = await outbox.app.developer();
    await outbox.queue({ accountId });
    await outbox.app.sql("UPDATE outgoing_mail SET claimed_until = now() + interval '20 seconds'");
    await outbox.app.runJobs();
    await outbox.work();
    expect(outbox.server.mails).toEqual([]);
    await outbox.app.sql("UPDATE outgoing_mail SET claimed_until = now() - interval '1 second'");
    await outbox.work();
    expect(outbox.server.mails).toHaveLength(1);
  });

  it('happens again with the same Message-ID when a worker is killed before the acknowledgement', async () => {
    const { accountId } = await outbox.app.developer();
    await outbox.queue({ accountId });
    outbox.server.outcomes.push('hold');
    const held = outbox.server.nextHeld();
    const script = join(import.meta.dirname, '../../support/deliver-mails-process.ts');
    const { DATABASE_URL, DATA_DIR } = outbox.app.config;
    const settings = {
      DATABASE_URL,
      DATA_DIR,
      SMTP_URL: outbox.server.url,
      MAIL_DOMAIN: 'addons.example',
      LOG_LEVEL: 'silent',
    };
    const worker = spawn(process.execPath, [script], { env: childEnvironment(settings as Record<string, string>) });
    const { headers } = await held;
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    expect(await outbox.rows()).toMatchObject([{ state: 'queued', attempts: 1 }]);
    await outbox.work();
    expect(outbox.server.mails).toEqual([]);
    await outbox.app.sql("UPDATE outgoing_mail SET claimed_until = now() - interval '1 second'");
    await outbox.work();
    expect(await outbox.rows()).toMatchObject([{ state: 'sent', attempts: 2 }]);
    expect(outbox.server.mails.map((mail) => mail.headers.get('message-id'))).toEqual([headers.get('message-id')]);
  });

  it('continues for the mails on their way when another one fails unexpectedly', async () => {
    const { deliverMails } = await import('../../../src/domain/mail/deliver-mails.ts');
    const { log } = await import('../../../src/infra/log.ts');
    const { accountId } = await outbox.app.developer();
    for (const cause of ['test:1', 'test:2']) await outbox.queue({ accountId, cause });
    const [first, second] = await outbox.rows();
    await outbox.app.sql(`
      CREATE SEQUENCE refusals;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM nextval('refusals'); RAISE 'Refused by the test'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON outgoing_mail FOR EACH ROW WHEN (NEW.id = ${second?.id}) EXECUTE FUNCTION refuse()`);
    const events: string[] = [];
    outbox.server.outcomes.push('hold');
    const held = outbox.server.nextHeld();
    const delivery = deliverMails({ stopping: new AbortController().signal, log }).finally(() => events.push('ended'));
    delivery.catch(() => {});
    await held;
    // Another connection fails to claim the second mail.
    while ((await outbox.app.sql('SELECT FROM refusals WHERE is_called')).length === 0);
    events.push('released');
    outbox.server.releaseHeld();
    await expect(delivery).rejects.toThrow('Refused by the test');
    await outbox.app.sql('DROP TRIGGER refuse ON outgoing_mail; DROP FUNCTION refuse; DROP SEQUENCE refusals');
    expect(events).toEqual(['released', 'ended']);
    expect(await outbox.rows()).toMatchObject([
      { id: first?.id, state: 'sent', attempts: 1 },
      { state: 'queued', attempts: 0 },
    ]);
  });

  it('sends other mails before mailings', async () => {
    const { accountId } = await outbox.app.developer();
    await outbox.queue({ accountId, cause: 'test:mailing' });
    await outbox.app.sql('UPDATE outgoing_mail SET is_bulk = true');
    const letter = () => ({ subject: 'Decision', opening: [], quotedText: 'x', closing: [] });
    // One for each connection: the mailing gets a connection after the server has accepted one of them.
    for (const cause of ['test:1', 'test:2', 'test:3', 'test:4']) await outbox.queue({ accountId, cause, letter });
    await outbox.work();
    expect(outbox.server.mails).toHaveLength(5);
    expect(outbox.server.mails[0]?.headers.get('subject')).toEqual(['Decision']);
  });
});

describe('mailOutbox', () => {
  const QUERY = `query ($to: String, $state: MailState) { mailOutbox(to: $to, state: $state) {
    totalCount nodes { databaseId to subject text html notification state attempts lastError sent headers { name value } } } }`;

  it('lists mails with all headers, newest first', async () => {
    const developer = await outbox.app.developer();
    const { accountId } = developer;
    const { versions } = await addon({ authors: [accountId ?? 0] });
    delete outbox.app.config.SMTP_URL;
    await outbox.queue({ accountId, cause: 'test:first' });
    await outbox.queue({
      accountId,
      cause: 'test:second',
      notification: 'reviewer_reviewed',
      versionId: versions[0]?.id ?? 0,
    });
    type Outbox = { mailOutbox: { nodes: { to: string; headers: { name: string; value: string }[] }[] } };
    const { mailOutbox } = await (await administrator()).graphql<Outbox>(QUERY, { state: 'QUEUED' });
    expect(mailOutbox).toMatchObject({
      totalCount: 2,
      nodes: [
        {
          subject: 'Hello',
          notification: 'REVIEWER_REVIEWED',
          state: 'QUEUED',
          attempts: 0,
          lastError: null,
          sent: null,
        },
        { notification: 'INDIVIDUAL_CONTACT', text: 'First.\n' },
      ],
    });
    const [newest, oldest] = mailOutbox.nodes;
    expect(newest?.headers.map(({ name }) => name)).toEqual([
      'To',
      'Subject',
      'Date',
      'From',
      'Message-ID',
      'Auto-Submitted',
      'X-Auto-Response-Suppress',
      'Reply-To',
    ]);
    expect(newest?.headers.at(-1)?.value).toMatch(/^reviewreply\+[0-9a-f]{32}@addons\.example$/);
    expect(oldest?.headers.some(({ name }) => name === 'Reply-To')).toBe(false);
    const upper = newest?.to.toUpperCase();
    expect(await (await administrator()).graphql(QUERY, { to: upper })).toMatchObject({
      mailOutbox: { totalCount: 2 },
    });
    expect(await (await administrator()).graphql(QUERY, { to: 'other@example.org' })).toMatchObject({
      mailOutbox: { totalCount: 0 },
    });
    expect(await (await administrator()).graphql(QUERY, { state: 'SENT' })).toMatchObject({
      mailOutbox: { totalCount: 0 },
    });
    const stored = JSON.stringify(await outbox.app.sql('SELECT * FROM outgoing_mail'));
    expect(stored).not.toContain(newest?.headers.at(-1)?.value.slice(12, 44));
  });

  it('finds nothing for an address that cannot exist', async () => {
    for (const to of ['\0', '\uD800', '%', "' OR 1=1 --", 'x'.repeat(10_000)]) {
      const { errors, data } = await (await administrator()).graphqlResult<{ mailOutbox: { totalCount: number } }>(
        QUERY,
        { to },
      );
      if (errors === undefined) expect(data?.mailOutbox.totalCount).toBe(0);
      else expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
    }
  });

  it('requires Admin:Mail', async () => {
    for (const [client, code] of [
      [outbox.app.anonymous, 'NOT_AUTHENTICATED'],
      [await outbox.app.developer(), 'NOT_PERMITTED'],
    ] as const) {
      const { errors } = await client.graphqlResult(QUERY);
      expect(errors?.[0]?.extensions).toMatchObject({ code });
    }
  });
});
