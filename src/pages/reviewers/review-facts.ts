/* What a reviewer compares a version with, in the page about it. */
import { html } from 'hono/html';
import type {
  DecisionHistoryFieldsFragment,
  ReviewedVersionFragment,
  ReviewVersionQuery,
} from '../../generated/operations/graphql.ts';
import { listedMessage } from '../catalogue/validation-messages.ts';
import { badge } from '../components/badge.ts';
import { dataTable } from '../components/data-table.ts';
import type { Fact } from '../components/facts.ts';
import { fileName } from '../components/file-name.ts';
import { localText } from '../components/local-text.ts';
import { messageList } from '../components/message-list.ts';
import { type Html, joined } from '../html.ts';
import type { Ui } from '../ui.ts';
import { REPORTS_ID } from './check-summary.ts';
import { ageOf, hoursText, reviewVersionUrl } from './reviewer-page.ts';

type Version = NonNullable<NonNullable<ReviewVersionQuery['addon']>['version']>;

/** Waiting time with its median, hashes and reports. */
export function reviewSideFacts(
  ui: Ui,
  version: Version,
  { type, reviewTimes }: { type: string; reviewTimes: ReviewVersionQuery['reviewTimes'] },
): Fact[] {
  const { reviewFacts: facts, channel } = version;
  if (facts === null) return [];
  const { t } = ui;
  const decided = channel === 'LISTED' ? reviewTimes.find((each) => each.type === type) : undefined;
  return [
    { term: t('review.waiting'), value: facts.waitingSince && ageOf(ui, facts.waitingSince) },
    {
      term: t('review.median-waiting'),
      value: facts.medianWaitingHours === null ? null : hoursText(ui, facts.medianWaitingHours),
    },
    {
      term: t('review.median-decided'),
      value: decided === undefined ? null : hoursText(ui, decided.medianHours),
    },
    { term: t('review.sent-hash'), value: facts.sentHash && code(facts.sentHash) },
    { term: t('review.signed-hash'), value: facts.signedHash && code(facts.signedHash) },
    {
      term: t('review.reports'),
      value: html`<span id="${REPORTS_ID}">${t('review.reports-sum', { count: facts.reportCount, open: facts.openReportCount })}</span>`,
    },
  ];
}

const code = (text: string): Html => html`<code class="hash"><bdi dir="ltr">${text}</bdi></code>`;

/** The messages of the validator that the base version does not have. */
export function newMessageSection(ui: Ui, { version, validation, reviewFacts }: Version, shown: number): Html {
  if (!reviewFacts?.base) return html``;
  const messages = reviewFacts.newMessages?.messages ?? null;
  const base = html`<bdi dir="ltr">${reviewFacts.base.version}</bdi>`;
  const unchecked = validation === null ? html`<bdi dir="ltr">${version}</bdi>` : base;
  return html`<section aria-labelledby="new-messages"><h2 id="new-messages">${ui.t('review.new-messages', { version: base })}</h2>
${
  messages === null || messages.length === 0
    ? html`<p>${messages === null ? ui.t('review.new-messages.unchecked', { version: unchecked }) : ui.t('review.new-messages.none')}</p>`
    : html`<p>${ui.t('review.new-messages.sum', { count: messages.length })}</p>
${messageList(ui, messages.slice(0, shown).map(listedMessage))}`
}</section>`;
}

/** Other add-ons with the same files, once the package is read. */
export function sharedFiles(ui: Ui, { reviewFacts }: Version): Html {
  const { t } = ui;
  const shared = reviewFacts?.sharedFiles ?? null;
  if (shared === null) return html``;
  return html`<section aria-labelledby="shared-files"><h2 id="shared-files">${t('review.shared')}</h2>
${shared.length === 0 && html`<p>${t('review.none-found')}</p>`}
<p class="muted small">${t('review.shared-what')}</p>
${shared.length > 0 && sharedTable(ui, shared)}</section>`;
}

