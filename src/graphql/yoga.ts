import { EnvelopArmor } from '@escape.tech/graphql-armor';
import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention';
import { type GraphQLError, getOperationAST, type ValidationContext } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { log } from '../infra/log.ts';
import { requireWritable } from '../infra/read-only.ts';
import { resultOf } from './answer-known.ts';
import type { Context } from './context.ts';
import { CSRF_HEADER } from './csrf.ts';
import { rememberValid } from './known-queries.ts';
import { persistedOperations } from './persisted-operations.ts';
import { QUERY_LIMITS } from './query-cost.ts';
import { reportError } from './report-error.ts';
import { publicSchema } from './schema.ts';
import { subscribe } from './subscribe.ts';

/** The most that the body of a request may weigh, in bytes; a file beside it has a limit of its own. */
export const BODY_LIMIT_BYTES = 256 * 1024;

/** A limit that is passed is one more error of validation: it answers with the status of those. */
const limit = (n: number) => ({
  n,
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
});

/**
 * Limits of the query's text. What a query costs is counted by the builder's complexity plugin, which knows the values of
 * variables; the tokens are refused while they are read.
 */
const armor = new EnvelopArmor({
  costLimit: { enabled: false },
  maxDepth: { ...limit(QUERY_LIMITS.depth), flattenFragments: true },
  maxAliases: limit(QUERY_LIMITS.aliases),
  maxDirectives: limit(QUERY_LIMITS.directives),
  maxTokens: { n: QUERY_LIMITS.tokens },
  blockFieldSuggestion: { mask: '' },
});

/** The second line of defence behind `refuseForgery`. A GET can only read, and nothing in it proves who sends it. */
function csrfPrevention(): Plugin {
  const { onRequestParse } = useCSRFPrevention({ requestHeaders: [CSRF_HEADER] });
  return {
    onRequestParse: (payload) => (payload.request.method === 'GET' ? undefined : onRequestParse?.(payload)),
  };
}

/** In read-only mode mutations are refused and queries go through, whatever the HTTP method. */
const readOnlyGate: Plugin<Context> = {
  async onExecute({ args, setResultAndStopExecution }) {
    const operation = getOperationAST(args.document, args.operationName);
    if (operation?.operation !== 'mutation') return;
    try {
      await requireWritable(args.contextValue.locale);
    } catch (error) {
      setResultAndStopExecution({ data: null, errors: [reportError(error)] });
    }
  },
};

/** Keeps the texts that are valid for the short way, and takes the results that come from there. */
const knownQueries: Plugin<Context> = {
  onValidate({ context, params: { documentAST } }) {
    const { query, extensions } = context.params;
    return ({ valid }) => {
      if (valid && query != null && extensions?.persistedQuery === undefined) rememberValid(query, documentAST);
    };
  },
  onExecute({ args, setExecuteFn }) {
    const result = resultOf(args.contextValue);
    if (result !== undefined) setExecuteFn(() => result);
  },
};

const ownSubscribe: Plugin = { onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(subscribe) };

/** Runs operations that come over HTTP (GraphQL over HTTP; subscriptions as server-sent events). */
export const yoga = createYoga<Context>({
  schema: publicSchema,
  graphqlEndpoint: '/graphql',
  plugins: [
    csrfPrevention(),
    persistedOperations(),
    ...armor.protect().plugins,
    readOnlyGate,
    knownQueries,
    ownSubscribe,
  ],
  multipart: false,
  batching: false,
  cors: false,
  graphiql: false,
  landingPage: false,
  maxRequestBodySize: BODY_LIMIT_BYTES,
  maskedErrors: { maskError: reportError },
  logging: {
    debug: () => {},
    info: () => {},
    warn: (...words: unknown[]) => log.warn({ words }, 'graphql server'),
    // Errors are logged where they are masked, with the id of their request.
    error: () => {},
  },
});
