/*
 * The number of SQL statements of requests: `node bench/catalogue/statement-counts.ts`, with the database in DATABASE_URL and a JSON
 * list of paths on standard input. Requests each path in this process once to warm up and once to count, and prints the counts
 * as JSON.
 */
import { text } from 'node:stream/consumers';
import { createApp } from '../../src/app.ts';
import { startWebServer } from '../../src/http/listener.ts';
import { closeDatabase } from '../../src/infra/db.ts';
import { statementsDuring } from '../../test/support/statements.ts';

const paths = JSON.parse(await text(process.stdin)) as string[];
const server = await startWebServer(createApp);
const counts: number[] = [];
for (const path of paths) {
  const send = async () => {
    const response = await fetch(server.url + path);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
  };
  const cold = await statementsDuring(send);
  const warm = await statementsDuring(send);
  counts.push(Math.max(cold.length, warm.length));
}
console.log(JSON.stringify(counts));
await server.stop();
await closeDatabase();
