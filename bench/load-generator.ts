/*
 * Sends requests repeatedly for some seconds from a separate process: `node bench/load-generator.ts`, with a job as JSON on each
 * line of standard input, and its outcome as JSON on a line of standard output.
 */
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';

/** A load: the requests in turn, repeatedly, each connection from another start. */
export interface Job {
  url: string;
  requests: { method?: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }[];
  connections: number;
  seconds: number;
  /** Ends the load after this number of responses, before `seconds`. */
  amount?: number;
}

export interface Outcome {
  /** Complete responses by status. */
  statuses: Record<string, number>;
  /** Connections that failed or timed out. */
  failures: number;
  /** Duration in s. */
  seconds: number;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { url, requests, connections, seconds, amount } = JSON.parse(line) as Job;
  const shares = Array.from({ length: Math.min(connections, requests.length) }, (_, connection) =>
    requests.filter((_request, index) => index % connections === connection),
  );
  const result = await autocannon({
    url,
    requests: requests.slice(0, 1),
    // Without an offset, all connections send the same request at the same time.
    setupClient: (client) => client.setRequests(shares.pop() ?? requests),
    connections,
    duration: seconds,
    // A load with an amount ends at the end of a sample, by default of a second.
    ...(amount !== undefined && { amount, sampleInt: 20 }),
    timeout: 30,
  });
  const statuses = Object.fromEntries(
    Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, Number(count)]),
  );
  const outcome: Outcome = {
    statuses,
    failures: result.errors + result.timeouts,
    seconds: (result.finish.getTime() - result.start.getTime()) / 1000,
  };
  console.log(JSON.stringify(outcome));
}
