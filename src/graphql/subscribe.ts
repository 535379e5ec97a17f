import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute, GraphQLError } from 'graphql';
import { claimEventStream } from '../infra/event-streams.ts';
import type { Context } from './context.ts';
import { withinLimit } from './response-limit.ts';

/** Counts the stream of a subscription, or returns the refusal. */
function claimed({ contextValue }: ExecutionArgs): { release: () => void } | { errors: GraphQLError[] } {
  try {
    return { release: claimEventStream((contextValue as Context).ip) };
  } catch (error) {
    return { errors: [new GraphQLError((error as Error).message, { originalError: error as Error })] };
  }
}

/**
 * Subscribes as the GraphQL specification says (section 6.2.3), but with a separate context for every event: rows and permissions
 * that are cached on a context are valid for one event, not for the whole stream. Each event is bounded like a response.
 * Returns the results, or the errors of subscribing.
 */
export async function subscribe(
  args: ExecutionArgs,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const claim = claimed(args);
  if ('errors' in claim) return claim;
  const events = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in events)) {
    claim.release();
    return events;
  }
  const iterator = events[Symbol.asyncIterator]();
  const results: AsyncIterableIterator<ExecutionResult> = {
    async next() {
      const event = await iterator.next();
      if (event.done) {
        claim.release();
        return { done: true, value: undefined };
      }
      const contextValue = { ...(args.contextValue as object) };
      const result = await execute({ ...args, rootValue: event.value, contextValue });
      return { done: false, value: withinLimit(result) };
    },
    // Ends at once, even while the next event is pending.
    async return() {
      claim.release();
      await iterator.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => results,
  };
  return results;
}
