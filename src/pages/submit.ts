/* Submitted forms: checks before the body, its fields, the mutation, and the page again when it is refused. */

import type { IncomingMessage } from 'node:http';
import { html } from 'hono/html';
import { InvalidInputError, NotAuthenticatedError, NotFoundError, refusedField, ServiceError } from '../errors.ts';
import type { PathParts } from '../execution/endpoint.ts';
import { bodySize, sendContinue } from '../http/drain.ts';
import { setHeaders } from '../http/headers.ts';
import { HttpRefusal, isRefusal, type Refusal } from '../http/http-refusal.ts';
import { exceedsLimit, isMultipart, readForm } from '../http/multipart.ts';
import { countVisit, reserveCountedUpload } from '../http/request-services.ts';
import { requireSameOrigin } from '../http/same-origin.ts';
import { readUrlencodedLists } from '../http/small-body.ts';
import { type Message, message } from '../texts/messages.ts';
import { errorSummary } from './components/error-summary.ts';
import { OFFER_BUTTON, ONCE_FIELD } from './components/form.ts';
import { isCsrfToken } from './csrf.ts';
import type { TypedValues } from './fields.ts';
import { ADD_BUTTON, FILE_FIELD, type FormRow, type SubmittedForm } from './form.ts';
import { actOnce } from './once.ts';
import type { PageContent, PageRequest, PageResult, PageRow } from './page.ts';
import { type PageContext, withRefusedForm } from './page-context.ts';
import { errorPage, headersOf, messagesOf, statusOf } from './refusal.ts';
import { confirmAccountPage, needsConfirmation, resendForm } from './resend.ts';
import type { RefusedForm } from './ui.ts';

/** The page of a form, the forms on it, and whether its viewer must sign in again first. */
interface Submission {
  row: PageRow;
  forms: readonly FormRow[];
  path: PathParts;
  needsSignIn: boolean;
}

/** Maximum size of a form without a file, in bytes. */
const MAX_FORM_BYTES = 2 * 1024 * 1024;

/** Serves a submitted form. @throws {ServiceError | HttpRefusal} for a request that is no form of this page. */
export async function submitForm(pageContext: PageContext, submission: Submission): Promise<PageResult> {
  const oneClick = submission.forms.find((form) => form.oneClick !== null) ?? null;
  if (oneClick === null) requireSameOrigin(pageContext.request);
  const { submitted, release } = await readSubmitted(pageContext, submission);
  try {
    const name = submitted.typed.get('form')?.at(-1);
    if (oneClick !== null && name === undefined) return await run(pageContext, submission, oneClick, submitted);
    if (oneClick !== null) requireSameOrigin(pageContext.request);
    const row = submission.forms.find((form) => form.name === name);
    if (row === undefined) throw submitted.problem ?? new HttpRefusal(400, message('form.unknown'));
    const blocked = blockedSubmission(pageContext, submission, submitted.typed);
    if (blocked !== null) return blocked;
    return await run(pageContext, submission, row, submitted);
  } finally {
    release();
    await submitted.file?.staged?.discard();
  }
}

/** A submitted form, and why its file was refused; its other fields may be incomplete then. */
interface Received extends SubmittedForm {
  problem: InvalidInputError | null;
}

