import type { z } from 'zod';
import type { TypedDocumentString } from '../generated/operations/graphql.ts';
import { execute } from '../graphql/execute.ts';
import type { Form, FormDeclaration } from '../http/multipart.ts';
import type { ErrorStyle } from './errors.ts';
import type { ApiVersion } from './gates.ts';
import { FIRST_PAGE, type PageRequest, pageRequest } from './pagination.ts';
import { type Params, type ParamValues, readPath, readQuery } from './parameters.ts';
import type { Reply } from './reply.ts';
import type { Variant } from './revision-etag.ts';
import type { View } from './view.ts';

/** What an operation knows of the request that it is run for. */
export type Context = Parameters<typeof execute>[2];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Whether a route wants to know who asks. Where that is ignored, everybody is answered the same, whatever he sends to prove
 * himself.
 */
export type SignIn = 'required' | 'optional' | 'ignored';

/** What a request brings to its route before its body has been read. */
export interface RequestParts {
  /** Decoded path segments by the names in the route's path. */
  path: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Whether the answer is a body in full, whatever the sender has: a GET for no part of it, and not only for a newer one. */
  whole: boolean;
  /** The absolute address of the request, its query included. */
  address: string;
  view: View;
  variant: Variant;
}

/** What a documented status answers. `schema` describes a JSON body; without one the body is a file, or there is none. */
export interface ResponseDoc {
  description: string;
  schema?: z.ZodType;
  file?: true;
}

/** The declared values of a request. */
export interface Input<Path extends Params, Query extends Params> {
  path: ParamValues<Path>;
  query: ParamValues<Query>;
  whole: boolean;
  /** The absolute address of the request, its query included. */
  address: string;
  /** The page that is asked for; always the first where a route has no pages. */
  page: PageRequest;
  view: View;
  variant: Variant;
}

/** Runs a further operation for the same request. */
export type Ask = <Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
) => Promise<Result>;

interface Declaration<
  Path extends Params,
  Query extends Params,
  Result,
  Variables,
  CheckVariables,
  Revision,
  RevisionVariables,
> {
  method: Method;
  /** As the contract prints it, with the parameters of `params` as `:name`. */
  path: string;
  summary: string;
  /** Versions that have it; all by default. */
  versions?: readonly ApiVersion[];
  /** Whether its path is the whole address, under no API version: it is part of no document. */
  outsideApi?: true;
  signIn: SignIn;
  /** Whether a one-time token may come without `jti`; stock signing clients send none. */
  jti?: 'optional';
  errors?: ErrorStyle;
  params: Path;
  query: Query;
  /** Whether it answers numbered pages: it reads `page` and `page_size` then. */
  paginated?: true;
  form?: FormDeclaration;
  /** An operation that may refuse the request before its body is read. */
  check?: {
    document: TypedDocumentString<unknown, CheckVariables>;
    variables(input: Input<Path, Query>): CheckVariables;
  };
  /** A cheaper operation that names the state which the answer would be made from; null where it does not suffice. */
  revision?: {
    document: TypedDocumentString<Revision, RevisionVariables>;
    variables(input: Input<Path, Query>): RevisionVariables | null;
    of(result: Revision): string;
  };
  document: TypedDocumentString<Result, Variables>;
  variables(input: Input<Path, Query>, form: Form): Variables;
  /** `ask` is for what the result names and does not have. */
  reply(result: Result, input: Input<Path, Query>, ask: Ask): Reply | Promise<Reply>;
  responses: Readonly<Record<number, ResponseDoc>>;
}

/** One row of the route table: what is served under an address, as the router, the handler and the documents need it. */
export interface Route {
  method: Method;
  path: string;
  summary: string;
  versions: readonly ApiVersion[];
  outsideApi: boolean;
  signIn: SignIn;
  jti: 'optional' | 'required';
  errors: ErrorStyle;
  params: Params;
  query: Params;
  paginated: boolean;
  form: FormDeclaration | null;
  responses: Readonly<Record<number, ResponseDoc>>;
  /** Reads what a request brings. @throws {ServiceError | HttpRefusal} for what cannot be used. */
  read(parts: RequestParts): RouteRequest;
}

/** A request to a route. */
export interface RouteRequest {
  /** Asks what can be asked before the body is read. */
  check(context: Context): Promise<void>;
  /** Tells the name of the state that the answer would be made from; null where only the answer itself tells. */
  revision: ((context: Context) => Promise<string>) | null;
  /** Runs the operation and turns its result into the documented reply. */
  run(form: Form, context: Context): Promise<Reply>;
}

/** Declares a route: a documented address, the operation that answers it and the shape of the answer. */
export function route<
  Path extends Params,
  Query extends Params,
  Result,
  Variables,
  CheckVariables,
  Revision,
  RevisionVariables,
>(declaration: Declaration<Path, Query, Result, Variables, CheckVariables, Revision, RevisionVariables>): Route {
  const read = ({ path, query, whole, address, view, variant }: RequestParts): Input<Path, Query> => ({
    path: readPath(declaration.params, path),
    query: readQuery(declaration.query, query, view.apiVersion),
    whole,
    address,
    page: declaration.paginated ? pageRequest(query) : FIRST_PAGE,
    view,
    variant,
  });
  return {
    ...declaration,
    versions: declaration.versions ?? ['v3', 'v4', 'v4dev'],
    outsideApi: declaration.outsideApi ?? false,
    jti: declaration.jti ?? 'required',
    errors: declaration.errors ?? 'detail',
    paginated: declaration.paginated ?? false,
    form: declaration.form ?? null,
    read(parts) {
      const input = read(parts);
      const { check, revision, document, variables, reply } = declaration;
      const stated = revision?.variables(input) ?? null;
      return {
        async check(context) {
          if (check) await execute(check.document, check.variables(input), context);
        },
        revision:
          revision === undefined || stated === null
            ? null
            : async (context) => revision.of(await execute(revision.document, stated, context)),
        async run(form, context) {
          const ask: Ask = (further, values) => execute(further, values, context);
          return reply(await ask(document, variables(input, form)), input, ask);
        },
      };
    },
  };
}
