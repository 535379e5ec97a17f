import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, inject } from 'vitest';
import type { Config } from '../../src/config.ts';
import type { Validator } from '../../src/package/validation/validate-package.ts';
import { Client, type OnReply } from './client.ts';
import { createTestDatabase, type TestDatabase, useTestDatabase } from './database.ts';
import { checkHtml } from './html-check.ts';
import { ignored } from './ignored.ts';
import { checkReply } from './openapi-check.ts';
import { watchDocuments } from './published-documents.ts';

/** A running service with a separate database and data folder. */
export interface TestApp {
  url: string;
  config: Config;
  anonymous: Client;
  /** Each call creates an account with an API key and returns its client. */
  developer(): Promise<Client>;
  reviewer(): Promise<Client>;
  admin(): Promise<Client>;
  /** An account of a group with these rules. */
  memberWith(...rules: string[]): Promise<Client>;
  /** A client for given credentials. */
  client(credentials: Client['credentials']): Client;
  /** Runs jobs until none is runnable. */
  runJobs(): Promise<void>;
  /** Names of the queued jobs. */
  pendingJobs(): Promise<string[]>;
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Starts the service of `startApp` before the tests of a file and closes it after them. */
export function setUpApp(options: Parameters<typeof startApp>[0] = {}): TestApp {
  const app = {} as TestApp;
  beforeAll(async () => {
    Object.assign(app, await startApp(options));
  });
  afterAll(() => app.close());
  return app;
}

/**
 * Starts the whole web process on a free port, with `settings` overriding the defaults. One per test file. Every REST response
 * that its clients receive is checked against the OpenAPI documents, every HTML response by html-validate. After each test, every published document of an add-on is
 * compared with the tables.
 */
export async function startApp({
  settings = {},
  database: given,
}: {
  settings?: Partial<Config>;
  /** A migrated database; by default a new one on the server of the test run. */
  database?: TestDatabase;
} = {}): Promise<TestApp> {
  const database = given ?? (await createTestDatabase());
  const { config } = await import('../../src/config.ts');
  Object.assign(config, settings);
  const { closeDatabase, pool } = await import('../../src/infra/db.ts');
  await useTestDatabase(database);
  const { createApp } = await import('../../src/app.ts');
  const { startWebServer } = await import('../../src/http/listener.ts');
  const { closePermanentPools } = await import('../../src/infra/process-pool/process-pool.ts');
  const server = await startWebServer(createApp);
  const worker = lazyWorker();
  const client = (credentials: Client['credentials'], accountId: number | null = null) =>
    new Client(server.url, checkEvery, credentials, accountId, signIn);
  const memberWith = async (...rules: string[]) => {
    const { accountId, ...credentials } = await makeAccount(rules);
    return client(credentials, accountId);
  };
  const sql: TestApp['sql'] = async (text, values = []) => (await pool.query(text, values)).rows;
  watchDocuments(async (name, text) => (await pool.query({ name, text })).rows);
  return {
    url: server.url,
    config,
    anonymous: client(null),
    developer: () => memberWith(),
    reviewer: () => memberWith('Addons:Review', 'Addons:ThemeReview', 'Addons:ReviewUnlisted'),
    admin: () => memberWith('*:*'),
    memberWith,
    client,
    runJobs: () => worker.run(),
    pendingJobs: async () =>
      (await sql<{ name: string }>('select task_identifier as name from graphile_worker.jobs order by id')).map(
        ({ name }) => name,
      ),
    sql,
    close: async () => {
      watchDocuments(null);
      await server.stop(1_000);
      await closePermanentPools();
      await closeDatabase();
      // The runner of jobs keeps every pool for ever, and with its listeners all modules of this file.
      pool.removeAllListeners();
      // Dropping the database ends connections that are still closing, which is no failure.
      pool.on('error', ignored);
      await database.drop();
    },
  };
}

const checkEvery: OnReply = (exchange) => {
  checkReply(exchange);
  checkHtml(exchange);
};

async function signIn(accountId: number): Promise<string> {
  const { issueAccessToken } = await import('../../src/domain/accounts/issue-credentials.ts');
  const { db } = await import('../../src/infra/db.ts');
  const { id, token } = await db.$transaction((tx) => issueAccessToken(tx, accountId, {}));
  // Lists of sessions show it for a minute only.
  await db.accessToken.update({ where: { id }, data: { expires: new Date(Date.now() + 60_000) } });
  return token;
}

async function makeAccount(rules: readonly string[]): Promise<{ key: string; secret: string; accountId: number }> {
  const { createAccount } = await import('../../src/domain/accounts/administration.ts');
  const { issueApiKey } = await import('../../src/domain/accounts/issue-credentials.ts');
  const { acceptAgreement } = await import('../../src/domain/accounts/manage-keys.ts');
  const { db } = await import('../../src/infra/db.ts');
  const username = `user-${randomBytes(6).toString('hex')}`;
  const { id: accountId } = await createAccount({ username, email: `${username}@example.org` });
  // Below the commands, which send mails about what they do.
  return db.$transaction(async (tx) => {
    const group = { name: `group-${username}`, rules: [...rules], members: { create: { accountId } } };
    if (rules.length > 0) await tx.group.create({ data: group });
    await acceptAgreement(tx, accountId);
    return { accountId, ...(await issueApiKey(tx, accountId, {})) };
  });
}

// The runner of jobs keeps its options for ever, so they must not refer to modules of a test file.
const noLog = () => () => {};

const LOCKED = 'select from graphile_worker.jobs where locked_at is not null limit 1';
const RUNNABLE = `select from graphile_worker.jobs where task_identifier = any($1) and locked_at is null
  and run_at <= now() and attempts < max_attempts limit 1`;

/** A worker whose signer and validator are created with the first job, because they start slowly. */
function lazyWorker(): { run(): Promise<void> } {
  let tools: ReturnType<typeof openTools> | undefined;
  return {
    run: async () => {
      tools ??= openTools();
      const { Logger, runOnce } = await import('graphile-worker');
      const { pool } = await import('../../src/infra/db.ts');
      const { taskList } = await tools;
      const logger = new Logger(noLog);
      do {
        await runOnce({ pgPool: pool, noHandleSignals: true, logger }, taskList);
        // The runner ends before the rows of the last jobs are deleted.
        while ((await pool.query(LOCKED)).rowCount) await setTimeout(10);
        // It may have ended because the queue of the next job was still locked by the previous one.
      } while ((await pool.query(RUNNABLE, [Object.keys(taskList)])).rowCount);
    },
  };
}

async function openTools() {
  const { openSigner } = await import('../../src/domain/signing/open-signer.ts');
  const { createTaskList } = await import('../../src/process/task-list.ts');
  const { createValidator } = await import('../../src/package/validation/validate-package.ts');
  // Jobs run sequentially here, so a second linter would be idle. A start costs as much as 17 packages.
  kept.validator ??= createValidator({ concurrency: 1, runsPerProcess: 10_000, folder: inject('runFolder') });
  const stopping = new AbortController().signal;
  const taskList = createTaskList({
    ...(await openSigner()),
    validator: kept.validator,
    stopping,
    reopenSigner: async () => {},
  });
  return { taskList };
}

/**
 * The validator of all test files of this process: a linter takes seconds of processor time to load. Linters end with the
 * process.
 */
const kept = globalThis as typeof globalThis & { validator?: Validator };
