import { createHash } from 'node:crypto';
import { EnvelopArmor } from '@escape.tech/graphql-armor';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  executeSync,
  GraphQLError,
  getOperationAST,
  parse,
  type ValidationContext,
} from 'graphql';
import {
  createYoga,
  type GraphQLParams,
  type Plugin,
  processRegularResult,
  type YogaInitialContext,
} from 'graphql-yoga';
import { config } from '../config.ts';
import documents from '../generated/samples/persisted-documents.json' with { type: 'json' };
import type { Context } from '../graphql/context.ts';
import { QUERY_LIMITS } from '../graphql/query-cost.ts';
import { jsonProblem } from '../http/small-body.ts';
import { log } from '../infra/log.ts';
import { isMeasured, operationSeconds } from '../infra/metrics.ts';
import { SecondChanceCache } from '../infra/second-chance-cache.ts';
import { inSpan, isTraced } from '../infra/tracing.ts';
import { englishText } from '../texts/messages.ts';
import { introspectionResult, isIntrospection, PlainIntrospectionRule } from './introspection.ts';
import { notAcceptable } from './media-types.ts';
import { readOnlyGate } from './read-only-gate.ts';
import { codedSyntaxError, reportError } from './report-error.ts';
import { publicSchema } from './schema.ts';
import { subscribe, withinLimit } from './subscribe.ts';

/** The operations of `schema/samples`, by the SHA-256 of their text. Codegen validates them against the public schema. */
export const PERSISTED: ReadonlyMap<string, string> = new Map(
  Object.entries(documents).map(([hash, text]) => [hash.replace(/^sha256:/, ''), text]),
);

const parsed = new Map<string, DocumentNode>();

/** The persisted operation with this hash, parsed once; null for an unknown hash. */
function persistedDocument(hash: string): DocumentNode | null {
  const text = PERSISTED.get(hash);
  if (text === undefined) return null;
  const document = parsed.get(hash) ?? parse(text, { noLocation: true });
  parsed.set(hash, document);
  return document;
}

const refusal = (message: string, code: string) =>
  new GraphQLError(message, { extensions: { code, http: { status: 400 } } });

const onlyPersisted = () =>
  refusal('Only persisted operations are accepted: send a sha256Hash.', 'PERSISTED_QUERY_ONLY');
const noQuery = () => refusal('The request has no query.', 'BAD_REQUEST');

/**
 * Lets a client send `extensions.persistedQuery.sha256Hash` instead of `query`: the URL of a GET request stays short. With the
 * setting PERSISTED_ONLY, all other operations are refused. Stock clients stop sending hashes at PersistedQueryNotSupported;
 * clients cannot register operations.
 */
function persistedOperations(): Plugin[] {
  const operations = usePersistedOperations({
    getPersistedOperation: persistedDocument,
    // Codegen validates them. Limits of the query text are for the texts of clients; the cost is limited for both.
    skipDocumentValidation: true,
    allowArbitraryOperations: () => !config.PERSISTED_ONLY,
    customErrors: {
      notFound: () => refusal('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED'),
      keyNotFound: () => (config.PERSISTED_ONLY ? onlyPersisted() : noQuery()),
      persistedQueryOnly: onlyPersisted,
    },
  });
  return [{ onParams: ({ params }) => requireMatchingHash(params) }, operations];
}

/** @throws {GraphQLError} for a query that is sent with the hash of another text. */
function requireMatchingHash({ query, extensions }: GraphQLParams): void {
  const hash = (extensions?.persistedQuery as { sha256Hash?: unknown } | null | undefined)?.sha256Hash;
  if (typeof query !== 'string' || hash === undefined) return;
  if (createHash('sha256').update(query).digest('hex') === hash) return;
  throw refusal('The sha256Hash is not that of the query.', 'PERSISTED_QUERY_HASH_MISMATCH');
}

/** Maximum length in characters of all query texts together in one of Yoga's caches. Documents take about 30 times the memory. */
const MAX_CACHED_TEXT = 512 * 1024;

/** Reports a passed limit as a validation error, which gives the response its status. */
const limit = (n: number) => ({
  n,
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
});

/**
 * Limits of the query text. The complexity plugin of the builder counts what a query costs, because it has the values of
 * variables. Excess tokens fail in the parser.
 */
const armor = new EnvelopArmor({
  costLimit: { enabled: false },
  maxDepth: { ...limit(QUERY_LIMITS.depth), flattenFragments: true },
  maxAliases: limit(QUERY_LIMITS.aliases),
  maxDirectives: limit(QUERY_LIMITS.directives),
  maxTokens: { n: QUERY_LIMITS.tokens },
  blockFieldSuggestion: { enabled: false },
});

