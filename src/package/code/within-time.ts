import { runInNewContext } from 'node:vm';

/** In place of a result: the work was cut by its limit of time. */
export type TooSlow = 'too-slow';

/**
 * What `run` returns; `too-slow` when it takes longer than `timeoutMs`, in which case it is interrupted. Null when it fails, as libraries do
 * for input that nests too deeply. For code without asynchronous parts.
 */
export function withinTime<Result>(timeoutMs: number, run: () => Result): Result | TooSlow | null {
  try {
    return runInNewContext('run()', { run }, { timeout: timeoutMs }) as Result;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'too-slow' : null;
  }
}
