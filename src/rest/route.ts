import type { z } from 'zod';
import type { JtiRule } from '../auth/used-nonces.ts';
import { NotAuthenticatedError, NotFoundError } from '../errors.ts';
import type { TypedDocumentString } from '../generated/operations/graphql.ts';
import type { Context } from '../graphql/context.ts';
import { execute, prepare } from '../graphql/execute.ts';
import { type Params, type ParamValues, readPath, readQuery } from '../http/params.ts';
import { type BodyDeclaration, noBody } from './body.ts';
import type { ErrorKeys } from './error-keys.ts';
import type { ErrorStyle } from './errors.ts';
import { type ApiVersion, CONTRACT_VERSIONS } from './gates.ts';
import { FIRST_PAGE, type PageRequest, pageRequest } from './pagination.ts';
import type { Reply } from './reply.ts';
import type { View } from './view.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Whether a route reads credentials. A route that ignores them sends every client the same response. */
export type SignIn = 'required' | 'optional' | 'ignored';

/** A request before its body is read. */
interface RequestParts {
  /** Decoded path segments by the names in the route's path. */
  path: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The absolute URL of the request with its query. */
  address: string;
  view: View;
  client: ClientFacts;
}

/** What a route may read of a request's headers. */
export interface ClientFacts {
  /** Whether the client prefers JSON to a page or a redirect. */
  prefersJson(): boolean;
  /** The value of a cookie; null without it. Cookies are no credentials here. */
  cookie(name: string): string | null;
}

/** A documented response. `schema` describes a JSON body, `file` is the media types of a file; without both there is no body. `page`: browsers get a page. */
export interface ResponseDoc {
  description: string;
  schema?: z.ZodType;
  /** The schema under v5, where it differs from `schema`. */
  v5?: z.ZodType;
  file?: readonly string[];
  page?: true;
}

/** The declared values of a request. */
export interface Input<Path extends Params = Params, Query extends Params = Params, Mode extends SignIn = SignIn>
  extends Pick<RequestParts, 'address' | 'view' | 'client'> {
  signIn: Mode;
  path: ParamValues<Path>;
  query: ParamValues<Query>;
  /** The requested page; the first one for routes without pages. */
  page: PageRequest;
}

/** What the router, the handler and the OpenAPI documents need of a route. */
interface RouteFacts {
  method: Method;
  /** As the contract prints it, with the parameters of `params` as `:name`. */
  path: string;
  summary: string;
  /** Whether `path` is the complete path, without `/api/<version>`. Such a route is in no OpenAPI document. */
  outsideApi: boolean;
  /** The API versions that serve it. */
  apiVersions: readonly ApiVersion[];
  /** Whether the installation has the route; without it the address is unknown. */
  isServed: () => boolean;
  signIn: SignIn;
  /** Whether a one-time token may lack `jti` or return; v5 has one rule for all routes. */
  jti: JtiRule;
  errors: ErrorStyle;
  /** Where the errors of its operation go in the body of a request under v5; null when their paths are the names there. */
  errorKeys: ErrorKeys | null;
  /** The names of parameters that GraphQL names otherwise, by the names there. */
  parameterNames: Readonly<Record<string, string>>;
  /** Whether successful requests count towards the limit on writes. */
  isLimitedWrite: boolean;
  /** Whether its operation is a search, which is refused while too many wait. */
  isSearch: boolean;
  /** Whether a GET changes state: HEAD is refused, and no response is cached or leaves a referrer. */
  changesState: boolean;
  params: Params;
  query: Params;
  /** Whether it reads `page` and `page_size`. */
  paginated: boolean;
  /** Responses of success by status. */
  responses: Readonly<Record<number, ResponseDoc>>;
  /** Statuses of refusals, without those that the other properties imply: 304, 401, 429 and 503. */
  refusals: readonly number[];
}

const DEFAULTS = {
  outsideApi: false,
  apiVersions: CONTRACT_VERSIONS,
  isServed: () => true,
  jti: 'required',
  errors: 'detail',
  errorKeys: null,
  parameterNames: {},
  isLimitedWrite: false,
  isSearch: false,
  changesState: false,
  params: {},
  query: {},
  paginated: false,
  refusals: [],
} as const;

interface Declaration<
  Path extends Params,
  Query extends Params,
  Mode extends SignIn,
  Body,
  Result,
  Variables,
  CheckVariables,
  Checked,
  Revision,
  RevisionVariables,
  Flags,
  FlagsVariables,
