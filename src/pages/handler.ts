import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler, Router } from 'express';
import { wrapLink } from '../auth/outgoing-links.ts';
import { isRecentSignIn } from '../auth/recent-sign-in.ts';
import { ANONYMOUS } from '../auth/viewer.ts';
import { NotAuthenticatedError, ServiceError } from '../errors.ts';
import { type PathParts, respond } from '../execution/endpoint.ts';
import { redirectToBase } from '../http/base-host.ts';
import { setHeaders } from '../http/headers.ts';
import { isRefusal, methodNotAllowed, unknownAddress } from '../http/http-refusal.ts';
import { countVisit, logFailure, type Sender, senderOf } from '../http/request-services.ts';
import { isRead } from '../http/request-target.ts';
import { caseSensitiveRouter, onNormalPath } from '../http/route-paths.ts';
import { type FormRow, withoutDone } from './form.ts';
import type { PageRedirect, PageResult, PageRow } from './page.ts';
import { createPageContext, type PageContext, pageContextFor } from './page-context.ts';
import { errorPage, headersOf, statusOf } from './refusal.ts';
import { sendCachedPage, sendContent, sendResult } from './send.ts';
import { submitForm } from './submit.ts';
import { allForms, pages } from './table.ts';

/** Serves the pages and forms of the tables. Calls `next` for other addresses. */
export const servePage: RequestHandler = onNormalPath(pageRouter());

/** The first page for a path wins. HEAD matches GET, as always in Express. */
function pageRouter(): Router {
  const router = caseSensitiveRouter();
  for (const row of pages) {
    const own = allForms.filter(({ page }) => page === row);
    const route = router.route(row.path).get(handled((pageContext, path) => show(pageContext, row, path)));
    if (own.length > 0) route.post(handled((pageContext, path) => submit(pageContext, row, own, path)));
    const allowed = ['GET', 'HEAD', ...(own.length > 0 ? ['POST'] : [])];
    route.all(handled(({ request }) => Promise.reject(methodNotAllowed(request.method, allowed))));
  }
  return router;
}

/** The handler of a method of a page. */
function handled(serve: (pageContext: PageContext, path: PathParts) => Promise<void>): RequestHandler {
  return async (request, response) => {
    if (redirectToBase(request, response)) return;
    const pageContext = await createPageContext(request, response, senderOf(response));
    try {
      await serve(pageContext, request.params as PathParts);
    } catch (error) {
      await sendErrorOf(pageContext, error);
    }
  };
}

/** Sends the page of an error. It is shown although the session cannot be read, which may be the error. */
export async function sendErrorPage(
  request: IncomingMessage,
  response: ServerResponse,
  sender: Sender,
  error: unknown,
): Promise<void> {
  const pageContext = await createPageContext(request, response, sender).catch(() =>
    pageContextFor(request, response, sender, ANONYMOUS),
  );
  await sendErrorOf(pageContext, error);
}

async function sendErrorOf(pageContext: PageContext, thrown: unknown): Promise<void> {
  const { sender, response, viewer } = pageContext;
  const error = isHiddenAddon(thrown) ? unknownAddress() : thrown;
  if (!isRefusal(error)) logFailure(error, sender.requestId);
  if (response.headersSent) return void response.destroy();
  const needsSignIn = error instanceof NotAuthenticatedError || statusOf(error, false) === 403;
  if (isRead(pageContext.request) && viewer.kind === 'anonymous' && needsSignIn)
    return void (await sendResult(pageContext, signIn(pageContext)));
  setHeaders(response, headersOf(error));
  await sendContent(pageContext, errorPage(pageContext.ui, error, sender.requestId, statusOf(error, false)));
}

/** Whether an error refuses an add-on that is not public: such a page does not exist for those who may not see the add-on. */
const isHiddenAddon = (error: unknown): boolean => error instanceof ServiceError && error.details.flags !== undefined;

/** Leads to the sign-in and back. `again`: although the viewer is signed in. */
function signIn({ ui }: PageContext, again = false): PageRedirect {
  const query = new URLSearchParams({ next: withoutDone(ui.path), ...(again ? { again: '1' } : {}) });
  return { kind: 'redirect', location: `/login/?${query}`, status: 303 };
}

const needsSignInAgain = (row: PageRow, { viewer }: PageContext): boolean =>
  row.needsRecentSignIn && !isRecentSignIn(viewer);

async function submit(pageContext: PageContext, row: PageRow, own: readonly FormRow[], path: PathParts): Promise<void> {
  const submission = { row, forms: own, path, needsSignIn: needsSignInAgain(row, pageContext) };
  await sendResult(pageContext, await submitForm(pageContext, submission));
}

async function show(pageContext: PageContext, row: PageRow, path: PathParts): Promise<void> {
  const { viewer, sender } = pageContext;
  if (row.visitor === 'account' && viewer.kind === 'anonymous')
    return void (await sendResult(pageContext, signIn(pageContext)));
  if (needsSignInAgain(row, pageContext)) return void (await sendResult(pageContext, signIn(pageContext, true)));
  if (row.limit !== null) await countVisit(row.limit, viewer, sender.ip);
  const { context, ui, request, response } = pageContext;
  const read = row.read(path, pageContext.search, { viewer: ui.viewer, locale: context.locale });
  pageContext.isShared = viewer.kind === 'anonymous' && read.revision !== null;
  await respond<PageResult>(request, response, {
    key: viewer.kind === 'anonymous' ? keyOf(pageContext) : null,
    revision: async () => read.revision?.(context) ?? null,
    // That of a page is the hash of its body.
    etagOf: () => null,
    async execute() {
      const { result: template, revision } = await read.execute(context);
      const result = await template(ui);
      if (result === null) throw unknownAddress();
      return { result, revision };
    },
    send: ({ result }) => sendResult(pageContext, result),
    sendCached: (cached) => sendCachedPage(pageContext, cached),
  });
}

/** Everything but the revision that a page for anonymous visitors depends on. The link changes with the settings of wrapped links. */
const keyOf = ({ ui, context }: PageContext): string =>
  JSON.stringify([
    ui.path,
    ui.language,
    context.locale,
    ui.theme,
    ui.siteNotice,
    ui.readOnly,
    wrapLink('https://sample.invalid/'),
  ]);
