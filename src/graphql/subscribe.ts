import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';

/**
 * Subscribes as the GraphQL specification says (section 6.2.3), but gives every event a context of its own: what is kept
 * for one request - loaded rows, permissions looked up - belongs to the moment of one event, not to the whole stream.
 * Returns the results, or the errors of subscribing.
 */
export async function subscribe(
  args: ExecutionArgs,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const events = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in events)) return events;
  const iterator = events[Symbol.asyncIterator]();
  const results: AsyncIterableIterator<ExecutionResult> = {
    async next() {
      const event = await iterator.next();
      if (event.done) return { done: true, value: undefined };
      const contextValue = { ...(args.contextValue as object) };
      return { done: false, value: await execute({ ...args, rootValue: event.value, contextValue }) };
    },
    // At once, even while an event is being waited for.
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => results,
  };
  return results;
}
