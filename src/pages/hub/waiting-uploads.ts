/* Packages that are uploaded and not submitted: the list that the developer hub begins with. */
import { html } from 'hono/html';
import type { HubWaitingFragment } from '../../generated/operations/graphql.ts';
import { dataTable } from '../components/data-table.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { channelName, isBeingChecked, stageBadge } from './states.ts';

/** The packages with their stage, how long they are kept, and a link to continue; nothing without one. */
export function waitingUploads(ui: Ui, uploads: readonly HubWaitingFragment[]): Html {
  const { t, format } = ui;
  if (uploads.length === 0) return html``;
  const moving = uploads.find(({ stage }) => isBeingChecked(stage));
  const events = moving && html` data-events="/validation/${moving.pk}/events"`;
  return html`<div id="waiting-uploads"${events}>
<h2>${t('hub.waiting.title')}</h2>
${dataTable(ui, {
  id: 'waiting',
  caption: t('hub.waiting.caption'),
  isCaptionHidden: true,
  columns: [
    { text: t('hub.waiting.package') },
    { text: t('hub.waiting.next') },
    { text: t('hub.uploads.stage') },
    { text: t('hub.uploads.channel') },
    { text: t('hub.waiting.expires') },
  ],
  rows: uploads.map((upload) => [
    html`<bdi dir="ltr">${upload.guid ?? t('hub.waiting.no-id')} ${upload.version}</bdi>`,
    nextLink(ui, upload),
    stageBadge(ui, upload.stage),
    channelName(ui, upload.channel),
    upload.expires == null ? '' : html`<time datetime="${upload.expires}">${format.dateTime(upload.expires)}</time>`,
  ]),
})}</div>`;
}

function nextLink({ t }: Ui, { pk, guid, version, stage }: HubWaitingFragment): Html {
  const name = html`<span class="visually-hidden">: <bdi dir="ltr">${guid ?? ''} ${version}</bdi></span>`;
  if (stage === 'VALID')
    return html`<a class="button" href="/developers/submit/${pk}/">${t('hub.waiting.continue')}${name}</a>`;
  return html`<a class="button" href="/validation/${pk}/">${t(isBeingChecked(stage) ? 'hub.waiting.follow' : 'hub.waiting.fix')}${name}</a>`;
}
