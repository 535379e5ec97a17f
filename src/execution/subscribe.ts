import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute, GraphQLError } from 'graphql';
import { config } from '../config.ts';
import { ThrottledError } from '../errors.ts';
import type { Context } from '../graphql/context.ts';
import { RESPONSE_LIMIT_BYTES } from '../graphql/query-cost.ts';
import { networkOf } from '../infra/network.ts';
import type { SerializedResult } from './introspection.ts';

/**
 * The result, or the error RESPONSE_TOO_LARGE if its JSON is larger than the limit. The result of an operation without errors keeps
 * its JSON, so that it is not made twice.
 */
export function withinLimit(result: ExecutionResult & Partial<SerializedResult>): ExecutionResult {
  const json = result.stringify?.() ?? JSON.stringify(result);
  if (Buffer.byteLength(json) > RESPONSE_LIMIT_BYTES) {
    const megabytes = RESPONSE_LIMIT_BYTES / 1024 / 1024;
    const message = `The response is larger than ${megabytes} MB. Select fewer fields or smaller pages.`;
    return { errors: [new GraphQLError(message, { extensions: { code: 'RESPONSE_TOO_LARGE' } })] };
  }
  if (result.errors !== undefined || result.stringify !== undefined) return result;
  return { ...result, stringify: () => json } as ExecutionResult;
}

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

/** After this time a refused client may try again, in seconds. A stream may end at any time. */
const RETRY_S = 10;

/** Open event streams of this process by network. */
const counts = new Map<string, number>();

/**
 * Counts an event stream of a client and returns what ends the count.
 * @throws {ThrottledError} when the network of the client has EVENT_STREAMS_PER_ADDRESS open streams.
 */
function claimEventStream(ip: string | null): () => void {
  if (ip === null) return () => {};
  const network = networkOf(ip);
  const count = counts.get(network) ?? 0;
  if (count >= config.EVENT_STREAMS_PER_ADDRESS) throw new ThrottledError(RETRY_S);
  counts.set(network, count + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const rest = (counts.get(network) ?? 1) - 1;
    if (rest === 0) counts.delete(network);
    else counts.set(network, rest);
  };
}
