import { NotAuthenticatedError, NotFoundError, NotPermittedError, UnavailableError } from '../errors.ts';
import {
  type EndpointDeclaration,
  type EndpointRequest,
  endpoint,
  type Operation,
  type PathParts,
} from '../execution/endpoint.ts';
import { execute } from '../execution/execute.ts';
import type { SiteWaitingWorkQuery } from '../generated/operations/graphql.ts';
import type { Context } from '../graphql/context.ts';
import type { Cookie } from '../http/cookies.ts';
import type { Params, ParamValues } from '../http/params.ts';
import type { FileReply } from '../http/send-blob.ts';
import type { Html } from './html.ts';
import type { Ui } from './ui.ts';
import { namingUnknownValues, readKnownQuery } from './unknown-values.ts';

/** Whom a page is for: all visitors, or signed-in ones. What a viewer may see is decided by the page's operation. */
export type Visitor = 'all' | 'account';

/** Rate limits of pages, by their names in `infra/rate-limits.ts`. */
export type PageLimit =
  | 'page-search'
  | 'page-suggest'
  | 'page-code'
  | 'page-preferences'
  | 'page-form'
  | 'page-key'
  | 'page-own-data'
  | 'page-events';

/** What follows the message of a form: a sentence about the result in the same paragraph, and links or a form in a row below. */
export interface AfterDone {
  text?: Html;
  actions: Html;
}

/** The content of a page, which the layout surrounds. */
export interface PageContent {
  kind?: 'content';
  /** Plain text, for `<title>`. */
  title: string | Html;
  /** Has the only `<h1>`. */
  main: Html;
  /** The message of the form that led here, with what the form was about, in place of the general one. */
  doneText?: Html | null;
  /** Whether `main` has the message of the form that led here, with the id `RESULT_ID`. */
  hasDoneText?: boolean;
  /** What follows the message of the form that led here. `waiting` is what waits for the viewer, as the navigation shows it. */
  afterDone?(waiting: SiteWaitingWorkQuery['waitingWork'] | null): AfterDone;
  status?: number;
  /** For search engines, plain text. */
  description?: string | null;
  /** Value of `<meta name="robots">`. */
  robots?: 'noindex' | 'noindex, nofollow';
  /** The address of this page without optional parameters, as a path. */
  canonical?: string;
  /** The address of a picture of what the page is about. */
  picture?: string;
  /** What the page is about, for programs: JSON-LD without its context. Only with `canonical`. */
  structured?: Readonly<Record<string, unknown>>;
  /** Caches must not store it, although the visitor is anonymous. */
  neverStored?: true;
  /** Names of the files of `assets/` that this page runs. */
  scripts?: readonly string[];
  /** Names of further style sheets. */
  styles?: readonly string[];
  /** Whether the page runs a program of others, which writes styles and pictures into the page. */
  hasForeignProgram?: true;
  /** Atom feeds. */
  feeds?: readonly { title: string | Html; href: string }[];
  /** The entry of the navigation that is marked as current. */
  section?:
    | 'extensions'
    | 'themes'
    | 'language-tools'
    | 'developers'
    | 'reviewers'
    | 'moderation'
    | 'admin'
    | 'account'
    | 'docs';
  cookies?: readonly Cookie[];
  /** Seconds after which browsers without JavaScript reload the page. */
  refreshWithoutScripts?: number;
}

/** Leads to another address. */
export interface PageRedirect {
  kind: 'redirect';
  /** A path of this site, or an address that was wrapped. */
  location: string;
  status: 301 | 302 | 303;
  cookies?: readonly Cookie[];
}

/** A file, sent as it is: a text, or the bytes of a picture. */
export interface TextFile {
  kind: 'file';
  contentType: string;
  text: string | Buffer;
  /** The name to save it as. */
  fileName?: string;
  /** Value of Cache-Control; by default that of pages. */
  cacheControl?: string;
}

/** A stored file to save, for this viewer. A complete delivery counts as a download. */
export interface PageDownload {
  kind: 'download';
  /** Id of the file. */
  id: number;
  addonId: number;
  file: Omit<FileReply, 'disposition'>;
}

/** A file of any length, sent while it is made. */
export interface PageStream {
  kind: 'stream';
  contentType: string;
  /** The name to save it as. */
  fileName: string;
  /** The parts of the text. */
  open(context: Context): AsyncIterable<string>;
}

/** A stream of server-sent events (HTML standard, section 9.2), for scripts of pages. It ends when the events do. */
export interface EventStream {
  kind: 'events';
  /** Opens the stream: the data of each event, one line each. @throws {ServiceError} when it is refused. */
  open(context: Context): Promise<AsyncIterableIterator<string>>;
}

export type PageResult = PageContent | PageRedirect | TextFile | PageDownload | PageStream | EventStream;

/** Leads to the canonical or newest address of what was requested. */
export const redirect = (location: string, status: PageRedirect['status'] = 302): PageRedirect => ({
  kind: 'redirect',
  location,
  status,
});

