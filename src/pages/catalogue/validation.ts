import { html } from 'hono/html';
import { executeSubscription } from '../../execution/execute.ts';
import {
  ValidationEventsDocument,
  ValidationPageDocument,
  type ValidationPageQuery,
  ValidationSourceDocument,
  type ValidationSourceQuery,
} from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { segmentParam, textParam, wordParam } from '../../http/params.ts';
import { facts } from '../components/facts.ts';
import { notice } from '../components/notice.ts';
import { stageList } from '../components/stage-list.ts';
import { moment } from '../components/time.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { type MessageFilter, shownPlaces, validationMessages } from './validation-messages.ts';

type ShownUpload = NonNullable<ValidationPageQuery['upload']>;
type Stage = ShownUpload['stage'];

/** Seconds between two loads of the page by a browser without scripts. */
const REFRESH_SECONDS = 3;

const pk = { pk: segmentParam('Identifier of the upload.') };

/** The variable that names the upload of the path. */
export const uploadOfPath = ({ path }: { path: { pk: string } }) => ({ id: globalId('Upload', path.pk) });

/**
 * The page behind `validation_url` (contract, Upload status): stages, reason and next step of an upload, and the validator's
 * messages. It needs no credentials, because the address contains a secret.
 */
export const validationPage = page({
  path: '/validation/:pk/',
  visitor: 'all',
  params: pk,
  query: {
    severity: wordParam<'ERROR' | 'WARNING' | 'NOTICE'>('Severity of the messages to show.', {
      error: 'ERROR',
      warning: 'WARNING',
      notice: 'NOTICE',
    }),
    file: textParam('File of the messages to show.'),
    rule: textParam('Rule of the messages to show.'),
    page: textParam('Page of the messages, from 1.'),
  },
  document: ValidationPageDocument,
  variables: uploadOfPath,
  more: {
    document: ValidationSourceDocument,
    // Anonymous visitors never see source.
    variables: ({ upload }, { path, query, viewer }) => {
      if (viewer === null || upload === null || upload.validation === null) return null;
      const places = shownPlaces(upload.validation, query);
      return places.length === 0 ? null : { ...uploadOfPath({ path }), places };
    },
  },
  view: ({ upload }, { path, query }, ui, source) => {
    if (upload === null) return null;
    const values = { name: upload.guid ?? ui.t('validation.no-id'), version: upload.version };
    return {
      title: ui.t('validation.title', values),
      robots: 'noindex, nofollow',
      neverStored: true,
      scripts: ['live.js'],
      ...(isMoving(upload) ? { refreshWithoutScripts: REFRESH_SECONDS } : {}),
      main: html`<h1>${ui.t('validation.title', {
        name: html`<bdi dir="ltr">${values.name}</bdi>`,
        version: html`<bdi dir="ltr">${values.version}</bdi>`,
      })}</h1>
${progress(ui, upload, { address: `/validation/${path.pk}`, filter: query, source })}`,
    };
  },
});

/** The stages of an upload as events, for the script of the page. */
export const validationEvents = page({
  path: '/validation/:pk/events',
  visitor: 'all',
  params: pk,
  view: (_data, { path }) => ({
    kind: 'events',
    open: async (context) =>
      stagesOf(await executeSubscription(ValidationEventsDocument, uploadOfPath({ path }), context)),
  }),
});

