import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { type Client, encodeForm, exchange, type FormParts, type Reply } from '../support/client.ts';
import { xpi } from '../support/packages.ts';

const LIMIT = 1024 * 1024;
const BOUNDARY = 'a-boundary';
const SUBMIT = `mutation($input: SubmitVersionInput!) { submitVersion(input: $input) { __typename
  ... on UserError { code message } ... on SubmitVersionPayload { isNewAddon upload { stage version channel } } } }`;

const app = setUpApp();
let server: Server;
let url: string;
let developer: Client;

beforeAll(async () => {
  developer = await app.developer();
  const { createGraphqlHandler } = await import('../../src/execution/server.ts');
  const handle = createGraphqlHandler({ uploadLimitBytes: LIMIT });
  server = createServer((request, response) => {
    void handle(request, response, { ip: '127.0.0.1', requestId: 'an-upload' });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
});

const staging = () => readdir(join(app.config.DATA_DIR, 'blobs/staging')).catch(() => []);
afterEach(async () => {
  await expect.poll(staging).toEqual([]);
});

let serial = 0;
const input = (guid = `graphql-upload-${++serial}@example`, version = '1.0') => ({ guid, version, file: null });
const operations = (values: object, query = SUBMIT) => JSON.stringify({ query, variables: { input: values } });
const MAP = '{"file":["variables.input.file"]}';

function send(
  form: FormParts,
  { as = developer, headers = {} }: { as?: Client; headers?: Record<string, string> } = {},
) {
  const type = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, 'X-GraphQL-Yoga-CSRF': '1' };
  return exchange(url, 'POST', '/graphql', { ...type, ...as.authorization(), ...headers }, encodeForm(form, BOUNDARY));
}

const outcome = ({ json }: Reply) => (json as { data: { submitVersion: unknown } }).data.submitVersion;

describe('a file in a GraphQL request', () => {
  it('is uploaded', async () => {
    const values = input();
    const reply = await send({ operations: operations(values), map: MAP, file: await xpi({ guid: values.guid }) });
    expect(outcome(reply)).toEqual({
      __typename: 'SubmitVersionPayload',
      isNewAddon: true,
      upload: { stage: 'RECEIVED', version: '1.0', channel: 'UNLISTED' },
    });
  });

  it('is uploaded by a client that waits for 100 Continue', async () => {
    const values = input();
    const file = await xpi({ guid: values.guid });
    const body = encodeForm({ operations: operations(values), map: MAP, file }, BOUNDARY);
    const request = httpRequest(`${app.url}/graphql`, {
      method: 'POST',
      headers: {
        ...developer.authorization(),
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        'Content-Length': body.length,
        'X-GraphQL-Yoga-CSRF': '1',
        Expect: '100-continue',
      },
    });
    request.flushHeaders();
    await once(request, 'continue');
    request.end(body);
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(200);
    response.resume();
  });

  it('is accepted at the size limit', async () => {
    const reply = await send({ operations: operations(input()), map: MAP, file: Buffer.alloc(LIMIT, 'x') });
    expect(outcome(reply)).toMatchObject({ __typename: 'PackageError' });
  });

  it.each([1, 4096, 600_000])('is refused %d bytes above the limit', async (excess) => {
    const reply = await send({ operations: operations(input()), map: MAP, file: Buffer.alloc(LIMIT + excess, 'x') });
    expect(outcome(reply)).toEqual({
      __typename: 'InvalidInputError',
      code: 'BAD_USER_INPUT',
      message: 'File exceeds the upload limit of 1 MB.',
    });
  });

  it('is refused without reading it when the request is far above the limit', async () => {
    const reply = await send({ operations: operations(input()), map: MAP, file: Buffer.alloc(LIMIT * 4) });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('File exceeds the upload limit of 1 MB.');
  });

  it('is not read for anonymous callers', async () => {
    const form = { operations: operations(input()), map: MAP, file: Buffer.alloc(LIMIT) };
    const reply = await send(form, { as: app.anonymous });
    expect(reply.status).toBe(401);
    expect(reply.json).toMatchObject({ errors: [{ extensions: { code: 'NOT_AUTHENTICATED' } }] });
  });

  it('does not delay the response when the mutation fails before reading it', async () => {
    const values = input();
    await send({ operations: operations(values), map: MAP, file: await xpi({ guid: values.guid }) });
    const stranger = await app.developer();
    const form = { operations: operations({ ...values, version: '2.0' }), map: MAP, file: Buffer.alloc(LIMIT) };
    expect(outcome(await send(form, { as: stranger }))).toMatchObject({ __typename: 'NotPermittedError' });
    const unknown = await send({ operations: operations(input(), '{ nothing }'), map: MAP, file: Buffer.alloc(LIMIT) });
    expect(unknown.text).toContain('Cannot query field');
  });

  it('can be used by one variable only', async () => {
    const values = input();
    const twice = `mutation($a: SubmitVersionInput!, $b: SubmitVersionInput!) {
      a: submitVersion(input: $a) { ... on UserError { message } } b: submitVersion(input: $b) { ... on UserError { message } } }`;
    const variables = { a: values, b: input() };
    const map = '{"file":["variables.a.file","variables.b.file"]}';
    const file = await xpi({ guid: values.guid });
    const reply = await send({ operations: JSON.stringify({ query: twice, variables }), map, file });
    expect(reply.json).toEqual({
      data: {
        a: {},
        b: { message: 'Malformed multipart request: two values use the same file. Send one request for each.' },
      },
    });
  });

  it('is refused for a variable of another type', async () => {
    const query = 'query($ref: String!) { addon(by: { slug: $ref }) { id } }';
    const form = { operations: JSON.stringify({ query, variables: { ref: null } }), map: '{"file":["variables.ref"]}' };
    const reply = await send({ ...form, file: Buffer.from('x') });
    expect(reply.text).toContain('String cannot represent a non string value');
  });

  it('is refused as text', async () => {
    const reply = await developer.graphqlResult(SUBMIT, { input: { ...input(), file: 'text' } });
    expect(reply.errors?.[0]?.message).toMatch(/A file is sent as a part of a multipart request/);
  });
});

describe('a malformed multipart request', () => {
  const file = Buffer.from('x');
  it.each<[string, FormParts, string]>([
    ['without a map', { operations: operations({}), file }, 'the parts are in the wrong order'],
    [
      'with the file before the map',
      { operations: operations({}), file, map: MAP },
      'the parts are in the wrong order',
    ],
    [
      'with the map before the operations',
      { map: MAP, operations: operations({}), file },
      'the parts are in the wrong order',
    ],
    ['without operations', { file }, 'the parts are in the wrong order'],
    ['without anything', {}, 'the field \\"operations\\" is missing'],
    ['with operations that are not JSON', { operations: '{', map: MAP, file }, 'is not JSON'],
    ['with operations that are a number', { operations: '1', map: MAP, file }, 'is not a JSON object'],
    ['with a batch', { operations: `[${operations({})}]`, map: '{}', file }, 'is no single GraphQL operation'],
    ['without a query', { operations: '{}', map: '{}' }, 'is no single GraphQL operation'],
    ['with a map that is a list', { operations: operations({}), map: '[]', file }, 'is not a JSON object'],
    ['with a map of numbers', { operations: operations({}), map: '{"file":[1]}', file }, 'is not a list of paths'],
    [
      'with a path to nowhere',
      { operations: operations({}), map: '{"file":["variables.a.b.c"]}', file },
      'leads to nothing',
    ],
    [
      'with a path into the prototype',
      { operations: operations({}), map: '{"file":["__proto__.polluted"]}', file },
      'leads to nothing',
    ],
    [
      'with a path into the constructor',
      { operations: operations({}), map: '{"file":["constructor.prototype.x"]}', file },
      'leads to nothing',
    ],
    [
      'with two files',
      { operations: operations({}), map: '{"a":["variables.input.file"],"b":["variables.x"]}', a: file, b: file },
      'more than one file',
    ],
    [
      'with a field above its size limit',
      { operations: operations({ guid: 'x'.repeat(300_000) }), map: MAP, file },
      'is longer than',
    ],
    [
      'with a file in place of the query',
      { operations: operations({}), map: '{"file":["query"]}', file },
      'is no single GraphQL operation',
    ],
  ])('is refused %s', async (_what, form, message) => {
    const reply = await send(form);
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    expect(reply.text).toContain(message);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('names the missing file', async () => {
    const reply = await send({ operations: operations(input()), map: MAP });
    expect(outcome(reply)).toMatchObject({
      __typename: 'InvalidInputError',
      message: 'Malformed multipart request: the file is missing. Send it in the part that "map" names.',
    });
  });

  it('is refused without a boundary', async () => {
    const reply = await send({}, { headers: { 'Content-Type': 'multipart/form-data' } });
    expect(reply.status).toBe(400);
  });

  it('is refused if it ends within the file', async () => {
    const whole = encodeForm({ operations: operations(input()), map: MAP, file: Buffer.alloc(10_000) }, BOUNDARY);
    const headers = {
      ...developer.authorization(),
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      'X-GraphQL-Yoga-CSRF': '1',
    };
    const reply = await exchange(url, 'POST', '/graphql', headers, whole.subarray(0, -500));
    expect(outcome(reply)).toMatchObject({
      __typename: 'InvalidInputError',
      message: `Malformed multipart form data: its end is missing, which is --${BOUNDARY}--. Send the request again.`,
    });
  });

  it('leaves nothing in staging if the client disconnects', async () => {
    const whole = encodeForm({ operations: operations(input()), map: MAP, file: Buffer.alloc(500_000) }, BOUNDARY);
    const request = httpRequest(`${url}/graphql`, {
      method: 'POST',
      headers: {
        ...developer.authorization(),
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        'Content-Length': whole.length,
        'X-GraphQL-Yoga-CSRF': '1',
      },
    });
    request.on('error', () => {});
    request.write(whole.subarray(0, 250_000));
    await expect.poll(async () => (await staging()).length).toBe(1);
    request.destroy();
    await expect.poll(staging).toEqual([]);
    expect((await app.anonymous.graphql('{ __typename }')).__typename).toBe('Query');
  });
});
