import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { useTestDatabase } from '../support/database.ts';
import { type DroppingServer, startDroppingServer } from '../support/dropping-server.ts';

let server: DroppingServer;
let closeDatabase: typeof import('../../src/infra/db.ts').closeDatabase;

/** An unhandled rejection ends a web process. */
const unhandled: unknown[] = [];
const record = (reason: unknown) => unhandled.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', record);
  server = await startDroppingServer();
  ({ closeDatabase } = await import('../../src/infra/db.ts'));
  await useTestDatabase(server);
});

beforeEach(() => {
  unhandled.length = 0;
});

afterAll(async () => {
  await closeDatabase();
  server.close();
  process.off('unhandledRejection', record);
});

it('a listener connects again when its connection is lost before the first ping', async () => {
  const { isListening, addSubscriber } = await import('../../src/infra/notifications.ts');
  addSubscriber('service_state', { notify: () => {}, restart: () => {} });
  await expect.poll(server.connections).toBeGreaterThan(2);
  expect(isListening()).toBe(false);
  expect(unhandled).toEqual([]);
});

it('a watcher of stages that leaves before a connection listens waits no longer', async () => {
  const { watchStages } = await import('../../src/infra/version-stages.ts');
  const [left, waiting] = [watchStages({ versionId: 1 }), watchStages({ versionId: 2 })];
  const first = waiting[Symbol.asyncIterator]().next();
  left.close();
  waiting.close();
  expect(await first).toEqual({ done: true, value: undefined });
  expect(await left[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  expect(unhandled).toEqual([]);
});
