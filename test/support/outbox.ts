import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { NewMails } from '../../src/domain/mail/queue-mail.ts';
import { startApp, type TestApp } from './app.ts';
import { type LoopbackMailServer, startMailServer } from './mail-server.ts';

/** A mail of the outbox; `seconds` is the time until its next attempt. */
export interface OutboxRow {
  id: number;
  state: string;
  attempts: number;
  last_error: string | null;
  seconds: number;
}

/** A service with a mail server, for one test file. */
export interface Outbox {
  app: TestApp;
  server: LoopbackMailServer;
  /** Queues a mail with defaults, in a separate transaction. */
  queue(mail: Partial<NewMails> & { accountId: number | null }): Promise<boolean>;
  rows(): Promise<OutboxRow[]>;
  /** Runs the worker's scheduled check of the outbox (every three seconds in production), then its jobs. */
  work(): Promise<void>;
}

/** Starts the service and a mail server before the tests of a file, and empties the outbox after each. */
export function useOutbox(): Outbox {
  const outbox = { queue, work } as Outbox;
  beforeAll(async () => {
    outbox.app = await startApp({ settings: { MAIL_DOMAIN: 'addons.example', SITE_NAME: 'Add-ons' } });
    outbox.server = await startMailServer();
    outbox.rows = () =>
      outbox.app.sql<OutboxRow>(`SELECT id, state, attempts, last_error,
        round(extract(epoch FROM next_attempt - now()))::int AS seconds FROM outgoing_mail ORDER BY id`);
  });
  afterAll(async () => {
    await outbox.app.close();
    await outbox.server.close();
  });
  beforeEach(() => {
    outbox.app.config.SMTP_URL = outbox.server.url;
  });
  afterEach(async () => {
    outbox.server.mails.length = 0;
    outbox.server.outcomes.length = 0;
    await outbox.app.sql('DELETE FROM outgoing_mail');
    await outbox.app.sql('DELETE FROM graphile_worker._private_jobs');
  });

  async function queue({ accountId, ...mail }: Parameters<Outbox['queue']>[0]): Promise<boolean> {
    const { queueMails } = await import('../../src/domain/mail/queue-mail.ts');
    const { db } = await import('../../src/infra/db.ts');
    const letter = () => ({ subject: 'Hello', opening: ['First.'], quotedText: null, closing: [] });
    const accountIds = accountId === null ? [] : [accountId];
    const complete: NewMails = { accountIds, notification: 'individual_contact', cause: 'test:1', letter, ...mail };
    return (await db.$transaction((tx) => queueMails(tx, complete))).length > 0;
  }

  async function work(): Promise<void> {
    const { reconcileMails } = await import('../../src/domain/mail/deliver-mails.ts');
    await reconcileMails();
    await outbox.app.runJobs();
  }
  return outbox;
}
