import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { childEnvironment } from '../../src/config.ts';
import { percentile } from '../measure.ts';
import type { LoadGenerator } from '../send-load.ts';
import type { Work } from './requests.ts';
import type { Burst, Server, Site } from './site.ts';
import type { WriteRates } from './writes.ts';

/** The measurements of each round, in this order, so that compared ones run at about the same time. */
const PLAN: readonly (readonly [Work, Server])[] = [
  ['unchanged', 'service'],
  ['detail', 'service'],
  ['overrides', 'service'],
  ['graphql', 'service'],
  ['detail', 'reference'],
  ['list', 'service'],
  ['list', 'reference'],
  ['versions', 'service'],
  ['full-versions', 'service'],
  ['ratings', 'service'],
  ['late-ratings', 'service'],
  ['search', 'service'],
  ['autocomplete', 'service'],
];

/** The measurements under writes. */
const PLAN_UNDER_WRITES: readonly (readonly [Work, Server])[] = [
  ['detail', 'service'],
  ['detail', 'reference'],
  ['list', 'service'],
  ['list', 'reference'],
];

/** Medians of all rounds, by work and server. */
export type Medians = (work: Work, server?: Server) => Burst;

/** Medians of one site: idle, and under writes with the rates that the writes reached. */
export interface Measured {
  idle: Medians;
  underWrites: Medians;
  writes: WriteRates;
}

const median = (values: number[]): number => percentile(values, 0.5);

/**
 * Measures all sites in turns: every kind of work on every server, then all of it again in each round, so that changes in the
 * speed of the machine affect all of them alike. The same under writes, one site at a time.
 */
export async function measureInTurns(
  sites: readonly Site[],
  generator: LoadGenerator,
  { rounds, seconds, isWanted }: { rounds: number; seconds: number; isWanted(part: string): boolean },
): Promise<Map<Site, Measured>> {
  const chosen = (plan: typeof PLAN) => plan.filter(([work]) => isWanted(work));
  const idle = await measureRounds(sites, generator, chosen(PLAN), rounds, seconds);
  const measured = new Map<Site, Measured>();
  for (const site of sites) {
    const writing = isWanted('writes') ? await site.writer.start() : null;
    const plan = writing === null ? [] : chosen(PLAN_UNDER_WRITES);
    const underWrites = await measureRounds([site], generator, plan, rounds, seconds);
    const writes = (await writing?.stop()) ?? { edits: Number.NaN, downloads: Number.NaN };
    measured.set(site, { idle: mediansOf(idle, site), underWrites: mediansOf(underWrites, site), writes });
  }
  return measured;
}

type Bursts = Map<Site, Map<string, Burst[]>>;

async function measureRounds(
  sites: readonly Site[],
  generator: LoadGenerator,
  plan: typeof PLAN,
  rounds: number,
  seconds: number,
): Promise<Bursts> {
  const bursts: Bursts = new Map(sites.map((site) => [site, new Map()]));
  // The first round warms up and does not count.
  for (let round = -1; round < rounds; round++) {
    for (const [work, server] of plan) {
      for (const site of sites) {
        const burst = await site.burst(work, server, generator, seconds);
        const key = `${work} ${server}`;
        if (round >= 0) bursts.get(site)?.set(key, [...(bursts.get(site)?.get(key) ?? []), burst]);
      }
    }
  }
  return bursts;
}

function mediansOf(bursts: Bursts, site: Site): Medians {
  return (work, server = 'service') => {
    const all = bursts.get(site)?.get(`${work} ${server}`) ?? [];
    return { perSecond: median(all.map(({ perSecond }) => perSecond)), cost: median(all.map(({ cost }) => cost)) };
  };
}

const COMPARED = 200;

/** @throws {Error} if `/graphql` returns errors, which are fast and have status 200. */
export async function requireGraphqlData({ requests, send }: Site): Promise<void> {
  for (const request of requests.graphql.slice(0, COMPARED)) {
    const body = await send(request);
    const { data, errors } = JSON.parse(body) as { data?: { addon: object | null }; errors?: unknown };
    if (errors !== undefined || data?.addon == null)
      throw new Error(`/graphql returns errors for ${request.body}: ${body}`);
  }
}

/** A value of the service with the keys of the reference's value, which has the documented ones only. */
function documentedPart(ours: unknown, theirs: unknown): unknown {
  if (Array.isArray(ours) && Array.isArray(theirs))
    return ours.map((item, place) => documentedPart(item, theirs[place]));
  if (typeof ours !== 'object' || typeof theirs !== 'object' || ours === null || theirs === null) return ours;
  const documented = Object.entries(ours).filter(([key]) => key in theirs);
  return Object.fromEntries(
    documented.map(([key, value]) => [key, documentedPart(value, theirs[key as keyof object])]),
  );
}

/**
 * Compares the documented keys of the bodies of both servers.
 * @throws {Error} with the position of the first difference.
 */
export async function compareBodies({ requests, read }: Site): Promise<void> {
  const paths = new Set(
    [...requests.detail.slice(0, COMPARED), ...requests.list.slice(0, COMPARED)].map(({ path }) => path),
  );
  for (const path of paths) {
    const [body, theirs] = [await read('service', path), await read('reference', path)];
    if (theirs === body) continue;
    const ours = JSON.stringify(documentedPart(JSON.parse(body), JSON.parse(theirs)));
    if (theirs === ours) continue;
    const place = [...ours].findIndex((letter, index) => theirs[index] !== letter);
    const near = (body: string) => body.slice(Math.max(0, place - 40), place + 40);
    throw new Error(
      `${path}: the reference differs from the service at ${place}: ${near(theirs)} instead of ${near(ours)}`,
    );
  }
}

/** Maximum number of SQL statements of each path. */
export async function countStatements({ settings }: Site, paths: readonly string[]): Promise<number[]> {
  const child = spawn(process.execPath, [`${import.meta.dirname}/statement-counts.ts`], {
    env: childEnvironment({ ...settings, PORT: '0' }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(paths));
  return JSON.parse(await text(child.stdout)) as number[];
}
