/* Errors as pages: cause, next step, and the id of the request. */
import { html } from 'hono/html';
import { changedFieldsOf, fieldMessagesOf, ReadOnlyError, ServiceError, SimilarValuesError } from '../errors.ts';
import { HttpRefusal, isRefusal, type Refusal } from '../http/http-refusal.ts';
import { REFUSAL_STATUS, retryHeaders } from '../http/refusal-status.ts';
import type { MessageCode } from '../texts/message-types.ts';
import type { Message } from '../texts/messages.ts';
import type { TypedValues } from './fields.ts';
import type { Html } from './html.ts';
import { messageHtml } from './messages.ts';
import type { PageContent } from './page.ts';
import { askOperator } from './site/operator.ts';
import type { PageTextKey } from './texts.ts';
import type { RefusedForm, Ui } from './ui.ts';

/** The status of an error page. A form with invalid fields is 422, one with fields that others have changed 409. */
export function statusOf(error: unknown, isForm: boolean): number {
  if (error instanceof HttpRefusal) return error.status;
  if (!(error instanceof ServiceError)) return 500;
  if (isForm && changedFieldsOf(error).length > 0) return 409;
  const status = REFUSAL_STATUS[error.code];
  return isForm && status === 400 ? 422 : status;
}

/** Headers of an error page. */
export function headersOf(error: unknown): Record<string, string> {
  if (error instanceof HttpRefusal) return error.headers;
  return error instanceof ServiceError ? retryHeaders(error.code, error.details) : {};
}

/** The statuses with texts of their own; others have those of the first one in their class. */
const KNOWN = [400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 503] as const;

type KnownStatus = (typeof KNOWN)[number];

function knownStatus(status: number): KnownStatus {
  return KNOWN.find((known) => known === status) ?? (status < 500 ? 400 : 500);
}

/** Messages that say no more than the title of the page. */
const PLAIN: readonly (MessageCode | undefined)[] = ['request.not_found', 'request.not_permitted'];

/** The page of an error. `more` follows the explanation, and has the way to continue without the session or token that failed. */
export function errorPage(ui: Ui, error: unknown, requestId: string, status: number, more?: Html): PageContent {
  const { t } = ui;
  const known = knownStatus(status);
  const title: PageTextKey = `error.${known}.title`;
  const message = isRefusal(error) && !PLAIN.includes(error.reason.code) ? textOf(ui, error, error.reason) : null;
  return {
    title: t(title),
    status,
    robots: 'noindex',
    main: html`<h1>${t(title)}</h1>
${message === null ? '' : html`<p><strong>${message}</strong></p>`}
${more !== undefined && (known === 401 || known === 403) ? '' : html`<p>${t(`error.${known}.next`)}</p>`}
${more ?? ''}
${[403, 429, 500].includes(known) && askOperator(ui)}
<p><a href="/">${t('error.home')}</a></p>
<p class="muted small">${t('error.request-id')} <code><bdi dir="ltr">${requestId}</bdi></code></p>`,
  };
}

/** A message of a refusal. Read-only mode has its own in the language of the request. */
const textOf = (ui: Ui, error: Refusal, message: Message): Html =>
  error instanceof ReadOnlyError ? html`<bdi>${error.message}</bdi>` : messageHtml(ui, message);

/** Statuses of refusals that nothing in the form can prevent: rights, limits, outages and read-only mode. */
const OF_SERVICE: readonly number[] = [401, 403, 404, 429, 503];

/**
 * The messages of a refusal by field. Those of fields that the form does not have go to the summary, those of a translated field as
 * a whole to its first language.
 */
export function messagesOf(
  ui: Ui,
  error: Refusal,
  names: readonly string[],
  typed: TypedValues,
): Omit<RefusedForm, 'values'> {
  const fields = error instanceof ServiceError ? fieldMessagesOf(error) : null;
  const errors: Record<string, readonly Html[]> = {};
  const summary: Html[] = [];
  for (const [path, messages] of Object.entries(fields ?? {})) {
    const isField = names.some((name) => path === name || path.startsWith(`${name}.`));
    const texts = messages.map((message) => textOf(ui, error, message));
    const control = typed.has(path) ? path : ([...typed.keys()].find((name) => name.startsWith(`${path}.`)) ?? path);
    if (isField) errors[control] = texts;
    else summary.push(...texts);
  }
  if (fields === null) summary.push(textOf(ui, error, error.reason));
  const changed = error instanceof ServiceError ? changedFieldsOf(error) : [];
  const offers = error instanceof SimilarValuesError ? { offers: error.offers } : {};
  return { errors, summary, changed, isOfService: OF_SERVICE.includes(statusOf(error, true)), ...offers };
}