/** The names of the stages that the events have. */
function stagesOf(events: AsyncIterableIterator<{ uploadChanged: { stage: Stage } }>): AsyncIterableIterator<string> {
  const stages: AsyncIterableIterator<string> = {
    async next() {
      const event = await events.next();
      return event.done ? { done: true, value: undefined } : { done: false, value: event.value.uploadChanged.stage };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => stages,
  };
  return stages;
}

/** Whether the upload enters another stage without a person. */
function isMoving({ stage, isSubmitted }: ShownUpload): boolean {
  return ['RECEIVED', 'VALIDATING', 'SIGNING'].includes(stage) || (stage === 'VALID' && isSubmitted);
}

/** Whether its stage can still change. */
const isFinal = ({ stage }: ShownUpload): boolean => ['INVALID', 'SIGNED', 'REJECTED', 'ERROR'].includes(stage);

interface Shown {
  /** Path of the page without its last slash. */
  address: string;
  filter: MessageFilter;
  source: ValidationSourceQuery | null;
}

/** What changes while the page is open. `live.js` follows the events that the element names. */
function progress(ui: Ui, upload: ShownUpload, { address, filter, source }: Shown): Html {
  const { t } = ui;
  const { stage, reason, nextStep, expires, channel } = upload;
  const excerpts = source?.upload?.sourceExcerpts ?? null;
  const events = isFinal(upload) ? '' : html` data-events="${address}/events"`;
  return html`<div id="progress" class="stack"${events}>
${notice(ui, {
  kind: kindOf(stage),
  title: t(`validation.stage.${stage}`),
  text: html`${reasonOf(upload)}<p>${nextStep}</p>`,
  ...(upload.isOwn &&
    stage === 'VALID' &&
    !upload.isSubmitted && {
      actions: html`<a class="button primary" href="/developers/submit/${upload.pk}/">${t('hub.submission.title')}</a>`,
    }),
  ...(upload.isOwn &&
    kindOf(stage) === 'error' && {
      actions: html`<a class="button" href="${nextUploadPath(upload)}">${t('hub.step-button.submit-version')}</a>`,
    }),
})}
${facts(ui, {
  items: [
    { term: t('hub.channel'), value: t(`validation.channel.${channel}`) },
    { term: t('hub.waiting.expires'), value: expires === null ? null : moment(ui, expires) },
  ],
})}
<h2>${t('validation.stages')}</h2>
${stages(ui, upload)}
${upload.validation === null ? '' : validationMessages(ui, upload.validation, { address: `${address}/`, filter, excerpts })}
</div>`;

  function reasonOf({ stage: current }: ShownUpload): Html {
    if (reason === null || reason === '') return html``;
    // Reviewers write in any language; the direction of their text is its own.
    return current === 'REJECTED'
      ? html`<p class="message-description" dir="auto">${reason}</p>`
      : html`<p>${reason}</p>`;
  }
}

/** Where the corrected package is uploaded. */
function nextUploadPath({ addon }: ShownUpload): string {
  if (addon === null) return '/developers/submit/';
  return `/developers/addon/${encodeURIComponent(addon.slug ?? String(addon.databaseId))}/versions/new`;
}

function kindOf(stage: Stage): 'info' | 'ok' | 'warning' | 'error' {
  if (stage === 'SIGNED') return 'ok';
  if (stage === 'INVALID' || stage === 'ERROR' || stage === 'REJECTED') return 'error';
  return 'info';
}

/** The stages that an upload passes, by what it is. */
function wayOf({ isSubmitted, channel }: ShownUpload): readonly Stage[] {
  if (!isSubmitted) return ['RECEIVED', 'VALIDATING', 'VALID'];
  const review: readonly Stage[] = channel === 'LISTED' ? ['AWAITING_REVIEW'] : [];
  return ['RECEIVED', 'VALIDATING', ...review, 'SIGNING', 'SIGNED'];
}

function stages(ui: Ui, upload: ShownUpload): Html {
  const way = wayOf(upload);
  const reached = upload.history.filter(({ stage }) => way.includes(stage) || stage === upload.stage);
  const isFailed = ['INVALID', 'ERROR', 'REJECTED'].includes(upload.stage);
  const last = reached.at(-1)?.stage;
  const next = isFailed ? [] : way.slice(Math.max(0, way.indexOf(last ?? 'RECEIVED')) + 1);
  const isDone = isFinal(upload) || (upload.stage === 'VALID' && !upload.isSubmitted);
  return stageList(ui, [
    ...reached.map(({ stage, reached: time }) => ({
      text: ui.t(`validation.stage.${stage}`),
      state:
        stage !== last || (isDone && !isFailed)
          ? ('done' as const)
          : isFailed
            ? ('failed' as const)
            : ('current' as const),
      time,
    })),
    ...next.map((stage) => ({ text: ui.t(`validation.stage.${stage}`), state: 'next' as const })),
  ]);
}
