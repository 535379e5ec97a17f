/*
 * The update checks that are sent, as browsers write them.
 */
import { Agent, request as httpRequest } from 'node:http';
import { drawByRank } from '../draw.ts';
import type { Job } from '../load-generator.ts';
import { randomFor } from '../world/random.ts';
import { idOf } from './fill.ts';

type Request = Job['requests'][number];

const DESKTOP = '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}';
/** `updateType` of a check that a person starts, and of a daily one, which counts. */
const TYPES = { uncounted: 97, counted: 112 } as const;

/** The path of a check. */
export function pathOf(id: string, kind: keyof typeof TYPES = 'uncounted', appVersion = '153.7'): string {
  const query = new URLSearchParams({
    reqVersion: '2',
    id,
    version: '1.0',
    maxAppVersion: 'null',
    status: 'userEnabled',
    appID: DESKTOP,
    appVersion,
    appOS: 'Linux',
    appABI: 'x86_64-gcc3',
    locale: 'en-US',
    currentAppVersion: appVersion,
    updateType: String(TYPES[kind]),
    compatMode: 'normal',
  });
  return `/update/?${query}`;
}

/** Numbers of add-ons, drawn by Zipf's law from all of them. */
export function drawnNumbers(addons: number, drawn: number): number[] {
  const numbers = Array.from({ length: addons }, (_, index) => index + 1);
  return drawByRank(numbers, drawn, randomFor('updates', 4).share);
}

/** Another address for each sender, so that the limit of a sender does not apply. */
export const senderOf = (index: number): string => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

/** Checks for popular add-ons, each from another address. */
export function popularChecks(addons: number, drawn: number, kind: keyof typeof TYPES): Request[] {
  return drawnNumbers(addons, drawn).map((number, index) => ({
    path: pathOf(idOf(number), kind),
    headers: { 'x-forwarded-for': senderOf(index) },
  }));
}

/** Sends requests at a constant rate for some seconds, however long they take. Returns the milliseconds of each. */
export async function sendPaced(
  url: string,
  perSecond: number,
  seconds: number,
  path: (index: number) => string,
): Promise<number[]> {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const started = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(((performance.now() - started) / 1000) * perSecond, perSecond * seconds);
      while (pending.length < due) pending.push(send(url + path(pending.length), times));
      if (pending.length < perSecond * seconds) return;
      clearInterval(timer);
      resolve();
    }, 2);
  });
  await Promise.all(pending);
  return times;
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 });

async function send(address: string, times: number[]): Promise<void> {
  const started = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  httpRequest(address, { agent }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`${address}: ${response.statusCode}`));
    response.resume().once('end', resolve).once('error', reject);
  })
    .once('error', reject)
    .end();
  await promise;
  times.push(performance.now() - started);
}
