import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRecentSignIn } from '../auth/recent-sign-in.ts';
import { ANONYMOUS } from '../auth/viewer.ts';
import { NotAuthenticatedError, ServiceError } from '../errors.ts';
import { redirectToBase } from '../http/base-host.ts';
import { setHeaders } from '../http/headers.ts';
import { methodNotAllowed, unknownAddress } from '../http/http-refusal.ts';
import { isRead, requestPath } from '../http/request-target.ts';
import { pageFinder } from './find-page.ts';
import { type FormRow, withoutDone } from './form.ts';
import { type Frame, type FrameDependencies, frameOf, type Sender } from './frame.ts';
import type { Content, PageLimit, PageRow, Redirect } from './page.ts';
import { errorPage, headersOf, isRefusal, statusOf } from './refusal.ts';
import { sendContent, sendKept, sendResult } from './send.ts';
import { type SubmitDependencies, submitForm } from './submit.ts';
import type { Ui } from './ui.ts';

/** What pages need and must not import; `app.ts` provides it. */
export interface PageDependencies extends FrameDependencies, SubmitDependencies {
  /** Counts a request of an account or an address. @throws {ThrottledError} above the limit. */
  countVisit(limit: PageLimit, viewer: Frame['viewer'], ip: string | null): Promise<void>;
  /** Logs an unexpected error. */
  report(error: unknown, requestId: string): void;
}

export interface PageHandler {
  /** Serves the pages and forms of the tables. Returns false for other addresses. */
  handle(request: IncomingMessage, response: ServerResponse, sender: Sender): Promise<boolean>;
  /** Sends a page that is in no table, such as the sign-in of the demo. */
  send(request: IncomingMessage, response: ServerResponse, sender: Sender, content: (ui: Ui) => Content): Promise<void>;
  /** Sends the page of an error. */
  sendError(request: IncomingMessage, response: ServerResponse, sender: Sender, error: unknown): Promise<void>;
}

/** Makes the handler of pages and forms. */
export function pageHandler(
  pages: readonly PageRow[],
  forms: readonly FormRow[],
  dependencies: PageDependencies,
): PageHandler {
  const findPage = pageFinder(pages);
  const open = (request: IncomingMessage, response: ServerResponse, sender: Sender) =>
    frameOf(request, response, sender, dependencies);
  // An error is shown although the session cannot be read, which may be the error.
  const withoutSession = { ...dependencies, viewerOf: async () => ANONYMOUS };
  const openForError: typeof open = (request, response, sender) =>
    open(request, response, sender).catch(() => frameOf(request, response, sender, withoutSession));
  const sendError = async (frame: Frame, thrown: unknown): Promise<void> => {
    const { sender, response, viewer } = frame;
    const error = isHiddenAddon(thrown) ? unknownAddress() : thrown;
    if (!isRefusal(error)) dependencies.report(error, sender.requestId);
    if (response.headersSent) return void response.destroy();
    const needsSignIn = error instanceof NotAuthenticatedError || statusOf(error, false) === 403;
    if (isRead(frame.request) && viewer.kind === 'anonymous' && needsSignIn) return sendResult(frame, signIn(frame));
    setHeaders(response, headersOf(error));
    await sendContent(frame, errorPage(frame.ui, error, sender.requestId, statusOf(error, false)));
  };
  return {
    async handle(request, response, sender) {
      const match = findPage(requestPath(request));
      if (match === null) return false;
      if (redirectToBase(request, response)) return true;
      const frame = await open(request, response, sender);
      try {
        await serve(frame, match.row, match.path, forms, dependencies);
      } catch (error) {
        await sendError(frame, error);
      }
      return true;
    },
    async send(request, response, sender, content) {
      const frame = await open(request, response, sender);
      await sendContent(frame, content(frame.ui));
    },
    async sendError(request, response, sender, error) {
      await sendError(await openForError(request, response, sender), error);
    },
  };
}

/** Whether an error refuses an add-on that is not public: such a page does not exist for those who may not see the add-on. */
const isHiddenAddon = (error: unknown): boolean => error instanceof ServiceError && error.details.flags !== undefined;

/** Leads to the sign-in and back. `again`: although the viewer is signed in. */
function signIn({ ui }: Frame, again = false): Redirect {
  const query = new URLSearchParams({ next: withoutDone(ui.path), ...(again ? { again: '1' } : {}) });
  return { kind: 'redirect', location: `/login/?${query}`, status: 303 };
}

async function serve(
  frame: Frame,
  row: PageRow,
  path: Record<string, string>,
  forms: readonly FormRow[],
  dependencies: PageDependencies,
): Promise<void> {
  const { request, viewer, sender } = frame;
  const own = forms.filter(({ page }) => page === row);
  const needsSignIn = row.needsRecentSignIn && !isRecentSignIn(viewer);
  if (request.method === 'POST' && own.length > 0) {
    const submission = { row, forms: own, path, needsSignIn };
    return sendResult(frame, await submitForm(frame, submission, dependencies));
  }
  if (!isRead(request)) {
    throw methodNotAllowed(request.method, ['GET', 'HEAD', ...(own.length > 0 ? ['POST'] : [])]);
  }
  if (row.visitor === 'account' && viewer.kind === 'anonymous') return sendResult(frame, signIn(frame));
  if (needsSignIn) return sendResult(frame, signIn(frame, true));
  if (row.limit !== null) await dependencies.countVisit(row.limit, viewer, sender.ip);
  const read = row.read(path, frame.search, frame.ui.viewer);
  if (viewer.kind === 'anonymous' && sendKept(frame, await read.revision(frame.context))) return;
  const loaded = await read.load(frame.context);
  const result = await loaded.render(frame.ui);
  if (result === null) throw unknownAddress();
  await sendResult(frame, result, loaded.revision);
}