> extends Omit<RouteFacts, keyof typeof DEFAULTS>,
    Partial<Pick<RouteFacts, keyof typeof DEFAULTS>> {
  signIn: Mode;
  params?: Path;
  query?: Query;
  /** None by default. */
  body?: BodyDeclaration<Body>;
  /**
   * An operation that is refused for an add-on that is not public, with its two disabled flags (contract, Errors), for the 401 of an
   * anonymous client on a route that requires a sign-in. `variables` gets the path before it is checked.
   */
  flags?: {
    document: TypedDocumentString<Flags, FlagsVariables>;
    variables(path: Readonly<Record<string, string>>, view: View): FlagsVariables;
  };
  /** An operation that may refuse the request before its body is read. `variables` gets its result. */
  check?: {
    document: TypedDocumentString<Checked, CheckVariables>;
    variables(input: Input<Path, Query, Mode>): CheckVariables;
  };
  /** An operation of one statement that names the state which the response would be built from; null variables skip it. */
  revision?: {
    document: TypedDocumentString<Revision, RevisionVariables>;
    variables(input: Input<Path, Query, Mode>): RevisionVariables | null;
    of(result: Revision): string;
  };
  document: TypedDocumentString<Result, Variables>;
  variables(input: Input<Path, Query, Mode>, body: Body, checked: Checked): Variables;
  reply(result: Result, input: Input<Path, Query, Mode>, variables: Variables): Reply;
}

/** A row of the route table. */
export interface Route extends RouteFacts {
  body: BodyDeclaration<unknown>;
  /** Compiles its operations. Otherwise the first request does, and waits for it. */
  prepare(): void;
  /** The two disabled flags for the 401 of an anonymous client; undefined for a public add-on and other routes. */
  anonymousFlags(
    path: Readonly<Record<string, string>>,
    view: View,
    context: Context,
  ): Promise<Record<string, boolean> | undefined>;
  /** Reads path and query. @throws {ServiceError | HttpRefusal} for invalid values. */
  read(parts: RequestParts): RouteRequest;
}

/** A request to a route. */
export interface RouteRequest {
  /** Runs the checks that need no body. */
  check(context: Context): Promise<void>;
  /** Returns the name of the state that the response would be built from; null when only the response determines it. */
  revision: ((context: Context) => Promise<string>) | null;
  /** Runs the operation and turns its result into the reply. `body` is what the route's `body.read` returned. */
  run(body: unknown, context: Context): Promise<Reply>;
}

/** Declares a route: a documented address, the operation behind it and the shape of its responses. */
export function route<
  Mode extends SignIn,
  Body,
  Result,
  Variables,
  CheckVariables,
  Checked,
  Revision,
  RevisionVariables,
  Flags,
  FlagsVariables,
  Path extends Params = Record<never, never>,
  Query extends Params = Record<never, never>,
>(
  declaration: Declaration<
    Path,
    Query,
    Mode,
    Body,
    Result,
    Variables,
    CheckVariables,
    Checked,
    Revision,
    RevisionVariables,
    Flags,
    FlagsVariables
  >,
): Route {
  return {
    ...DEFAULTS,
    ...declaration,
    body: (declaration.body ?? noBody) as BodyDeclaration<unknown>,
    prepare() {
      const { document, check, revision, flags } = declaration;
      for (const each of [document, check?.document, revision?.document, flags?.document]) {
        if (each) prepare(each.toString());
      }
    },
    async anonymousFlags(path, view, context) {
      const { flags } = declaration;
      if (flags === undefined) return undefined;
      try {
        await execute(flags.document, flags.variables(path, view), context);
        return undefined;
      } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        if (error instanceof NotAuthenticatedError) return error.details.flags as Record<string, boolean> | undefined;
        throw error;
      }
    },
    read({ path, query, address, view, client }) {
      const { signIn, check, revision, document } = declaration;
      const input: Input<Path, Query, Mode> = {
        signIn,
        path: readPath((declaration.params ?? {}) as Path, path),
        query: readQuery((declaration.query ?? {}) as Query, query, view.apiVersion),
        address,
        page: declaration.paginated ? pageRequest(query) : FIRST_PAGE,
        view,
        client,
      };
      const revisionVariables = revision?.variables(input) ?? null;
      let checked: Checked | undefined;
      return {
        async check(context) {
          if (check) checked = await execute(check.document, check.variables(input), context);
        },
        revision:
          revision === undefined || revisionVariables === null
            ? null
            : async (context) => revision.of(await execute(revision.document, revisionVariables, context)),
        async run(body, context) {
          const variables = declaration.variables(input, body as Body, checked as Checked);
          return declaration.reply(await execute(document, variables, context), input, variables);
        },
      };
    },
  };
}
