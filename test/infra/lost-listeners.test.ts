import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type DroppingServer, startDroppingServer } from '../support/dropping-server.ts';

let server: DroppingServer;
let closeDatabase: typeof import('../../src/infra/db.ts').closeDatabase;

/** An unhandled rejection ends a web process. */
const unhandled: unknown[] = [];
const record = (reason: unknown) => unhandled.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', record);
  server = await startDroppingServer();
  const database = await import('../../src/infra/db.ts');
  ({ closeDatabase } = database);
  database.useDatabase(server.url);
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
  const { ChannelListener } = await import('../../src/infra/channel-listener.ts');
  new ChannelListener('any_channel', { notify: () => {}, restart: () => {} }).start();
  await expect.poll(server.connections).toBeGreaterThan(2);
  expect(unhandled).toEqual([]);
});

it('a watcher of stages may leave before the first connection', async () => {
  const { watchStages } = await import('../../src/infra/version-stages.ts');
  const [left, awaited] = [watchStages({ versionId: 1 }), watchStages({ versionId: 2 })];
  left.close();
  awaited.close();
  await expect(awaited.listening).rejects.toThrow();
  await turn();
  expect(unhandled).toEqual([]);
});
