import type { z } from 'zod';
import type { JtiRule } from '../auth/used-nonces.ts';
import { uploadKeyOf } from '../auth/viewer.ts';
import { NotAuthenticatedError, NotFoundError } from '../errors.ts';
import {
  type EndpointDeclaration,
  type EndpointRequest,
  endpoint,
  type Operation,
  type PathParts,
} from '../execution/endpoint.ts';
import { execute, prepareDocument } from '../execution/execute.ts';
import {
  AdmitUploadKeyDocument,
  type TypedDocumentString,
  type UploadKeyUse,
} from '../generated/operations/graphql.ts';
import type { Context } from '../graphql/context.ts';
import type { Cookie } from '../http/cookies.ts';
import { type Params, type ParamValues, readQuery } from '../http/params.ts';
import type { FileReply } from '../http/send-blob.ts';
import { type BodyDeclaration, noBody } from './body.ts';
import type { ErrorKeys, ErrorStyle } from './errors.ts';
import { FIRST_PAGE, type RequestedPage, requestedPage } from './pagination.ts';
import { type ApiVersion, CONTRACT_VERSIONS, type View } from './view.ts';

interface JsonReply {
  kind: 'json';
  status: number;
  body: unknown;
  /** How long the client may cache the body, in seconds. */
  maxAge?: number;
}

/** A file of the blob store. `counted` is the download in the statistics, with the label of its source; null for files without them. */
interface DownloadReply {
  kind: 'file';
  file: FileReply;
  counted: { addonId: number; fileId: number; source: string; collection: string | null } | null;
}

/** A redirect (302). */
interface RedirectReply {
  kind: 'redirect';
  location: string;
}

/** A response as a route returns it; `empty` is a 204. */
export type RouteReply = (JsonReply | DownloadReply | RedirectReply | { kind: 'empty' }) & {
  cookies?: readonly Cookie[];
};

/** A reply with a JSON body. */
export function jsonReply(body: unknown, status = 200): JsonReply {
  return { kind: 'json', status, body };
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Whether a route reads credentials. A route that ignores them sends every client the same response. */
export type SignIn = 'required' | 'optional' | 'ignored';

/** A request before its body is read. */
interface RequestParts {
  path: PathParts;
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
export interface RouteInput<Path extends Params = Params, Query extends Params = Params, Mode extends SignIn = SignIn>
  extends Pick<RequestParts, 'address' | 'view' | 'client'> {
  signIn: Mode;
  path: ParamValues<Path>;
  query: ParamValues<Query>;
  /** The requested page; the first one for routes without pages. */
  page: RequestedPage;
}

/** What the router, the handler and the OpenAPI documents need of a route. */
interface RouteFacts {
  method: HttpMethod;
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
  /** Statuses of refusals, without those that the other properties imply: 304, 401, 403, 429 and 503. */
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
  Checked,
  CheckVariables,
  State,
  StateVariables,
  Result,
  Variables,
  FlagsVariables,
> extends Omit<RouteFacts, keyof typeof DEFAULTS>,
    Partial<Omit<Pick<RouteFacts, keyof typeof DEFAULTS>, 'params'>>,
    EndpointDeclaration<
      Path,
      RouteInput<Path, Query, Mode>,
      [body: Body, checked: Checked],
      State,
      StateVariables,
      Result,
      Variables,
      RouteReply
    > {
  signIn: Mode;
  query?: Query;
  /** None by default. */
  body?: BodyDeclaration<Body>;
  /**
   * An operation that is refused for an add-on that is not public, with its two disabled flags (contract, Errors), for the 401 of an
   * anonymous client on a route that requires a sign-in. `variables` gets the path before it is checked.
   */
  flags?: Operation<[path: PathParts, view: View], unknown, FlagsVariables>;
  /** What the request is about, for API keys that only upload versions of one add-on; without it, they are refused (docs/decisions.md D137). */
  uploadKeys?(input: RouteInput<Path, Query, Mode>): UploadKeyUse;
  /** An operation that may refuse the request before its body is read. `variables` gets its result. */
  check?: Operation<[input: RouteInput<Path, Query, Mode>], Checked, CheckVariables>;
  document: TypedDocumentString<Result, Variables>;
  variables(input: RouteInput<Path, Query, Mode>, body: Body, checked: Checked): Variables;
}

/** A row of the route table. */
export interface Route extends RouteFacts {
  body: BodyDeclaration<unknown>;
  /** Whether API keys are accepted that only upload versions of one add-on. */
  acceptsUploadKeys: boolean;
  /** Compiles its operations. Otherwise the first request does, and waits for it. */
  prepare(): void;
  /** The two disabled flags for the 401 of an anonymous client; undefined for a public add-on and other routes. */
  anonymousFlags(path: PathParts, view: View, context: Context): Promise<Record<string, boolean> | undefined>;
  /** Reads path and query. @throws {ServiceError | HttpRefusal} for invalid values. */
  read(parts: RequestParts): RouteRequest;
}

/** A request to a route. The body is what the route's `body.read` returned. */
export interface RouteRequest
  extends Pick<EndpointRequest<RouteInput, [body: unknown], RouteReply>, 'revision' | 'execute'> {
  /** Runs the checks that need no body. */
  check(context: Context): Promise<void>;
}

/** Declares a route: a documented address, the operation behind it and the shape of its responses. */
export function route<
  Mode extends SignIn,
  Body,
  Checked,
  CheckVariables,
  State,
  StateVariables,
  Result extends State,
  Variables,
  FlagsVariables,
  Path extends Params = Record<never, never>,
  Query extends Params = Record<never, never>,
>(
  declaration: Declaration<
    Path,
    Query,
    Mode,
    Body,
    Checked,
    CheckVariables,
    State,
    StateVariables,
    Result,
    Variables,
    FlagsVariables
  >,
): Route {
  const { signIn, check, flags, uploadKeys } = declaration;
  const declared = endpoint(declaration);
  return {
    ...DEFAULTS,
    ...declaration,
    body: (declaration.body ?? noBody) as BodyDeclaration<unknown>,
    acceptsUploadKeys: uploadKeys !== undefined,
    prepare() {
      for (const each of [...declared.documents, check?.document, flags?.document]) {
        if (each) prepareDocument(each.toString());
      }
    },
    async anonymousFlags(path, view, context) {
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
    read({ path: parts, query, address, view, client }) {
      const request = declared.read(parts, (path) => ({
        ...{ signIn, path, address, view, client },
        query: readQuery((declaration.query ?? {}) as Query, query, view.apiVersion),
        page: declaration.paginated ? requestedPage(query) : FIRST_PAGE,
      }));
      let checked: Checked | undefined;
      return {
        async check(context) {
          if (uploadKeys && uploadKeyOf(context.viewer) !== null) {
            await execute(AdmitUploadKeyDocument, { use: uploadKeys(request.input) }, context);
          }
          if (check) checked = await execute(check.document, check.variables(request.input), context);
        },
        revision: request.revision,
        execute: (context, body) => request.execute(context, body as Body, checked as Checked),
      };
    },
  };
}