const sharedTable = (ui: Ui, shared: NonNullable<NonNullable<Version['reviewFacts']>['sharedFiles']>): Html => {
  const { t } = ui;
  return dataTable(ui, {
    id: 'shared-files-table',
    caption: t('review.shared'),
    isCaptionHidden: true,
    isStacked: true,
    columns: ['review.addon', 'review.state', 'review.files'],
    rows: shared.map(({ version, fileCount, paths, isRejected }) => [
      reviewedLink(ui, version),
      isRejected ? badge(ui, { kind: 'error', text: t('review.decision.rejected') }) : html``,
      html`${t('review.file-count', { count: fileCount })}: ${joined(paths.map((path) => html`<code>${fileName(path)}</code>`))}`,
    ]),
  });
};

/** Earlier decisions about the add-on, and about the others of its authors. */
export const earlierDecisions = (ui: Ui, { reviewFacts }: Version): Html =>
  reviewFacts === null
    ? html``
    : html`${decisionHistory(ui, { id: 'earlier-own', title: ui.t('review.earlier-own'), history: reviewFacts.addonDecisions, isOpen: true })}
${decisionHistory(ui, { id: 'earlier', title: ui.t('review.earlier-others'), history: reviewFacts.otherAddonDecisions })}`;

/** A list of decisions: the id and the text of its heading. */
interface ShownDecisions {
  id: string;
  title: Html;
  history: DecisionHistoryFieldsFragment;
  isOpen?: boolean;
}

/** Numbers of decisions, and the newest ones. */
export function decisionHistory(ui: Ui, { id, title, history, isOpen = false }: ShownDecisions): Html {
  const { t } = ui;
  const { approvedCount, rejectedCount, newest } = history;
  const sum = html`${t('review.approvals', { count: approvedCount })} · ${t('review.rejections', { count: rejectedCount })}`;
  return html`<section class="stack" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${
  newest.length === 0
    ? html`<p>${sum}</p>`
    : html`<details${isOpen && html` open`}><summary>${sum}</summary>${decisionList(ui, newest)}</details>`
}</section>`;
}

/** Decisions about versions, each with a link to the page about its version. */
export const decisionList = (ui: Ui, decisions: DecisionHistoryFieldsFragment['newest']): Html =>
  html`<ul>${decisions.map((each) => html`<li>${decisionItem(ui, each)}</li>`)}</ul>`;

function decisionItem(
  ui: Ui,
  { version, comments, ...decision }: DecisionHistoryFieldsFragment['newest'][number],
): Html {
  const what = html`<span class="visually-hidden"> ${version.version}</span>`;
  return html`${reviewedLink(ui, version)} ${decisionBadge(ui, decision)}${
    comments &&
    html`<details><summary>${ui.t('review.show-text')}${what}</summary><p class="thread-text" dir="auto">${comments}</p></details>`
  }`;
}

/** What was decided, when and by whom. */
export function decisionBadge(
  ui: Ui,
  { isApproval, created, reviewer }: Omit<DecisionHistoryFieldsFragment['newest'][number], 'version' | 'comments'>,
): Html {
  const { t, format } = ui;
  const text = t(isApproval ? 'review.decision.approved' : 'review.decision.rejected');
  const when = {
    date: html`<time datetime="${created}">${format.date(created)}</time>`,
    name: html`<bdi>${reviewer.name}</bdi>`,
  };
  return html`${badge(ui, { kind: isApproval ? 'ok' : 'error', text })} <span class="muted">${t('review.decided-on', when)}</span>`;
}

/** Leads to the page about a version for its reviewers. */
export const reviewedLink = (ui: Ui, { addon, version }: ReviewedVersionFragment): Html =>
  html`<a href="${reviewVersionUrl(addon, version)}">${reviewedName(ui, addon)} <bdi dir="ltr">${version}</bdi></a>`;

/** The name of an add-on; its guid for one without a name. */
export const reviewedName = (ui: Ui, { name, guid }: Pick<ReviewedVersionFragment['addon'], 'name' | 'guid'>): Html =>
  name?.value ? localText(ui, name) : html`<bdi dir="ltr">${guid}</bdi>`;
