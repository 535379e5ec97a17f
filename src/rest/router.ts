import type { Environment } from '../config.ts';
import { HttpRefusal, unknownAddress } from './errors.ts';
import { API_VERSIONS, type ApiVersion, isServed } from './gates.ts';
import type { Method, Route } from './route.ts';

/** The route that a request is for, and the decoded parts of its path. */
export interface Match {
  route: Route;
  apiVersion: ApiVersion;
  path: Record<string, string>;
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Finds the route for a path as it was sent, percent-encoded: one below `/api/`, or that of a route outside of it. Paths are
 * matched to the letter and with or without the slash at their end, as clients differ on it. HEAD is answered by the route
 * for GET.
 * @throws {HttpRefusal} 404 for an address that is not served, 405 with `Allow` for one that does not know the method.
 */
export function findRoute(routes: readonly Route[], method: string, rawPath: string, environment: Environment): Match {
  const found = matchingRoutes(routes, rawPath, environment);
  if (found.length === 0) throw unknownAddress();
  const wanted = method === 'HEAD' ? 'GET' : method;
  const match = found.find(({ route }) => route.method === wanted);
  if (match) return match;
  const allow = allowedMethods(found.map(({ route }) => route.method)).join(', ');
  throw new HttpRefusal(405, `Method "${method}" not allowed.`, { Allow: allow });
}

/** The methods of an address, for `Allow`. */
function allowedMethods(known: readonly Method[]): string[] {
  const allowed = METHODS.filter((method) => known.includes(method));
  return [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

/** Every route that has the address, whatever the method. */
function matchingRoutes(routes: readonly Route[], rawPath: string, environment: Environment): Match[] {
  const segments = decodeSegments(rawPath);
  if (segments === null) return [];
  const [api, version, ...rest] = segments;
  if (api !== 'api') {
    const outside = routes.filter((route) => route.outsideApi);
    return outside.flatMap((route) => matchOf(route, 'v4', segments));
  }
  const apiVersion = API_VERSIONS.find((known) => known === version);
  if (apiVersion === undefined || !isServed(apiVersion, environment)) return [];
  return servedRoutes(routes, apiVersion, rest.length).flatMap((route) => matchOf(route, apiVersion, rest));
}

/** The routes of a table by API version and number of segments: few are left to look at for each request. */
const tables = new WeakMap<readonly Route[], Map<string, readonly Route[]>>();

function servedRoutes(routes: readonly Route[], apiVersion: ApiVersion, length: number): readonly Route[] {
  let table = tables.get(routes);
  if (table === undefined) {
    table = new Map();
    for (const route of routes) {
      if (route.outsideApi) continue;
      for (const version of route.versions) {
        const key = `${version} ${patternOf(route).length}`;
        table.set(key, [...(table.get(key) ?? []), route]);
      }
    }
    tables.set(routes, table);
  }
  return table.get(`${apiVersion} ${length}`) ?? [];
}

function matchOf(route: Route, apiVersion: ApiVersion, segments: readonly string[]): Match[] {
  const path = matchPath(route, segments);
  return path === null ? [] : [{ route, apiVersion, path }];
}

/** The segments of a path, or null for one that can name nothing: an empty segment, a broken escape, a NUL. */
function decodeSegments(rawPath: string): string[] | null {
  const trimmed = rawPath.replace(/^\//, '').replace(/\/$/, '');
  const segments: string[] = [];
  for (const raw of trimmed.split('/')) {
    const segment = decodeSegment(raw);
    if (segment === null || segment === '' || segment.includes('\0')) return null;
    segments.push(segment);
  }
  return segments;
}

function decodeSegment(raw: string): string | null {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
}

/** The segments of each route's path. */
const patterns = new WeakMap<Route, readonly string[]>();

function patternOf(route: Route): readonly string[] {
  let pattern = patterns.get(route);
  if (pattern === undefined) {
    pattern = route.path.replace(/^\/|\/$/g, '').split('/');
    patterns.set(route, pattern);
  }
  return pattern;
}

function matchPath(route: Route, segments: readonly string[]): Record<string, string> | null {
  const pattern = patternOf(route);
  if (pattern.length !== segments.length) return null;
  const parts: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (!expected.startsWith(':')) {
      if (expected !== segment) return null;
      continue;
    }
    const name = expected.slice(1);
    if (route.params[name]?.digitsOnly && !/^\d+$/.test(segment)) return null;
    parts[name] = segment;
  }
  return parts;
}
