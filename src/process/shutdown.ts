import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { config } from '../config.ts';
import { log } from '../infra/log.ts';
import { onParentEnd } from './parent.ts';

/** Signals within this time are duplicates: terminal and npm both forward one Ctrl-C. */
const ECHO_MS = 500;
/** Maximum duration of a graceful shutdown; requests get half of it. */
const LONGEST_STOP_MS = 60_000;

/** Cause of a stop after an unhandled rejection: the process must not continue in an unknown state. */
export const UNHANDLED_ERROR = 'an unhandled error';

/**
 * Resolves with the cause when this process must stop: SIGTERM, SIGINT, the end of its terminal or of its parent, or an unhandled rejection, after
 * which the status is 1. A second signal after that ends the process at once, with status 0: the next start continues the work.
 * A supervised process stops when its IPC channel closes, and leaves Ctrl-C to its parent.
 */
export function waitForStop(isSupervised = false): Promise<string> {
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
  // A SIGHUP of an operator is that of process/reload.ts.
  process.on('SIGHUP', (signal) => isTerminalLost() && onSignal(signal));
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'An error was not handled; the process stops.');
    process.exitCode = 1;
    resolve(UNHANDLED_ERROR);
  });
  // Ctrl-C reaches the whole process group; a child waits for its parent.
  process.on('SIGINT', isSupervised ? () => {} : onSignal);
  const endWithParent = (): void => resolve('the end of its parent');
  if (isSupervised) onDisconnect(endWithParent);
  onParentEnd(endWithParent);
  return stopCause.promise;
}

const hasTerminal = isatty(0) || isatty(1);

/** Whether this process was started in a terminal that is closed now. */
export function isTerminalLost(): boolean {
  if (!hasTerminal) return false;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return false;
  } catch {
    return true;
  }
}

function onDisconnect(end: () => void): void {
  process.on('disconnect', end);
  // The channel may be closed already.
  if (!process.connected) end();
}

/** Waits for `work`, but no longer than `ms`. Returns whether it ended in time; throws what it throws. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
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
