import { config } from '../config.ts';

/** Signals that arrive this soon after the first one are its echo: a terminal and npm both pass on one Ctrl-C. */
const ECHO_MS = 500;
const PARENT_LOOK_MS = 500;
/** The longest that an orderly end may take: requests get half of it. What hangs then, such as a folder that was removed, is left. */
const LONGEST_STOP_MS = 60_000;

/**
 * What else tells a process to end: `channel`, the end of its channel to the process that forked it, which alone answers a
 * Ctrl-C then; `parent`, the end of the process that started it, however that ended.
 */
export type Bond = 'channel' | 'parent';

/**
 * Resolves with its cause when this process is told to end: SIGTERM, SIGINT or the end of its bond. A second signal after
 * that ends the process at once, with status 0 as nothing is lost by it: whoever starts next goes on.
 */
export function waitForStop(bond?: Bond): Promise<string> {
  const told = Promise.withResolvers<string>();
  void told.promise.then(() =>
    setTimeout(() => process.exit(1), LONGEST_STOP_MS + config.SHUTDOWN_DELAY * 1_000).unref(),
  );
  const { resolve } = told;
  let first: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = performance.now();
      resolve(signal);
    } else if (performance.now() - first > ECHO_MS) {
      process.exit(0);
    }
  };
  process.on('SIGTERM', onSignal);
  // A Ctrl-C reaches the whole group; whoever has a parent to tell it waits for that.
  process.on('SIGINT', bond === 'channel' ? () => {} : onSignal);
  if (bond === 'channel') onDisconnect(() => resolve('the end of its parent'));
  if (bond === 'parent') onParentGone(() => resolve('the end of its parent'));
  return told.promise;
}

function onDisconnect(end: () => void): void {
  process.on('disconnect', end);
  // It may be over already.
  if (!process.connected) end();
}

/** A process whose parent ends is given another one. */
function onParentGone(end: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, PARENT_LOOK_MS);
  timer.unref();
}

/** Waits for `work`, but no longer than `ms`. Returns whether it ended in time; throws what it throws. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, ms, false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a promise is fulfilled by now. Rejects when it is rejected. */
export async function isFulfilled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, pending])) !== pending;
}
