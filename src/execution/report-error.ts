import { GraphQLError } from 'graphql';
import { ServiceError } from '../errors.ts';
import { BAD_USER_INPUT, publicCode } from '../graphql/public-code.ts';
import { currentRequest } from '../infra/current-request.ts';
import { log } from '../infra/log.ts';
import { originalOf } from './execute.ts';

/** A syntax error with the code that clients expect. */
export function codedSyntaxError(error: Error): GraphQLError {
  const extensions = { code: 'GRAPHQL_PARSE_FAILED', http: { spec: true, status: 400 } };
  const { source, positions } = error instanceof GraphQLError ? error : {};
  return new GraphQLError(error.message, { source, positions, extensions });
}

/**
 * Logs an error of a GraphQL request and returns what the client sees of it: refusals and errors in the query with their
 * message and a code, anything else as an internal error without its cause.
 */
export function reportError(error: unknown): GraphQLError {
  const requestId = currentRequest.getStore()?.requestId;
  const original = originalOf(error);
  if (original instanceof ServiceError) return refusal(error, original, requestId);
  if (error instanceof GraphQLError && original instanceof GraphQLError) {
    error.extensions.code ??= BAD_USER_INPUT;
    log.info({ requestId, code: error.extensions.code, message: error.message }, 'graphql request refused');
    return error;
  }
  log.error({ err: original, requestId }, 'graphql request failed');
  const path = error instanceof GraphQLError ? error.path : undefined;
  const extensions = { code: 'INTERNAL_SERVER_ERROR', unexpected: true, ...(requestId ? { requestId } : {}) };
  return new GraphQLError('Internal Server Error', { ...(path ? { path } : {}), extensions });
}

function refusal(error: unknown, original: ServiceError, requestId: string | undefined): GraphQLError {
  const { message } = original;
  const code = publicCode(original.code);
  log.info({ requestId, code, message }, 'graphql request refused');
  const { nodes, path } = error instanceof GraphQLError ? error : {};
  return new GraphQLError(message, { nodes, path, extensions: { ...original.extensions, code } });
}
