import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { withinLimit } from './response-limit.ts';

/**
 * Subscribes as the GraphQL specification says (section 6.2.3), but with a separate context for every event: rows and permissions
 * that are cached on a context are valid for one event, not for the whole stream. Each event is bounded like a response.
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
      const result = await execute({ ...args, rootValue: event.value, contextValue });
      return { done: false, value: withinLimit(result) };
    },
    // Ends at once, even while the next event is pending.
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => results,
  };
  return results;
}
