import { runInNewContext } from 'node:vm';

/**
 * What `run` returns; null when it takes longer than `timeoutMs`, in which case it is interrupted, and when it fails, as libraries do for
 * input that nests too deeply. For code without asynchronous parts.
 */
export function withinTime<Result>(timeoutMs: number, run: () => Result): Result | null {
  try {
    return runInNewContext('run()', { run }, { timeout: timeoutMs }) as Result;
  } catch {
    return null;
  }
}
