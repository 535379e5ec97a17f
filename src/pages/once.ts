/* A form that is sent twice acts once: by a double click, by reloading the response, or from the history of the browser. */

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { html } from 'hono/html';
import { isRefusal } from '../http/http-refusal.ts';
import { withDatabaseErrorsExplained } from '../infra/database-errors.ts';
import { claimSentForm, findSentForm, finishSentForm, releaseSentForm, type SentForm } from '../infra/sent-forms.ts';
import { ONCE_FIELD } from './components/form.ts';
import { moment } from './components/time.ts';
import { doneAt, type FormRow, type SubmittedForm } from './form.ts';
import type { PageContent, PageRedirect } from './page.ts';
import type { PageContext } from './page-context.ts';
import { resendForm } from './resend.ts';
import type { KeyWith } from './texts.ts';
import type { Ui } from './ui.ts';

/** Fields that differ between two sendings of the same form. */
const MACHINE_FIELDS = ['csrf', 'check'];

/** How long a request waits for an earlier one that is running in another process, and how often it looks, in milliseconds. */
const WAIT_MS = 5_000;
const LOOK_MS = 200;

/** Requests that are running in this process, by hash: a second one returns the result of the first, which may be shown only once. */
const running = new Map<string, Promise<PageRedirect | PageContent>>();

/** Runs `act` unless the same form was sent before: then returns where it led, or a page about its state. */
export async function actOnce(
  pageContext: PageContext,
  { form, submitted }: { form: FormRow; submitted: SubmittedForm },
  act: () => Promise<PageRedirect | PageContent>,
): Promise<PageRedirect | PageContent> {
  if (!form.changesData || !submitted.typed.has(ONCE_FIELD)) return act();
  const hash = hashOf(pageContext, submitted);
  const key = hash.toString('base64');
  const first = running.get(key);
  if (first !== undefined) return first;
  const work = actFirst(pageContext, { form, submitted, hash }, act).finally(() => running.delete(key));
  running.set(key, work);
  return work;
}

async function actFirst(
  { ui }: PageContext,
  { form, submitted, hash }: { form: FormRow; submitted: SubmittedForm; hash: Buffer },
  act: () => Promise<PageRedirect | PageContent>,
): Promise<PageRedirect | PageContent> {
  const earlier = await withDatabaseErrorsExplained(() => claimSentForm(hash));
  if (earlier !== null) return resultOf(ui, form, submitted, await finished(hash, earlier));
  let result: PageRedirect | PageContent;
  try {
    result = await act();
  } catch (error) {
    // After an unexpected error it is unknown whether the form acted.
    if (isRefusal(error)) await withDatabaseErrorsExplained(() => releaseSentForm(hash));
    throw error;
  }
  const location = result.kind === 'redirect' ? result.location : null;
  await withDatabaseErrorsExplained(() => finishSentForm(hash, location));
  return result;
}

/** The record once the first request has finished; as it is if that takes too long, as after the death of its process. */
async function finished(hash: Buffer, sent: SentForm): Promise<SentForm> {
  let known = sent;
  while (!known.isFinished && known.age < WAIT_MS) {
    await wait(LOOK_MS);
    // It was refused: as unknown as an interruption, and as harmless to send again.
    known = (await withDatabaseErrorsExplained(() => findSentForm(hash))) ?? { ...known, age: WAIT_MS };
  }
  return known;
}

function hashOf({ viewer, ui }: PageContext, { typed, file }: SubmittedForm): Buffer {
  const account = viewer.kind === 'account' ? viewer.accountId : null;
  // What was changed in a page from the history of the browser is another form.
  const fields = [...typed].filter(([name]) => !MACHINE_FIELDS.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  const content = [account, ui.path, fields, file?.staged?.sha256 ?? null];
  return createHash('sha256').update(JSON.stringify(content)).digest();
}

function resultOf(ui: Ui, form: FormRow, submitted: SubmittedForm, sent: SentForm): PageRedirect | PageContent {
  if (sent.location !== null) return doneAt(sent.location, 'sent-before');
  const finished = form.name === 'new-key' ? 'form.shown-once.new-key' : 'form.sent-before';
  const text: KeyWith<'time'> = sent.isFinished ? finished : 'form.interrupted';
  const { t } = ui;
  const title = t(sent.isFinished ? 'form.sent-before-title' : 'form.interrupted-title');
  const time = moment(ui, sent.created.toISOString());
  return {
    title,
    status: 409,
    robots: 'noindex',
    main: html`<h1>${title}</h1>
<p>${t(text, { time })}</p>
<p><a class="button" href="${ui.path}">${t('form.look')}</a></p>
${!sent.isFinished && resendForm(ui, submitted.typed, { text: t('form.send-anyway') })}`,
  };
}
