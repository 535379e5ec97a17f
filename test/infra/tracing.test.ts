import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { upload } from '../support/signing-steps.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

interface SentBatch {
  resourceSpans: { resource: { attributes: SentSpan['attributes'] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

const app = setUpApp();
let collector: Server;
let end: (() => Promise<void>) | undefined;
const batches: SentBatch[] = [];

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    if (request.url === '/v1/traces') batches.push((await json(request)) as SentBatch);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  app.config.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(() => collector.close());
afterEach(() => end?.());

/** Starts to trace. The function that it returns ends that, and returns the spans that the collector got. */
async function trace(): Promise<() => Promise<SentSpan[]>> {
  const { startTracing } = await import('../../src/infra/tracing.ts');
  end = await startTracing('addons-test');
  batches.length = 0;
  return async () => {
    await end?.();
    return batches.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  };
}

/** A span and those that it is part of, from the outermost. */
function lineOf(span: SentSpan | undefined, spans: readonly SentSpan[]): string[] {
  if (span === undefined) return [];
  return [
    ...lineOf(
      spans.find(({ spanId }) => spanId === span.parentSpanId),
      spans,
    ),
    span.name,
  ];
}

const attribute = (span: SentSpan | undefined, name: string) =>
  Object.values(span?.attributes.find(({ key }) => key === name)?.value ?? {})[0];

describe('traces', () => {
  it('lead from a request to its operation, its statements, and the job that it added', async () => {
    const developer = await app.developer();
    const collected = await trace();
    const guid = 'traced@example.org';
    const reply = await upload(developer, guid);
    await app.runJobs();
    const spans = await collected();
    const request = spans.find(({ kind }) => kind === 2);
    expect(request).toMatchObject({ name: 'PUT /api/v4/addons/:guid/versions/:version/' });
    expect(request?.parentSpanId ?? '').toBe('');
    expect(attribute(request, 'http.response.status_code')).toBe(201);
    expect(attribute(request, 'addons.request_id')).toBe(reply.headers['x-request-id']);
    const lines = new Set(spans.map((span) => lineOf(span, spans).join(' > ')));
    const uploading = 'PUT /api/v4/addons/:guid/versions/:version/ > SubmitVersion';
    expect([...lines]).toContain(`${uploading} > INSERT`);
    expect([...lines].filter((line) => line.includes('validate-version > '))).toContain(
      `${uploading} > validate-version > SELECT`,
    );
  });

  it('contain no values of statements, and continue only what a trusted proxy began', async () => {
    const { slug } = await addon({ status: 'public', slug: 'value-of-a-statement' });
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
    const collected = await trace();
    await app.anonymous.get(`/api/v4/addons/addon/${slug}/`, headers);
    const spans = await collected();
    expect(JSON.stringify(batches)).not.toContain(slug);
    expect(spans.map(({ traceId }) => traceId)).not.toContain(TRACE);
  });

  it('keep requests apart whose statements wait for a connection', async () => {
    const refs: { slug: string }[] = [];
    for (let count = 0; count < 12; count++) refs.push(await addon({ status: 'public' }));
    const collected = await trace();
    await Promise.all(refs.map(({ slug }) => app.anonymous.get(`/addon/${slug}/versions/`)));
    const spans = await collected();
    const traces = Map.groupBy(spans, ({ traceId }) => traceId);
    for (const each of traces.values()) expect(each.filter(({ kind }) => kind === 2)).toHaveLength(1);
    expect([...traces.values()].filter((each) => each.some(({ name }) => name === 'SELECT')).length).toBeGreaterThan(6);
  });

  it('are lost, and nothing else, without a collector', async () => {
    const { port } = collector.address() as AddressInfo;
    app.config.OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:1';
    const collected = await trace();
    expect((await app.anonymous.get('/api/v4/addons/search/')).status).toBe(200);
    expect(await collected()).toEqual([]);
    app.config.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`;
  });
});

describe('slow statements', () => {
  it('are in the log without their values, from the duration of the setting', async () => {
    const { pool } = await import('../../src/infra/db.ts');
    const { log } = await import('../../src/infra/log.ts');
    const lines = vi.spyOn(log, 'warn').mockImplementation(() => {});
    app.config.SLOW_STATEMENT_MS = 100;
    await pool.query('SELECT $1::text AS value,\n  pg_sleep(0.15)', ['secret']);
    await pool.query('SELECT 1');
    app.config.SLOW_STATEMENT_MS = 0;
    await pool.query('SELECT pg_sleep(0.15)');
    expect(lines.mock.calls).toEqual([
      [
        {
          requestId: undefined,
          milliseconds: expect.any(Number),
          statement: 'SELECT $1::text AS value, pg_sleep(0.15)',
        },
        'slow statement',
      ],
    ]);
  });
});
