/* The web application: what serves which address, in the order of matching. */
import type { RequestListener } from 'node:http';
import express from 'express';
import { config } from './config.ts';
import { DEMO_SIGN_IN_PATH, finishDemoSignIn, LOGIN_START_PATH, startDemoSignIn } from './demo/sign-in.ts';
import { checkpointKey, publishedCheckpoint } from './domain/activity/checkpoints.ts';
import { graphqlHandler } from './execution/server.ts';
import { breakOff, handleError } from './handlers/error-handlers.ts';
import { readinessHandler, showLiveness } from './handlers/health.ts';
import { servePicture } from './handlers/pictures.ts';
import { serveReleaseNotes } from './handlers/release-notes.ts';
import { updateHandler } from './handlers/update-checks.ts';
import { serveUpdateManifest } from './handlers/update-manifests.ts';
import { serveAsset } from './http/assets.ts';
import { compileTrust } from './http/client-address.ts';
import { unknownAddress } from './http/http-refusal.ts';
import { API_PATH, compress, forwardLink, identify, openToOtherSites, receiveCspReport } from './http/middleware.ts';
import { originForm } from './http/request-target.ts';
import { textHandler } from './http/send-text.ts';
import { readRootPem } from './infra/signer/root-certificate.ts';
import { servePage } from './pages/handler.ts';
import { redirectFormerAddress } from './pages/site/former-addresses.ts';
import { restHandler } from './rest/handler.ts';
import { DOCUMENTED_VERSIONS, openApiText } from './rest/openapi.ts';
import { routes } from './rest/routes/index.ts';

const PLAIN_TEXT = 'text/plain; charset=utf-8';

const GRAPHQL_PATH = /^\/graphql(?:\/|\/editor\/[\w-]+)?$/;
/** The API, downloads, theme updates, and 404 in the form of REST for everything else below /graphql. */
const REST_PATH = /^\/(?:api|graphql|downloads|themes)(?:\/|$)/;

const handleRest = restHandler(routes);

/** Makes the request handler of the web process. `isStopping` returns whether the process shuts down. */
export function createApp(isStopping: () => boolean): RequestListener {
  const isTrustedProxy = compileTrust(config.TRUSTED_PROXIES);
  const app = express();
  app.disable('x-powered-by');
  app.use(identify(isTrustedProxy));
  app.route(API_PATH).all(openToOtherSites);
  app.route(LOGIN_START_PATH).get(startDemoSignIn);
  app.route(GRAPHQL_PATH).all((request, response) => graphqlHandler(request, response, response.locals.sender));
  app.route(REST_PATH).all(handleRest);
  app.use(forwardLink);
  app.use(servePicture);
  app.use(compress());
  app.use(serveAsset);
  app.post('/csp-reports', receiveCspReport);
  app.get('/signing/log/checkpoint', textHandler(PLAIN_TEXT, publishedCheckpoint));
  app.get('/signing/log/key', textHandler(PLAIN_TEXT, checkpointKey));
  app.use(servePage);
  app.get('/healthz', showLiveness);
  app.get('/readyz', readinessHandler(isStopping));
  app.get('/signing/root.pem', textHandler('application/x-pem-file', readRootPem));
  for (const version of DOCUMENTED_VERSIONS) {
    app.get(
      `/docs/openapi-${version}.json`,
      textHandler('application/json', () => openApiText(version)),
    );
  }
  app.post(DEMO_SIGN_IN_PATH, finishDemoSignIn);
  app.use(serveReleaseNotes);
  app.use(serveUpdateManifest);
  app.use(redirectFormerAddress);
  app.use(() => {
    throw unknownAddress();
  });
  app.use(breakOff);
  app.use(handleError);
  const serveUpdateCheck = updateHandler(isTrustedProxy);
  return (request, response) => {
    request.url = originForm(request.url);
    if (!serveUpdateCheck(request, response)) app(request, response);
  };
}
