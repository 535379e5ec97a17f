/** Signals that arrive this soon after the first one are its echo: a terminal and npm both pass on one Ctrl-C. */
const ECHO_MS = 500;

/**
 * Resolves with its cause when this process is told to end: SIGTERM or SIGINT; a supervised one by SIGTERM or the end of
 * its channel to the parent. A second signal after that ends the process at once, with status 0 as nothing is lost by it:
 * whoever starts next goes on.
 */
export function waitForStop(supervised = false): Promise<string> {
  return new Promise((resolve) => {
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
    // A Ctrl-C reaches the whole group; a supervised process is told by its parent.
    process.on('SIGINT', supervised ? () => {} : onSignal);
    if (!supervised) return;
    const onDisconnect = (): void => resolve('the end of its parent');
    process.on('disconnect', onDisconnect);
    // The parent may be gone already.
    if (!process.connected) onDisconnect();
  });
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