async function readSubmitted(
  { request, response, viewer }: PageContext,
  { row, forms }: Submission,
): Promise<{ submitted: Received; release(): void }> {
  const withFile = forms.filter(({ file }) => file !== null);
  if (!isMultipart(request) || withFile.length === 0) {
    sendContinue(request, response);
    const typed = await readUrlencodedLists(request, MAX_FORM_BYTES);
    return { submitted: { typed: withOffer(typed), file: null, problem: null }, release: () => {} };
  }
  const limitBytes = Math.max(...withFile.map(({ file }) => file?.limitBytes ?? 0));
  // Of a form that is too long, or whose session has ended, the fields before the file are read.
  const isCut = exceedsLimit(request, limitBytes) || (row.visitor === 'account' && viewer.kind === 'anonymous');
  const isCounted = withFile.some(({ file }) => file?.isCounted);
  const release = isCut
    ? () => {}
    : await reserveCountedUpload(viewer, { bytes: bodySize(request, limitBytes), isCounted });
  try {
    sendContinue(request, response);
    const names = ['form', 'csrf', ONCE_FIELD, ...withFile.flatMap((each) => each.names)];
    const submitted = await readMultipart(request, names, { limitBytes, readBytes: isCut ? 0 : limitBytes });
    return { submitted, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** The typed values with the one that a button of the form offered. */
function withOffer(typed: TypedValues): TypedValues {
  const [, field, value] = /^([^=]+)=(.*)$/s.exec(typed.get(OFFER_BUTTON)?.at(-1) ?? '') ?? [];
  return field === undefined || value === undefined ? typed : new Map([...typed, [field, [value]]]);
}

/** Reads a form with a file, which is refused above `readBytes` with a message about `limitBytes`. */
async function readMultipart(
  request: IncomingMessage,
  fields: readonly string[],
  { limitBytes, readBytes }: { limitBytes: number; readBytes: number },
): Promise<Received> {
  const received = new Map<string, string>();
  const tooLarge = () => refusedField(FILE_FIELD, message('form.file_too_large', { size: sizeText(limitBytes) }));
  const declared = { file: FILE_FIELD, fields, limitBytes: readBytes, tooLarge, received };
  let file: Awaited<ReturnType<typeof readForm>>['file'] = null;
  let problem: InvalidInputError | null = null;
  try {
    ({ file } = await readForm(request, declared));
  } catch (error) {
    if (!(error instanceof InvalidInputError) || received.size === 0) throw error;
    problem = error;
  }
  const typed = new Map([...received].map(([name, value]) => [name, [value]]));
  // Browsers send an empty file without a name when none was chosen.
  const isChosen = file !== null && (file.fileName !== '' || file.staged.size > 0);
  if (file !== null && !isChosen) await file.staged.discard();
  return { typed, file: isChosen ? file : null, problem };
}

const MEGABYTE = 1024 * 1024;

const sizeText = (bytes: number): string =>
  bytes < MEGABYTE ? `${Math.floor(bytes / 1024)} KB` : `${Math.floor(bytes / MEGABYTE)} MB`;

/** The page for a form that cannot be processed before the viewer does something, with all that was typed; null for others. */
function blockedSubmission(
  pageContext: PageContext,
  { row, needsSignIn }: Submission,
  typed: TypedValues,
): PageContent | null {
  const { ui, session, viewer, sender } = pageContext;
  const { t } = ui;
  const isEnded = row.visitor === 'account' && viewer.kind === 'anonymous';
  if (isEnded || needsSignIn) {
    return signInFirst(pageContext, typed, isEnded ? message('session.ended') : message('sign_in.too_long_ago'));
  }
  if (session !== null && needsConfirmation(typed)) return confirmAccountPage(ui, typed);
  const token = typed.get('csrf')?.at(-1) ?? '';
  if (session === null || isCsrfToken(token, session)) return null;
  const error = new HttpRefusal(403, message('form.out_of_date'));
  return errorPage(ui, error, sender.requestId, 403, resendForm(ui, typed, { text: t('form.check-and-send') }));
}

/** All that was typed, to be sent again after a sign-in in another tab. */
function signInFirst({ ui, sender }: PageContext, typed: TypedValues, problem: Message): PageContent {
  const href = `/login/?${new URLSearchParams({ next: '/account/', again: '1' })}`;
  const link = html`<a href="${href}" target="_blank" rel="noopener">${ui.t('form.sign-in-link')}</a>`;
  const again = resendForm(ui, typed, { text: ui.t('form.sign-in-first', { link }), isChecked: true });
  return errorPage(ui, new NotAuthenticatedError(problem), sender.requestId, 401, again);
}

async function run(
  pageContext: PageContext,
  { row: page, path }: Submission,
  row: FormRow,
  submitted: Received,
): Promise<PageResult> {
  const { ui, context, viewer, sender } = pageContext;
  const request = page.read(path, pageContext.search, { viewer: ui.viewer, locale: context.locale });
  const isOneClick = row.oneClick !== null && !submitted.typed.has('form');
  try {
    // Mail programs send from few addresses for many people.
    if (!isOneClick) await countVisit(row.limit, viewer, sender.ip);
    if (row.isExtensible && submitted.typed.has(ADD_BUTTON)) {
      return await extended(pageContext, request, row, submitted.typed);
    }
    if (submitted.problem !== null) throw submitted.problem;
    const result = await actOnce(pageContext, { form: row, submitted }, () =>
      row.submit(submitted, request.input, context, ui),
    );
    return isOneClick ? (row.oneClick?.(ui) ?? result) : result;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error instanceof ServiceError && error.reason?.code === 'sign_in.not_recent') {
      return signInFirst(pageContext, submitted.typed, message('sign_in.too_long_ago'));
    }
    setHeaders(pageContext.response, headersOf(error));
    return refused(pageContext, request, row, submitted.typed, error);
  }
}

/** The page again, with what was typed and the messages; if the viewer may not see the page, an error page with the same. */
async function refused(
  pageContext: PageContext,
  request: PageRequest,
  row: FormRow,
  typed: TypedValues,
  error: Refusal,
): Promise<PageContent> {
  const { ui, sender } = pageContext;
  const status = statusOf(error, true);
  const names = row.file === null ? row.names : [...row.names, FILE_FIELD];
  const refusedForm = { values: typed, ...messagesOf(ui, error, names, typed) };
  try {
    const content = await pageWith(pageContext, request, row, refusedForm);
    if (content !== null) return { ...content, status, scripts: [...(content.scripts ?? []), 'focus-errors.js'] };
  } catch (problem) {
    if (!isRefusal(problem)) throw problem;
  }
  const text = ui.t('form.check-and-send');
  const again = status === 404 || status === 403 ? undefined : resendForm(ui, typed, { text });
  return errorPage(ui, error, sender.requestId, status, again);
}

/** The page again with what was typed, to which it adds fields. @throws {NotFoundError} if there is no such page any more. */
async function extended(
  pageContext: PageContext,
  request: PageRequest,
  row: FormRow,
  values: TypedValues,
): Promise<PageContent> {
  const content = await pageWith(pageContext, request, row, { values, errors: {}, summary: [], changed: [] });
  if (content === null) throw new NotFoundError();
  return content;
}

/**
 * The page of a form with what was typed; null if there is no such page any more. The messages are on top when the page does not show
 * the form, or shows it without them as it does buttons of rows.
 */
async function pageWith(
  { context, ui }: PageContext,
  request: PageRequest,
  { name }: FormRow,
  typed: RefusedForm,
): Promise<PageContent | null> {
  const { result: template } = await request.execute(context);
  let isShown = false;
  const result = await template(
    withRefusedForm(ui, name, () => {
      isShown = true;
      return typed;
    }),
  );
  if (result === null || (result.kind ?? 'content') !== 'content') return null;
  const content = result as PageContent;
  if (isShown) return content;
  return {
    ...content,
    main: html`${errorSummary(ui, { form: name, refused: typed, labels: new Map() })}${content.main}`,
  };
}

/** For forms whose file is required. @throws {InvalidInputError} keyed by the file. */
export function requireFile<File>(file: File | null): File {
  if (file === null)
    throw new InvalidInputError(message('form.choose_file'), { [FILE_FIELD]: [message('form.choose_file')] });
  return file;
}
