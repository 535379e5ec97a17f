import { AsyncLocalStorage } from 'node:async_hooks';

const collecting = new AsyncLocalStorage<Error[]>();

/** Takes note of an error that becomes a member of a mutation's result. Outside of `collectRefusals` that is nothing. */
export function noteRefusal(error: Error): void {
  collecting.getStore()?.push(error);
}

/**
 * Runs `work` and returns its result beside the errors that became members of results meanwhile: the objects that were
 * thrown, with details that no selection asks for.
 */
export async function collectRefusals<T>(work: () => Promise<T>): Promise<{ result: T; refusals: Error[] }> {
  const refusals: Error[] = [];
  const result = await collecting.run(refusals, work);
  return { result, refusals };
}
