/*
 * A bare `node:http` server for comparison: `node bench/updates/bare-server.ts`, with a JSON object of responses by path in the file
 * that RESPONSES names. It does nothing but look up and send them.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** A prepared response: headers by name, and the body. */
export interface Prepared {
  headers: Record<string, string>;
  body: string;
}

const { RESPONSES = '', PORT = '0' } = process.env;
const responses = new Map(Object.entries(JSON.parse(readFileSync(RESPONSES, 'utf8')) as Record<string, Prepared>));

createServer((request, response) => {
  const prepared = responses.get(request.url ?? '');
  if (prepared === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, prepared.headers);
  response.end(prepared.body);
}).listen(Number(PORT), '127.0.0.1');
