import { z } from 'zod';
import { count, meta, share, url } from './types.ts';

/** What processes report to those who run the service: metrics, traces, slow statements. */
export const monitoringSettings = {
  METRICS_PORT: [
    count(1, 65535).optional(),
    meta(
      'Monitoring',
      'Port of /metrics for Prometheus. Unset: none. Each process needs one of its own; that of WEB_PROCESSES counts up from here, and the worker of `npm start` has the next one.',
    ),
  ],
  METRICS_HOST: [z.string().default('127.0.0.1'), meta('Monitoring', 'Address that METRICS_PORT listens on.')],
  SLOW_STATEMENT_MS: [
    count(0, 1_000_000).default(1_000),
    meta(
      'Monitoring',
      'Duration in milliseconds from which statements of the database are in the log, without their values. 0: none.',
    ),
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    url.optional(),
    meta(
      'Monitoring',
      'Collector of OpenTelemetry that gets traces by OTLP over HTTP, such as http://localhost:4318. Unset: none. OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and OTEL_EXPORTER_OTLP_HEADERS have their usual meaning.',
    ),
  ],
  OTEL_TRACES_SAMPLER_ARG: [
    share.default(1),
    meta(
      'Monitoring',
      'Share of the requests and jobs that are traced, from 0 to 1. A trace that a proxy began is continued as it decided.',
    ),
  ],
} as const;
