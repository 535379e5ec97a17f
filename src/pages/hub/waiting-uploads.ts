/* Packages that are uploaded and not submitted: the list that the developer hub begins with. */

import { html } from 'hono/html';
import type { HubWaitingFragment } from '../../generated/operations/graphql.ts';
import { moment } from '../components/time.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { channelName, isBeingChecked, stageBadge } from './states.ts';

/** The packages with their stage, how long they are kept, and a link to continue; nothing without one. */
export function waitingUploads(ui: Ui, uploads: readonly HubWaitingFragment[]): Html {
  const { t } = ui;
  if (uploads.length === 0) return html``;
  const moving = uploads.find(({ stage }) => isBeingChecked(stage));
  const events = moving && html` data-events="/validation/${moving.pk}/events"`;
  return html`<div id="waiting-uploads"${events}>
<h2>${t('hub.waiting.title')}</h2>
<ul class="hub-list">
${uploads.map((upload) => html`<li class="hub-item">${waitingUpload(ui, upload)}</li>`)}</ul></div>`;
}

function waitingUpload(ui: Ui, upload: HubWaitingFragment): Html {
  const { t } = ui;
  const { guid, version, stage, channel, expires } = upload;
  const kept = expires == null ? null : moment(ui, expires);
  return html`<h3><bdi dir="ltr">${guid ?? t('hub.waiting.no-id')} ${version}</bdi></h3>
<p>${channelName(ui, channel)} ${stageBadge(ui, stage)} ${kept !== null && html`<span class="muted">${t('hub.waiting.kept', { date: kept })}</span>`}</p>
<p>${nextLink(ui, upload)}</p>`;
}

function nextLink({ t }: Ui, { pk, guid, version, stage }: HubWaitingFragment): Html {
  const name = html`<span class="visually-hidden">: <bdi dir="ltr">${guid ?? ''} ${version}</bdi></span>`;
  if (stage === 'VALID')
    return html`<a class="button" href="/developers/submit/${pk}/">${t('hub.waiting.continue')}${name}</a>`;
  return html`<a class="button" href="/validation/${pk}/">${t(isBeingChecked(stage) ? 'hub.waiting.follow' : 'hub.waiting.fix')}${name}</a>`;
}
