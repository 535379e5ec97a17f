/*
 * What routes of REST and pages have in common: a request is read, the revision of its data is looked up, the operation runs, and its
 * result becomes the reply. `endpoint` declares these steps, `respond` runs them.
 *
 * Responses to anonymous clients are cached in memory as long as the database returns their revision, which costs one statement: less than
 * running the operation and writing its result. Each process keeps its own, and none is sent without such a look-up, so that several
 * processes never send outdated ones.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypedDocumentString } from '../generated/operations/graphql.ts';
import type { Context } from '../graphql/context.ts';
import { isFresh, sendNotModified } from '../http/conditional.ts';
import { type Params, type ParamValues, readPath } from '../http/params.ts';
import { countReads } from '../infra/metrics.ts';
import { SecondChanceCache } from '../infra/second-chance-cache.ts';
import { execute } from './execute.ts';

/** An operation, and how its variables follow from the values of a request. `Skip` is null where it may be skipped, else never. */
export interface Operation<Values extends readonly unknown[], Result, Variables, Skip = never> {
  document: TypedDocumentString<Result, Variables>;
  variables(...values: Values): Variables | Skip;
}

/**
 * What every endpoint declares. `Input` is the values of a request, `Given` what the operation needs in addition, such as the body of
 * the request.
 */
export interface EndpointDeclaration<
  Path extends Params,
  Input,
  Given extends readonly unknown[],
  State,
  StateVariables,
  Result,
  Variables,
  Reply,
> {
  params?: Path;
  /**
   * For responses that are cached for anonymous clients: an operation of one statement that returns the state which the response depends
   * on. Null variables skip it. `of` names this state, also in the result of `document`; null if it has no name.
   */
  revision?: Operation<[input: Input], State, StateVariables, null> & { of(state: State): string | null };
  /** The operation; without it the result is undefined. */
  document?: TypedDocumentString<Result, Variables>;
  variables?(input: Input, ...given: Given): Variables;
  reply(result: Result, input: Input, variables: Variables): Reply;
}

/** The decoded parameters of a path, by name. */
export type PathParts = Readonly<Record<string, string>>;

/** A request that an endpoint has read. */
export interface EndpointRequest<Input, Given extends readonly unknown[], Reply> {
  input: Input;
  /** The current revision of what the response shows, in one statement; null if only the response determines it. */
  revision: ((context: Context) => Promise<string | null>) | null;
  /** Runs the operation, and makes the reply from its result. */
  execute(context: Context, ...given: Given): Promise<ExecutedOperation<Reply>>;
}

/** The result of an operation, and the revision that it was made from; null if it has none. */
export interface ExecutedOperation<Result> {
  result: Result;
  revision: string | null;
}

/** Declares what is behind an address: the parameters of its path, the revision, the operation and the reply. */
export function endpoint<
  Path extends Params,
  Input,
  Given extends readonly unknown[],
  State,
  StateVariables,
  Result extends State,
  Variables,
  Reply,
>(declaration: EndpointDeclaration<Path, Input, Given, State, StateVariables, Result, Variables, Reply>) {
  const { params, revision, document } = declaration;
  return {
    documents: [document, revision?.document],
    /** Reads the parameters of a path, from which `inputOf` makes the values of the request. */
    read(parts: PathParts, inputOf: (path: ParamValues<Path>) => Input): EndpointRequest<Input, Given, Reply> {
      const input = inputOf(readPath((params ?? {}) as Path, parts));
      const stateVariables = revision?.variables(input) ?? null;
      return {
        input,
        revision:
          revision === undefined || stateVariables === null
            ? null
            : async (context) => revision.of(await execute(revision.document, stateVariables, context)),
        async execute(context, ...given) {
          const variables = declaration.variables?.(input, ...given) as Variables;
          const result = (document && (await execute(document, variables, context))) as Result;
          const reply = declaration.reply(result, input, variables);
          return { result: reply, revision: stateVariables === null ? null : (revision?.of(result) ?? null) };
        },
      };
    },
  };
}

/** In bytes. */
const MAX_BYTES = 24 * 1024 * 1024;
/** Estimated memory of an entry without its texts, in bytes. */
const ENTRY_BYTES = 300;

/** A body that all anonymous clients get for the same key, and its ETag. */
export interface SentBody {
  body: Buffer;
  etag: string;
}

/** How a request is responded to. */
interface Responder<Result> {
  /** Everything but the revision that the response depends on; null unless all anonymous clients get the same one. */
  key: string | null;
  revision(): Promise<string | null>;
  /** The ETag of the response, if it follows from the revision; else null. */
  etagOf(revision: string): string | null;
  execute(): Promise<ExecutedOperation<Result>>;
  /** Sends the response. Returns its body if it may be cached, else null. */
  send(executed: ExecutedOperation<Result>): Promise<SentBody | null>;
  /** Sends a body that `send` returned for an earlier request. */
  sendCached(cached: SentBody): void;
}

const countRead = countReads('responses');
const responses = new SecondChanceCache<string, SentBody & { revision: string }>(MAX_BYTES);

/** The payload of a mutation, which has the field `key`. `execute` throws the errors of the union, so none gets here. */
export function payloadOf<Result extends object, Key extends PropertyKey>(
  result: Result,
  key: Key,
): Extract<Result, Record<Key, unknown>> {
  if (!(key in result)) throw new Error('unexpected error in the result of a mutation');
  return result as Extract<Result, Record<Key, unknown>>;
}

/** Responds to a request: 304, a cached response, or the result of the operation. */
export async function respond<Result>(
  request: IncomingMessage,
  response: ServerResponse,
  responder: Responder<Result>,
): Promise<void> {
  const { key } = responder;
  const current = key === null ? null : await responder.revision();
  if (key !== null && current !== null) {
    const etag = responder.etagOf(current);
    if (etag !== null && isFresh(request.headers, etag)) return sendNotModified(response, etag);
    const cached = responses.get(key);
    countRead(cached?.revision === current);
    if (cached?.revision === current) return responder.sendCached(cached);
  }
  const executed = await responder.execute();
  const sent = await responder.send(executed);
  if (sent !== null && key !== null && executed.revision) keep(key, executed.revision, sent);
}

function keep(key: string, revision: string, { body, etag }: SentBody): void {
  // A slice of Node's pool would keep the whole pool in memory.
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  responses.set(key, { body: own, etag, revision }, own.length + key.length + revision.length + ENTRY_BYTES);
}
