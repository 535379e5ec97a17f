const PARENT_LOOK_MS = 500;

let stop = (): void => process.exit(1);

/**
 * Ends this process when `parent` is no longer its parent: when a parent ends, the process gets another parent id. Commands end at
 * once; processes that called `onParentEnd` stop as they do after a signal.
 */
export function attachTo(parent: number): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_LOOK_MS);
  timer.unref();
}

/** Sets what happens when the parent of an attached process ends. */
export function onParentEnd(end: () => void): void {
  stop = end;
}
