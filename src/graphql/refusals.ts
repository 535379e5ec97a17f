import { AsyncLocalStorage } from 'node:async_hooks';

const collecting = new AsyncLocalStorage<Error[]>();

/** Records an error that becomes a member of a mutation's result. Does nothing outside of `collectRefusals`. */
export function noteRefusal(error: Error): void {
  collecting.getStore()?.push(error);
}

/**
 * Runs `work` and returns its result and the errors that became members of results: the thrown objects, with details that no
 * selection contains.
 */
export async function collectRefusals<T>(work: () => Promise<T>): Promise<{ result: T; refusals: Error[] }> {
  const refusals: Error[] = [];
  const result = await collecting.run(refusals, work);
  return { result, refusals };
}
