/* Routing without a server. */
import type { Request, RequestHandler, Response } from 'express';
import { caseSensitiveRouter, onNormalPath } from '../../src/http/route-paths.ts';
import type { PageRow } from '../../src/pages/page.ts';
import { type RouteMatch, restHandlers } from '../../src/rest/handler.ts';
import type { Route } from '../../src/rest/route.ts';

/** Passes a request to handlers, of which the last one to run calls `response.locals.found`. */
function pass(
  handlers: readonly RequestHandler[],
  method: string,
  url: string,
  found: (result: unknown) => void,
): void {
  const request = { method, url } as Request;
  const response = { locals: { found } as Response['locals'] } as Response;
  const next = (index: number): void => void handlers[index]?.(request, response, () => next(index + 1));
  next(0);
}

/** Makes the function that finds the route of a method and a path. It rejects with 404 or 405 for other requests. */
export function routeFinder(routes: readonly Route[]): (method: string, path: string) => Promise<RouteMatch> {
  const handlers = restHandlers(routes, (_request, { locals }, found) => locals.found(found));
  return async (method, path) => {
    const found = await new Promise<unknown>((resolve) => pass(handlers, method, path, resolve));
    if (found instanceof Error) throw found;
    return found as RouteMatch;
  };
}

/** A page of the table, and the decoded parameters of its path. */
export interface FoundPage {
  row: PageRow;
  path: Record<string, string>;
}

/** Makes the function that finds the page of a path; null for other addresses. */
export function pageFinder(pages: readonly PageRow[]): (path: string) => FoundPage | null {
  const router = caseSensitiveRouter();
  for (const row of pages) {
    router.get(row.path, ({ params }, { locals }) => locals.found({ row, path: params }));
  }
  return (path) => {
    let last: FoundPage | null = null;
    pass([onNormalPath(router)], 'GET', path, (found) => {
      last = found as FoundPage;
    });
    return last;
  };
}
