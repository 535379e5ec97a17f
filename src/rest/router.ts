import type { Request, RequestHandler, Response, Router } from 'express';
import { config } from '../config.ts';
import type { PathParts } from '../http/endpoint.ts';
import { type HttpRefusal, methodNotAllowed, unknownAddress } from '../http/http-refusal.ts';
import { caseSensitiveRouter, onNormalPath } from '../http/route-paths.ts';
import type { Method, Route } from './route.ts';
import { API_VERSIONS, type ApiVersion, isServed } from './view.ts';

/** The route of a request, and the decoded parameters of its path. */
export interface Match {
  route: Route;
  apiVersion: ApiVersion;
  path: PathParts;
}

/** Responds to a request that matches a route, or to one that is refused: 404 for an unknown address, 405 for another method. */
type Serve = (request: Request, response: Response, found: Match | HttpRefusal) => unknown;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

/** The handlers of all addresses of the table, below their API versions, and of all other addresses. */
export function restHandlers(routes: readonly Route[], serve: Serve): RequestHandler[] {
  const root = caseSensitiveRouter();
  for (const version of API_VERSIONS) {
    const own = routes.filter(({ outsideApi, apiVersions }) => !outsideApi && apiVersions.includes(version));
    const router = routerOf(own, version, serve);
    root.use(`/api/${version}`, (request, response, next) =>
      isServed(version, config.ENVIRONMENT) ? router(request, response, next) : next(),
    );
  }
  const others = routes.filter(({ outsideApi }) => outsideApi);
  root.use(routerOf(others, 'v4', serve));
  return [onNormalPath(root), (request, response) => serve(request, response, refusalOf(request, response))];
}

/** The first route for path and method wins. HEAD matches the route for GET, as always in Express. */
function routerOf(routes: readonly Route[], apiVersion: ApiVersion, serve: Serve): Router {
  const router = caseSensitiveRouter();
  for (const route of routes) {
    const isTaken = ({ method }: Request) => route.isServed() && !(method === 'HEAD' && route.changesState);
    router
      .route(route.path)
      [verbOf(route)]((request, response, next) =>
        isTaken(request) ? serve(request, response, { route, apiVersion, path: request.params as PathParts }) : next(),
      )
      .all((_request, response, next) => {
        if (route.isServed()) allowedMethods(response).push(...methodsOf(route));
        next();
      });
  }
  return router;
}

const verbOf = ({ method }: Route) => method.toLowerCase() as Lowercase<Method>;

const methodsOf = ({ method, changesState }: Route): string[] =>
  method === 'GET' && !changesState ? ['GET', 'HEAD'] : [method];

/** The methods of routes whose paths match a request. */
function allowedMethods({ locals }: Response): string[] {
  locals.allowedMethods ??= [];
  return locals.allowedMethods as string[];
}

function refusalOf({ method }: Request, response: Response): HttpRefusal {
  const allowed = allowedMethods(response);
  if (allowed.length === 0) return unknownAddress();
  return methodNotAllowed(method, [...METHODS.filter((each) => allowed.includes(each)), 'OPTIONS']);
}
