import { html } from 'hono/html';
import {
  HubOverviewDocument,
  type HubOverviewQuery,
  type HubUploadFragment,
} from '../../generated/operations/graphql.ts';
import { dataTable } from '../components/data-table.ts';
import { facts } from '../components/facts.ts';
import { notice } from '../components/notice.ts';
import { moment } from '../components/time.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import { operatorComment } from '../site/operator.ts';
import type { Ui } from '../ui.ts';
import { addonContent, HUB_ADDON_PAGE, hasRight, hubAddon, hubUrl, mayOpen } from './hub-addon.ts';
import { channelList } from './root.ts';
import {
  channelName,
  eventsOf,
  isMoving,
  noteThread,
  REFRESH_SECONDS,
  stageBadge,
  stepButton,
  stepText,
} from './states.ts';

type Overview = NonNullable<HubOverviewQuery['addon']>;

/** An add-on for its developers: its state, why it is not visible, its last uploads and the thread. */
export const overviewPage = page({
  path: '/developers/addon/:ref/',
  ...HUB_ADDON_PAGE,
  document: HubOverviewDocument,
  view: (data, _input, ui) => {
    const addon = hubAddon(data.addon);
    const { t } = ui;
    const states = addon.channelStates ?? [];
    const content = addonContent(ui, {
      addon,
      tab: 'overview',
      body: () => html`<div id="progress" class="stack"${eventsOf(states)}>${nextStep(ui, addon)}
${visibility(ui, addon)}
<h2>${t('hub.versions.state')}</h2>
${states.length === 0 ? html`<p>${t('hub.overview.no-version')}</p>` : channelList(ui, states)}</div>
<p class="cluster">${hasRight(addon, 'UPLOAD') && html`<a class="button" href="${hubUrl(addon, 'versions/new')}">${t('hub.version.new')}</a>`}
<a class="button" href="${new URL(addon.url).pathname}">${t('hub.overview.public-page')}</a></p>
${numbers(ui, addon)}
<h2>${t('hub.overview.uploads')}</h2>
${uploadTable(ui, addon.uploads?.nodes ?? [], 'last-uploads')}
<p><a href="${hubUrl(addon, 'versions')}">${t('hub.overview.all-versions')}</a></p>
${lastNotes(ui, addon)}`,
    });
    return {
      ...content,
      scripts: ['live.js'],
      ...(states.some(({ stage }) => isMoving(stage)) && { refreshWithoutScripts: REFRESH_SECONDS }),
    };
  },
});

const nextStep = (ui: Ui, { nextStep: next }: Overview): Html =>
  next == null
    ? html``
    : notice(ui, {
        kind: next.state === 'ACTION' ? 'warning' : next.state === 'DONE' ? 'ok' : 'info',
        title: ui.t('hub.overview.next'),
        text: stepText(ui, next),
        actions: stepButton(ui, next),
      });

/** Why the catalogue does not show the add-on, and what its listing lacks, each with a link to where it is fixed. */
function visibility(ui: Ui, addon: Overview): Html {
  if (addon.visibility === null) return html``;
  const { isPublic, isSelfDistributed, reasons, gaps } = addon.visibility;
  const title = isSelfDistributed ? 'hub.overview.self-distributed' : 'hub.overview.why-not-visible';
  const { t } = ui;
  const fix = (path: string) =>
    mayOpen(addon, path) ? html`<a href="${path}">${t('addon.hidden.fix')}</a>` : t('hub.overview.fix-owner');
  const list = (
    items: readonly { code: string; text: string; comment?: string | null; fixPath?: string | null }[],
  ) => html`<ul>
${items.map(({ code, text, comment, fixPath }) => html`<li>${text}${fixPath != null && html` ${fix(fixPath)}`}${operatorComment(ui, code, comment)}</li>`)}</ul>`;
  return html`<section id="visibility" aria-labelledby="visibility-title">
<h2 id="visibility-title">${t(isPublic ? 'hub.overview.visible' : title)}</h2>
${isPublic ? html`<p>${t('hub.overview.visible-text')}</p>` : list(reasons)}
${gaps.length > 0 && html`<h3>${t('hub.overview.gaps')}</h3>${list(gaps)}`}
</section>`;
}

function numbers(ui: Ui, addon: Overview): Html {
  const { t, format } = ui;
  const unanswered = addon.userRatings.totalCount;
  const list = `${new URL(addon.url).pathname}reviews/?answered=no`;
  return facts(ui, {
    items: [
      { term: t('hub.overview.users'), value: format.number(addon.averageDailyUsers) },
      { term: t('hub.overview.downloads'), value: format.number(addon.weeklyDownloads) },
      {
        term: t('reviews.unanswered'),
        value:
          unanswered === 0
            ? format.number(unanswered)
            : html`<a href="${list}">${format.number(unanswered)}<span class="visually-hidden">: ${t('reviews.unanswered')}</span></a>`,
      },
    ],
  });
}

function lastNotes(ui: Ui, addon: Overview): Html {
  const { t } = ui;
  const { nodes = [], totalCount = 0 } = addon.thread ?? {};
  return html`<h2>${t('hub.tab.activity')}</h2>
${noteThread(ui, nodes)}
${totalCount > nodes.length && html`<p><a href="${hubUrl(addon, 'activity')}">${t('hub.overview.all-notes', { count: totalCount })}</a></p>`}`;
}

/** Uploads with their stages; failed ones with their reason and the way to the report. */
export function uploadTable(ui: Ui, uploads: readonly HubUploadFragment[], id: string): Html {
  const { t } = ui;
  if (uploads.length === 0) return html`<p>${t('hub.uploads.none')}</p>`;
  return dataTable(ui, {
    id,
    caption: t('hub.uploads.caption'),
    isCaptionHidden: true,
    columns: ['hub.uploads.version', 'hub.channel', 'hub.uploads.stage', 'hub.uploads.sent', 'hub.uploads.report'],
    rows: uploads.map(({ pk, version, channel, stage, reason, created }) => [
      html`<bdi dir="ltr">${version}</bdi>`,
      channelName(ui, channel),
      html`${stageBadge(ui, stage)}${reason != null && html` <span class="muted" dir="auto">${reason}</span>`}`,
      moment(ui, created),
      html`<a href="/validation/${pk}/">${t('hub.uploads.report-link')}<span class="visually-hidden">: ${t('hub.uploads.report-of', { version })}</span></a>`,
    ]),
  });
}
