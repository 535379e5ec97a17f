import { GraphQLError } from 'graphql';
import { ServiceError } from '../errors.ts';
import { currentRequest } from '../infra/current-request.ts';
import { log } from '../infra/log.ts';
import { originalOf } from './execute.ts';

/** Suggestions of names tell what a schema contains to those who may not ask it. */
const SUGGESTION = /\s*Did you mean .+\?$/s;

/**
 * Logs an error of a GraphQL request and returns what its sender gets to see of it: refusals of the domain and mistakes
 * in the query as they are, anything else as an internal error without its cause.
 */
export function reportError(error: unknown): GraphQLError {
  const requestId = currentRequest.getStore()?.requestId;
  const original = originalOf(error);
  if (original instanceof ServiceError) {
    log.info({ requestId, code: original.code, message: original.message }, 'graphql request refused');
    if (!(error instanceof GraphQLError)) return original;
    if (error.message === original.message) return error;
    return new GraphQLError(original.message, { path: error.path, extensions: original.extensions });
  }
  if (error instanceof GraphQLError && original instanceof GraphQLError) {
    log.info({ requestId, code: error.extensions.code, message: error.message }, 'graphql request refused');
    error.message = error.message.replace(SUGGESTION, '');
    return error;
  }
  log.error({ err: original, requestId }, 'graphql request failed');
  const path = error instanceof GraphQLError ? error.path : undefined;
  const extensions = { code: 'INTERNAL_SERVER_ERROR', unexpected: true, ...(requestId ? { requestId } : {}) };
  return new GraphQLError('Internal Server Error', { ...(path ? { path } : {}), extensions });
}
