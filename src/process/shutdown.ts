import { config } from '../config.ts';
import { log } from '../infra/log.ts';

/** Signals within this time are duplicates: terminal and npm both forward one Ctrl-C. */
const ECHO_MS = 500;
const PARENT_LOOK_MS = 500;
/** Maximum duration of a graceful shutdown; requests get half of it. */
const LONGEST_STOP_MS = 60_000;

/** Cause of a stop after an unhandled rejection: the process must not continue in an unknown state. */
export const UNHANDLED_ERROR = 'an unhandled error';

/**
 * How a process notices that its parent ends. `channel`: the IPC channel closes; only the parent handles Ctrl-C. `parent`: its
 * parent id changes.
 */
export type ParentLink = 'channel' | 'parent';

/**
 * Resolves with the cause when this process must stop: SIGTERM, SIGINT, the end of its parent, or an unhandled rejection, after
 * which the status is 1. A second signal after that ends the process at once, with status 0: the next start continues the work.
 */
export function waitForStop(link?: ParentLink): Promise<string> {
  const stopCause = Promise.withResolvers<string>();
  void stopCause.promise.then(() =>
    setTimeout(() => process.exit(1), LONGEST_STOP_MS + config.SHUTDOWN_DELAY * 1_000).unref(),
  );
  const { resolve } = stopCause;
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
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'An error was not handled; the process stops.');
    process.exitCode = 1;
    resolve(UNHANDLED_ERROR);
  });
  // Ctrl-C reaches the whole process group; a child waits for its parent.
  process.on('SIGINT', link === 'channel' ? () => {} : onSignal);
  if (link === 'channel') onDisconnect(() => resolve('the end of its parent'));
  if (link === 'parent') onParentEnd(() => resolve('the end of its parent'));
  return stopCause.promise;
}

function onDisconnect(end: () => void): void {
  process.on('disconnect', end);
  // The channel may be closed already.
  if (!process.connected) end();
}

/** When a parent ends, the process gets another parent id. */
function onParentEnd(end: () => void): void {
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
