import { setTimeout } from 'node:timers/promises';
import { serveRequests } from '../../../src/infra/process-pool/serve-requests.ts';

/** What the child does with a request. */
export type Work = 'pid' | 'sleep' | 'work' | 'loop' | 'exit' | 'reject' | 'allocate' | 'garbage' | 'environment';

serveRequests(async (work: Work): Promise<unknown> => {
  if (work === 'sleep') await setTimeout(300);
  if (work === 'work') {
    const start = process.cpuUsage();
    for (let used = 0; used < 100_000; ) {
      const { user, system } = process.cpuUsage(start);
      used = user + system;
    }
  }
  if (work === 'loop') for (;;);
  if (work === 'exit') process.exit(3);
  if (work === 'reject') throw new Error('a canary');
  if (work === 'garbage') for (const message of [null, 5, 'text', { kind: 'reply' }, []]) process.send?.(message);
  if (work === 'environment') return Object.keys(process.env);
  if (work === 'allocate') for (const kept: number[][] = []; ; ) kept.push(Array.from({ length: 1e6 }, Math.random));
  return process.pid;
});