/** The declared values of a request. */
export interface PageInput<Path extends Params = Params, Query extends Params = Params> {
  path: ParamValues<Path>;
  query: ParamValues<Query>;
  /** All parameters of the query, without declared ones whose values are unknown. */
  search: URLSearchParams;
  viewer: Ui['viewer'];
  /** The language that the visitor reads add-ons in. */
  locale: string;
}

interface PageFacts {
  /** With the parameters of `params` as `:name`, and a trailing slash unless it is a file. */
  path: string;
  visitor: Visitor;
  /** Whether the sign-in must have been in the last 15 minutes. */
  needsRecentSignIn: boolean;
  limit: PageLimit | null;
  params: Params;
  query: Params;
}

interface Declaration<
  Path extends Params,
  Query extends Params,
  State,
  StateVariables,
  Result,
  Variables,
  More,
  MoreVariables,
> extends Pick<PageFacts, 'path' | 'visitor'>,
    Partial<Pick<PageFacts, 'needsRecentSignIn' | 'limit'>>,
    // Only pages without `more` may have a revision.
    Omit<
      EndpointDeclaration<Path, PageInput<Path, Query>, [], State, StateVariables, Result, Variables, unknown>,
      'reply'
    > {
  query?: Query;
  /** Whether a viewer whom the operations refuse gets 404, so that what is not public cannot be probed. */
  hidesRefusals?: true;
  /** Where viewers are led for whom there is no such page; null for an error page. */
  insteadOf404?(input: PageInput<Path, Query>): PageRedirect | null;
  /** A second operation, which needs data of the first; null variables skip it, and its data is null. */
  more?: Operation<[data: Result, input: PageInput<Path, Query>], More, MoreVariables, null> & {
    /** Whether the page is shown without this data, which is null then, while the service cannot load it. */
    isOptional?: true;
  };
  /** The template. Null if there is no such page. */
  view(
    data: Result,
    input: PageInput<Path, Query>,
    ui: Ui,
    more: More | null,
  ): PageResult | null | Promise<PageResult | null>;
}

/** A row of the page table. */
export interface PageRow extends PageFacts {
  /** Reads path and query. @throws {InvalidInputError} for a required parameter without a valid value. */
  read(path: PathParts, search: URLSearchParams, visitor: Pick<PageInput, 'viewer' | 'locale'>): PageRequest;
}

/** A template with its data, which may be rendered several times. Null if there is no such page. */
type PageTemplate = (ui: Ui) => Promise<PageResult | null>;

/** A request to a page. */
export type PageRequest = EndpointRequest<PageInput, [], PageTemplate>;

/** @throws {NotFoundError} when `work` is refused for lack of permission. */
async function hidden<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof NotAuthenticatedError || error instanceof NotPermittedError ? new NotFoundError() : error;
  }
}

/** The result of `work`; null when it is refused because the service is overloaded. */
async function unlessOverloaded<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnavailableError) return null;
    throw error;
  }
}

/** What `work` returns; null if it finds nothing and that is expected. */
async function unlessMissing<Result>(isExpected: boolean, work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (isExpected && error instanceof NotFoundError) return null;
    throw error;
  }
}

/** Declares a page: its address, the operation behind it and its template. */
export function page<
  State,
  StateVariables,
  Result extends State,
  Variables,
  More = null,
  MoreVariables = null,
  Path extends Params = Record<never, never>,
  Query extends Params = Record<never, never>,
>(declaration: Declaration<Path, Query, State, StateVariables, Result, Variables, More, MoreVariables>): PageRow {
  const { path, visitor, params, query, more } = declaration;
  const { needsRecentSignIn = false, limit = null } = declaration;
  const declared = endpoint({ ...declaration, reply: (data: Result) => data });
  const guarded = declaration.hidesRefusals ? hidden : <Data>(work: () => Promise<Data>) => work();
  return {
    ...{ path, visitor, needsRecentSignIn, limit, params: params ?? {}, query: query ?? {} },
    read(parts, search, visitor) {
      const known = readKnownQuery((query ?? {}) as Query, search);
      const request = declared.read(parts, (path) => ({ path, query: known.values, search: known.search, ...visitor }));
      const { input, revision } = request;
      async function load(context: Context) {
        const { result: data, revision: current } = await guarded(() => request.execute(context));
        const moreVariables = more?.variables(data, input) ?? null;
        const second = async () =>
          more && moreVariables !== null ? execute(more.document, moreVariables, context) : null;
        const rest = await guarded(() => (more?.isOptional ? unlessOverloaded(second) : second()));
        return { data, current, rest };
      }
      return {
        input: input as PageInput,
        revision: revision && ((context) => guarded(() => revision(context))),
        async execute(context) {
          const instead = declaration.insteadOf404?.(input) ?? null;
          const loaded = await unlessMissing(instead !== null, () => load(context));
          if (loaded === null) return { result: async () => instead, revision: null };
          const { data, current, rest } = loaded;
          const template: PageTemplate = async (ui) =>
            namingUnknownValues(ui, (await declaration.view(data, input, ui, rest)) ?? instead, known.unknown);
          return { result: template, revision: current };
        },
      };
    },
  };
}
