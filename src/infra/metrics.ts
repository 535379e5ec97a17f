/*
 * What this process counts and measures, for Prometheus. Values of labels come from the code, never from requests or the catalogue, so
 * that their number does not grow with either.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { config } from '../config.ts';
import { log } from './log.ts';

const registry = new Registry();

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const histogram = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
  new Histogram({ name: `addons_${name}_seconds`, help, labelNames, buckets: BUCKETS, registers: [registry] });

const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
  new Counter({ name: `addons_${name}_total`, help, labelNames, registers: [registry] });

/** Whether this process offers metrics; what costs time in the path of a request is measured only then. */
export const isMeasured = (): boolean => config.METRICS_PORT !== undefined;

export const requestSeconds = histogram('request', 'Requests, by the template of their address.', [
  'route',
  'method',
  'status',
]);
export const operationSeconds = histogram(
  'operation',
  'GraphQL operations. Those of the program have their names; those of clients are "client".',
  ['operation'],
);
export const jobSeconds = histogram('job', 'Attempts of jobs.', ['task', 'result']);
export const updateChecks = counter('update_checks', 'Update checks, by where the response came from.', ['source']);
const cacheReads = counter('cache_reads', 'Reads of caches in memory.', ['cache', 'result']);

/** Reads of one cache. */
export function countReads(cache: string): (isHit: boolean) => void {
  const [hits, misses] = [cacheReads.labels(cache, 'hit'), cacheReads.labels(cache, 'miss')];
  return (isHit) => (isHit ? hits : misses).inc();
}

/** A scrape must not wait for connections of the database, because it reports that none is free. */
const READ_MS = 1_000;

async function tooLate(): Promise<never> {
  await sleep(READ_MS, undefined, { ref: false });
  throw new Error(`not read within ${READ_MS} ms`);
}

/** A value, by the values of its labels. */
export type MeasuredValues = readonly (readonly [labels: Record<string, string>, value: number])[];

/**
 * Adds a gauge whose values are read for each scrape. A value that cannot be read in time is left out of that scrape, for which alerts exist.
 */
export function addGauge(
  name: string,
  help: string,
  read: () => MeasuredValues | Promise<MeasuredValues>,
  labels: string[] = [],
) {
  return new Gauge({
    name: `addons_${name}`,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      this.reset();
      // A gauge without labels starts at 0 after a reset.
      if (labels.length === 0) this.remove();
      try {
        for (const [of, value] of await Promise.race([read(), tooLate()])) this.set(of, value);
      } catch (error) {
        log.debug({ err: error, metric: name }, 'A metric could not be read.');
      }
    },
  });
}

/** Measures what Node.js reports of this process: memory, event loop, garbage collection, handles. */
export const measureProcess = (): void => collectDefaultMetrics({ register: registry });

export const metricsType = registry.contentType;

/** All metrics in the text format of Prometheus. */
export const printMetrics = (): Promise<string> => registry.metrics();