/** Names that clients give to operations, in log lines. */
const MAX_LOGGED_NAME = 100;

/** Runs operations with the executor of graphql-js, and introspection only if its result is not cached. */
const executor: Plugin<Context & YogaInitialContext> = {
  onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
    const operation = getOperationAST(args.document, args.operationName);
    if (operation != null && isIntrospection(operation))
      return setResultAndStopExecution(introspectionResult(operation, () => executeSync(args)));
    setExecuteFn(isTraced() ? (toRun) => inSpan('client', {}, async () => execute(toRun)) : execute);
    args.contextValue.operations?.push(
      `client ${args.operationName ?? operation?.name?.value ?? ''}`.slice(0, MAX_LOGGED_NAME).trim(),
    );
    if (!isMeasured()) return;
    const measured = operationSeconds.startTimer({ operation: 'client' });
    return { onExecuteDone: () => void measured() };
  },
  onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(subscribe),
};

/** @throws {GraphQLError} with status 405 for a mutation. */
function requireNoMutation(document: DocumentNode, operationName: string | undefined): void {
  if (getOperationAST(document, operationName)?.operation !== 'mutation') return;
  const http = { status: 405, headers: { Allow: 'POST' } };
  throw new GraphQLError('Send mutations by POST.', { extensions: { code: 'METHOD_NOT_ALLOWED', http } });
}

/** Gives syntax errors and mutations by GET a code, and refuses introspection that resolves far more than the standard query. */
const checks: Plugin<Context & YogaInitialContext> = {
  onParse:
    () =>
    ({ result, replaceParseResult, context }) => {
      if (result instanceof Error) replaceParseResult(codedSyntaxError(result));
      else if (context.request.method === 'GET') requireNoMutation(result, context.params.operationName);
    },
  onValidate: ({ addValidationRule }) => addValidationRule(PlainIntrospectionRule),
};

/** Bounds the results of queries and mutations; `subscribe` bounds those of events. */
const boundedResponse: Plugin = {
  onExecutionResult({ result, setResult }) {
    if (result === undefined || Array.isArray(result) || Symbol.asyncIterator in result) return;
    setResult(withinLimit(result as ExecutionResult));
  },
};

const badRequest = (message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });

/**
 * Gives codes to requests that Yoga fails on or refuses without a body: malformed JSON in the parameters of a GET or a form,
 * and a subscription of a client that does not accept events. Refuses JSON that is nested too deeply or has the key `__proto__`.
 */
const strictRequests: Plugin = {
  onRequestParse({ requestParser, setRequestParser }) {
    if (requestParser === undefined) return;
    setRequestParser(async (request) => {
      try {
        return await requestParser(request);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        throw badRequest('Send variables and extensions as JSON objects.');
      }
    });
  },
  onParams({ params: { variables, extensions } }) {
    const problem = jsonProblem(variables) ?? jsonProblem(extensions);
    if (problem !== null) throw badRequest(englishText(problem));
  },
  async onResultProcess({ result, resultProcessor, setResult, setResultProcessor }) {
    if (resultProcessor !== undefined) return;
    if (Symbol.asyncIterator in result) await result[Symbol.asyncIterator]().return?.();
    setResult({ errors: [notAcceptable()] });
    setResultProcessor(processRegularResult, 'application/json');
  },
};

/** A cache of Yoga's that is bounded by the length of its query texts. */
function textCache<Value>() {
  const cache = new SecondChanceCache<string, Value>(MAX_CACHED_TEXT);
  return {
    get: (text: string) => cache.get(text),
    set: (text: string, value: Value) => cache.set(text, value, text.length),
  };
}

/** Runs operations that come over HTTP (GraphQL over HTTP; subscriptions as server-sent events). */
export const yoga = createYoga<Context>({
  schema: publicSchema,
  graphqlEndpoint: '/graphql',
  plugins: [
    strictRequests,
    ...persistedOperations(),
    checks,
    ...armor.protect().plugins,
    readOnlyGate,
    executor,
    boundedResponse,
  ],
  parserAndValidationCache: { documentCache: textCache(), errorCache: textCache() },
  multipart: false,
  batching: false,
  cors: false,
  graphiql: false,
  landingPage: false,
  // `limitBody` in server.ts limits it.
  maxRequestBodySize: false,
  maskedErrors: { maskError: reportError },
  logging: {
    debug: () => {},
    info: () => {},
    warn: (...words: unknown[]) => log.warn({ words }, 'graphql server'),
    // Errors are logged where they are masked, with the id of their request.
    error: () => {},
  },
});
