import { mean, percentile } from '../measure.ts';
import type { Row } from '../report.ts';
import { type Bench, type Signed, uploadAndWait } from './bench-client.ts';
import { ordinaryPackage } from './packages.ts';

const WARM_UP = 12;
const UPLOADS = 150;
/** The worker's default number of concurrent linters. */
const VALIDATORS = 2;
const MANY_UPLOADS = 8;

/**
 * From the upload of an ordinary unlisted add-on to its signed file, over HTTP with a web server and a worker. First with as many
 * concurrent uploads as validators, so that none waits for a validator; then with four times as many, to measure the maximum rate.
 */
export async function measureUploadToSigned(bench: Bench): Promise<Row[]> {
  await uploadMany(bench, 'warm', WARM_UP, VALIDATORS);
  const paced = await uploadMany(bench, 'paced', UPLOADS, VALIDATORS);
  const saturated = await uploadMany(bench, 'many', UPLOADS, MANY_UPLOADS);
  const ours = paced.signed.map(({ totalMs, linterMs }) => totalMs - linterMs);
  const linter = paced.signed.map(({ linterMs }) => linterMs);
  const total = paced.signed.map(({ totalMs }) => totalMs);
  return [
    { what: 'Upload to signed, without the linter: p50', value: percentile(ours, 0.5), unit: 'ms', goal: { max: 150 } },
    {
      what: 'Upload to signed, without the linter: p99',
      value: percentile(ours, 0.99),
      unit: 'ms',
      goal: { max: 600 },
    },
    { what: 'Upload to signed, with the linter: p50', value: percentile(total, 0.5), unit: 'ms' },
    { what: 'Upload to signed, with the linter: p99', value: percentile(total, 0.99), unit: 'ms' },
    { what: 'The linter alone: p50', value: percentile(linter, 0.5), unit: 'ms' },
    {
      what: 'Share of the linter in the time from upload to signed',
      value: (100 * mean(linter)) / mean(total),
      unit: '%',
    },
    { what: `Add-ons signed, ${VALIDATORS} concurrent uploads`, value: paced.perSecond, unit: '/s' },
    {
      what: `Add-ons signed, ${MANY_UPLOADS} concurrent uploads: maximum rate`,
      value: saturated.perSecond,
      unit: '/s',
    },
  ];
}

async function uploadMany(
  bench: Bench,
  name: string,
  count: number,
  underWay: number,
): Promise<{ signed: Signed[]; perSecond: number }> {
  const signed: Signed[] = [];
  let next = 0;
  const upload = async (lane: number): Promise<void> => {
    for (let number = next++; number < count; number = next++) {
      const guid = `${name}-${lane}@example.org`;
      const version = `1.${number}`;
      signed.push(await uploadAndWait(bench, guid, version, await ordinaryPackage(guid, version)));
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: underWay }, (_, lane) => upload(lane)));
  return { signed, perSecond: (1000 * count) / (performance.now() - started) };
}
