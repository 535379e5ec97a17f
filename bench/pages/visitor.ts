/*
 * A visitor in a process of its own: requests pages one after the other, so that what the bench does with other responses delays none of
 * them. `node bench/pages/visitor.ts`, with the addresses as JSON on the first line of standard input; each line after it begins a turn
 * or ends it, and for the end of a turn its latencies are a line of standard output, in milliseconds.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Visitors of pages, one request at a time. */
export interface Visitor {
  /** The latencies of the requests until `work` has ended. */
  during(work: Promise<unknown>): Promise<number[]>;
  stop(): void;
}

/** Starts a visitor of these addresses, each in its turn. */
export function startVisitor(addresses: readonly string[]): Visitor {
  const child = spawn(process.execPath, [import.meta.filename], { stdio: ['pipe', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (value: unknown) => child.stdin.write(`${JSON.stringify(value)}\n`);
  say(addresses);
  return {
    async during(work) {
      say('begin');
      await work;
      say('end');
      const { value } = await lines.next();
      if (value === undefined) throw new Error('the visitor has ended');
      return JSON.parse(value) as number[];
    },
    stop: () => child.kill(),
  };
}

/** Requests pages until `isOver`. Returns the latencies. */
async function visit(next: () => string, isOver: () => boolean): Promise<number[]> {
  const latencies: number[] = [];
  while (!isOver()) {
    const address = next();
    const started = performance.now();
    const response = await fetch(address, { headers: { accept: 'text/html' } });
    await response.text();
    latencies.push(performance.now() - started);
    if (response.status !== 200) throw new Error(`${address} returned ${response.status}`);
  }
  return latencies;
}

if (import.meta.main) {
  let addresses: string[] | null = null;
  let index = 0;
  let isOver = true;
  createInterface({ input: process.stdin }).on('line', async (line) => {
    if (addresses === null) {
      addresses = JSON.parse(line) as string[];
      return;
    }
    const all = addresses;
    isOver = !isOver;
    if (isOver) return;
    const next = () => all[index++ % all.length] ?? '';
    console.log(JSON.stringify(await visit(next, () => isOver)));
  });
}
