/*
 * The number of SQL statements of a first and of a later update check: `node bench/updates/count-statements.ts`, with the database in
 * DATABASE_URL and the path in CHECKED_PATH. Prints both as JSON.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { startWebServer } from '../../src/http/listener.ts';
import { closeDatabase } from '../../src/infra/db.ts';
import { statementsDuring } from '../../test/support/statements.ts';

/** Time until the process listens for changes; before, it holds no responses. */
const CONNECT_MS = 1_000;

const server = await startWebServer(createApp);
const path = process.env['CHECKED_PATH'] ?? '';
const count = async (address: string): Promise<number> =>
  (await statementsDuring(async () => (await fetch(server.url + address)).text())).length;
await count(path);
await sleep(CONNECT_MS);
const other = path.replace(/compatMode=\w+/, 'compatMode=strict');
console.log(JSON.stringify([await count(other), await count(other)]));
await server.stop();
await closeDatabase();
