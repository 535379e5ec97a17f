import type { Environment } from '../config.ts';
import { methodNotAllowed, unknownAddress } from '../http/http-refusal.ts';
import { decodeSegments, matchPath, type PathPattern, pathPattern } from '../http/path-pattern.ts';
import { API_VERSIONS, type ApiVersion, isServed } from './gates.ts';
import type { Route } from './route.ts';

/** The route of a request, and the decoded parameters of its path. */
export interface Match {
  route: Route;
  apiVersion: ApiVersion;
  path: Record<string, string>;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

/**
 * Finds the route for a percent-encoded path. Paths match case-sensitively, with and without a trailing slash, because clients differ
 * in it. HEAD matches the route for GET.
 * @throws {HttpRefusal} 404 for an unknown address, 405 with `Allow` for another method.
 */
export function findRoute(routes: readonly Route[], method: string, rawPath: string, environment: Environment): Match {
  const address = addressOf(rawPath, environment);
  if (address === null) throw unknownAddress();
  const { apiVersion, segments } = address;
  const wanted = method === 'HEAD' ? 'GET' : method;
  const others: string[] = [];
  for (const pattern of patternsFor(routes, apiVersion, segments.length)) {
    const path = matchPath(pattern.segments, segments);
    const { route } = pattern;
    if (path === null || !route.isServed()) continue;
    if (route.method === wanted && !(method === 'HEAD' && route.changesState))
      return { route, apiVersion: apiVersion ?? 'v4', path };
    others.push(route.method, ...(route.method === 'GET' && !route.changesState ? ['HEAD'] : []));
  }
  if (others.length === 0) throw unknownAddress();
  throw methodNotAllowed(method, allowedMethods(others));
}

/** Whether a percent-encoded path is below the submission API, known or not. */
export function isSubmissionPath(rawPath: string): boolean {
  return /^\/api\/v5(?:\/|$)/.test(rawPath);
}

/** The value of `Allow`, given the methods of the routes. */
function allowedMethods(known: readonly string[]): string[] {
  return [...METHODS.filter((method) => known.includes(method)), 'OPTIONS'];
}

/** The segments after the API version, or all segments of a path without one. */
interface Address {
  apiVersion: ApiVersion | null;
  segments: readonly string[];
}

function addressOf(rawPath: string, environment: Environment): Address | null {
  const segments = decodeSegments(rawPath);
  if (segments === null) return null;
  if (segments[0] !== 'api') return { apiVersion: null, segments };
  const apiVersion = API_VERSIONS.find((known) => known === segments[1]);
  if (apiVersion === undefined || !isServed(apiVersion, environment)) return null;
  return { apiVersion, segments: segments.slice(2) };
}

/** A route with the pattern of its path. */
interface Pattern {
  route: Route;
  segments: PathPattern;
}

/** Patterns by API version and number of segments, per route table. */
const tables = new WeakMap<readonly Route[], Map<string, Pattern[]>>();

const NONE: readonly Pattern[] = [];

function patternsFor(routes: readonly Route[], apiVersion: ApiVersion | null, length: number): readonly Pattern[] {
  let table = tables.get(routes);
  if (table === undefined) {
    table = tableOf(routes);
    tables.set(routes, table);
  }
  return table.get(`${apiVersion} ${length}`) ?? NONE;
}

function tableOf(routes: readonly Route[]): Map<string, Pattern[]> {
  const table = new Map<string, Pattern[]>();
  for (const route of routes) {
    const pattern = { route, segments: pathPattern(route.path) };
    for (const version of route.outsideApi ? [null] : route.apiVersions) {
      const key = `${version} ${pattern.segments.length}`;
      table.set(key, [...(table.get(key) ?? []), pattern]);
    }
  }
  return table;
}
