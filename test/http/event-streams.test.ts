import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EventStream, openEventStream } from '../graphql/sse-reader.ts';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';

const LIMIT = 20;
const WATCH = 'subscription($id: ID!) { uploadChanged(id: $id) { stage } }';

const app = setUpApp();
let developer: Client;
const open: EventStream[] = [];

beforeAll(async () => {
  developer = await app.developer();
});

afterAll(async () => {
  for (const stream of open) stream.close();
});

async function watch(pk: string): Promise<{ stream: EventStream; result: unknown }> {
  const stream = await openEventStream(app.url, WATCH, { id: globalId('Upload', pk) });
  return { stream, result: await stream.next() };
}

it('an address has at most 20 event streams of GraphQL and of pages together', async () => {
  const form = { upload: await xpi({ guid: 'watched@example' }) };
  const { pk } = (await developer.put('/api/v4/addons/watched@example/versions/1.0/', form)).json as { pk: string };
  for (let index = 0; index < LIMIT; index++) {
    const { stream, result } = await watch(pk);
    open.push(stream);
    expect(result).toMatchObject({ data: { uploadChanged: { stage: 'RECEIVED' } } });
  }

  expect((await watch(pk)).result).toMatchObject({ errors: [{ extensions: { code: 'THROTTLED' } }] });
  const page = await app.anonymous.get(`/validation/${pk}/events`);
  expect([page.status, page.headers['retry-after']]).toEqual([429, '10']);

  open.pop()?.close();
  await expect
    .poll(async () => {
      const { stream, result } = await watch(pk);
      open.push(stream);
      return result;
    })
    .toMatchObject({ data: { uploadChanged: { stage: 'RECEIVED' } } });
});
