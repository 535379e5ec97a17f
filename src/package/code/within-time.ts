import { runInNewContext } from 'node:vm';

/** What `run` returns; null when it takes longer than `timeoutMs`, in which case it is interrupted. For code without asynchronous parts. */
export function withinTime<Result>(timeoutMs: number, run: () => Result): Result | null {
  try {
    return runInNewContext('run()', { run }, { timeout: timeoutMs }) as Result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  }
}
