/*
 * Traces for OpenTelemetry, if OTEL_EXPORTER_OTLP_ENDPOINT is set: a span for each request, GraphQL operation, statement and job. The
 * libraries that record and send them are loaded only then. Attributes follow the semantic conventions of OpenTelemetry; they contain
 * no parameters of requests or statements.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  context,
  propagation,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { config } from '../config.ts';
import { ServiceError } from '../errors.ts';
import { log } from './log.ts';

/** How long the end of a process waits for a collector. */
const LAST_SPANS_MS = 2_000;

let tracer: Tracer | null = null;

/** Whether this process records spans. */
export const isTraced = (): boolean => tracer !== null;

/**
 * Records spans from now on, as `service.name` if OTEL_SERVICE_NAME is not set. Returns the function that sends those that are left.
 * Spans that the collector does not take in time are lost; nothing waits for them.
 */
export async function startTracing(serviceName: string): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = config;
  if (endpoint === undefined) return async () => {};
  const [hooks, core, exporter, resources, sdk] = await Promise.all([
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ]);
  const fromEnvironment = resources.detectResources({ detectors: [resources.envDetector, resources.hostDetector] });
  const provider = new sdk.TracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid }))
      .merge(fromEnvironment),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    // The exporter reads the other OTEL_EXPORTER_OTLP_… variables itself.
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter: new exporter.OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) }),
    ],
  });
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  tracer = provider.getTracer('addons');
  return async () => {
    tracer = null;
    const sent = provider.shutdown().catch((error) => log.debug({ err: error }, 'Spans were not sent.'));
    await Promise.race([sent, sleep(LAST_SPANS_MS, undefined, { ref: false })]);
    context.disable();
    propagation.disable();
  };
}

/** Runs `work` in a new span, which ends with it. Without tracing, only runs it. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
  parent: Context = context.active(),
): Promise<Result> {
  if (tracer === null) return work();
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      markFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Starts a span that the caller ends; null without tracing. */
export const startSpan = (name: string, options: SpanOptions, parent: Context = context.active()): Span | null =>
  tracer?.startSpan(name, options, parent) ?? null;

/** Runs `work` with a span as the parent of those that it starts. */
export const withParent = <Result>(span: Span, work: () => Result): Result =>
  context.with(trace.setSpan(context.active(), span), work);

/** A refusal is a result, and not a failure of the service. */
export function markFailed(span: Span, error: unknown): void {
  const { code, name } = error as { code?: unknown; name?: unknown };
  span.setAttribute('error.type', String(code ?? name ?? 'unknown'));
  if (!(error instanceof ServiceError)) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The current span as a `traceparent`, as in W3C Trace Context; undefined without one. */
export function currentTraceparent(): string | undefined {
  if (tracer === null) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** The context that a `traceparent` names. */
export const contextOf = (traceparent: string | undefined): Context =>
  tracer === null || traceparent === undefined
    ? context.active()
    : propagation.extract(context.active(), { traceparent });
