import { type ExecutionResult, GraphQLError } from 'graphql';
import type { SerializedResult } from './introspection-results.ts';
import { RESPONSE_LIMIT_BYTES } from './query-cost.ts';

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
