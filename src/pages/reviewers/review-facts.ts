/* What a reviewer compares a version with, in the page about it. */
import { html } from 'hono/html';
import type {
  DecisionHistoryFieldsFragment,
  ReviewedVersionFragment,
  ReviewVersionQuery,
} from '../../generated/operations/graphql.ts';
import { listedMessage } from '../catalogue/validation-messages.ts';
import { fileOf } from '../catalogue/version-parts.ts';
import { badge } from '../components/badge.ts';
import { dataTable } from '../components/data-table.ts';
import type { Fact } from '../components/facts.ts';
import { fileName } from '../components/file-name.ts';
import { localText } from '../components/local-text.ts';
import { messageList } from '../components/message-list.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { ageOf, hoursText } from './frame.ts';
import { reviewHref } from './queue.ts';

type Version = NonNullable<NonNullable<ReviewVersionQuery['addon']>['version']>;
type ReviewFacts = NonNullable<Version['reviewFacts']>;

/** Waiting time with its median, hashes, size against the base and reports. */
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
    { term: t('review.size-change'), value: sizeChange(ui, version, facts) },
    { term: t('review.sent-hash'), value: facts.sentHash && code(facts.sentHash) },
    { term: t('review.signed-hash'), value: facts.signedHash && code(facts.signedHash) },
    {
      term: t('review.reports'),
      value: t('review.reports-sum', { count: facts.reportCount, open: facts.openReportCount }),
    },
  ];
}

const code = (text: string): Html => html`<code class="hash"><bdi dir="ltr">${text}</bdi></code>`;

function sizeChange({ t, format }: Ui, version: Version, { base }: ReviewFacts): Html | null {
  const [now, before] = [fileOf(version)?.size, base?.files[0]?.size];
  if (now === undefined || before === undefined) return null;
  const sizes = { before: format.bytes(before), after: format.bytes(now) };
  return t('review.size-change.text', { ...sizes, version: html`<bdi dir="ltr">${base?.version}</bdi>` });
}

/** The messages of the validator that the base version does not have. */
export function newMessageSection(ui: Ui, { reviewFacts }: Version, shown: number): Html {
  if (!reviewFacts?.newMessages || reviewFacts.base === null) return html``;
  const { messages } = reviewFacts.newMessages;
  const base = html`<bdi dir="ltr">${reviewFacts.base.version}</bdi>`;
  return html`<section aria-labelledby="new-messages"><h2 id="new-messages">${ui.t('review.new-messages', { version: base })}</h2>
${
  messages.length === 0
    ? html`<p>${ui.t('review.new-messages.none')}</p>`
    : html`<p>${ui.t('review.new-messages.sum', { count: messages.length })}</p>
${messageList(ui, messages.slice(0, shown).map(listedMessage))}`
}</section>`;
}

/** Other add-ons with the same files. */
export function sharedFiles(ui: Ui, { reviewFacts }: Version): Html {
  const { t } = ui;
  const shared = reviewFacts?.sharedFiles ?? [];
  if (shared.length === 0) return html``;
  return html`<section aria-labelledby="shared-files"><h2 id="shared-files">${t('review.shared')}</h2>
<p>${t('review.shared-what')}</p>
${dataTable(ui, {
  id: 'shared-files-table',
  caption: t('review.shared'),
  isCaptionHidden: true,
  columns: ['review.addon', 'review.state', 'review.files'],
  rows: shared.map(({ version, fileCount, paths, isRejected }) => [
    reviewedLink(ui, version),
    isRejected ? badge(ui, { kind: 'error', text: t('review.decision.rejected') }) : html``,
    html`${t('review.file-count', { count: fileCount })}: ${paths.map(
      (path, index) => html`${index > 0 && ', '}<code>${fileName(path)}</code>`,
    )}`,
  ]),
})}</section>`;
}

/** Earlier decisions about the add-ons of the same authors. */
export const authorDecisions = (ui: Ui, { reviewFacts }: Version): Html =>
  reviewFacts === null ? html`` : decisionHistory(ui, reviewFacts.authorDecisions);

/** Numbers of decisions, and the newest ones. */
export function decisionHistory(ui: Ui, history: DecisionHistoryFieldsFragment): Html {
  const { t } = ui;
  const { approvedCount, rejectedCount, newest } = history;
  const sum = html`${t('review.approvals', { count: approvedCount })} · ${t('review.rejections', { count: rejectedCount })}`;
  return html`<section class="stack" aria-labelledby="earlier"><h2 id="earlier">${t('review.earlier')}</h2>
${
  newest.length === 0
    ? html`<p>${sum}</p>`
    : html`<details><summary>${sum}</summary><ul>${newest.map((each) => html`<li>${decisionItem(ui, each)}</li>`)}</ul></details>`
}</section>`;
}

const decisionItem = (
  ui: Ui,
  { version, isApproval, created }: DecisionHistoryFieldsFragment['newest'][number],
): Html => {
  const text = ui.t(isApproval ? 'review.decision.approved' : 'review.decision.rejected');
  return html`${reviewedLink(ui, version)} ${badge(ui, { kind: isApproval ? 'ok' : 'error', text })}
<time class="muted" datetime="${created}">${ui.format.date(created)}</time>`;
};

/** Leads to the page about a version for its reviewers. */
export const reviewedLink = (ui: Ui, { addon, version }: ReviewedVersionFragment): Html =>
  html`<a href="${reviewHref(addon, version)}">${reviewedName(ui, addon)} <bdi dir="ltr">${version}</bdi></a>`;

/** The name of an add-on; its guid for one without a name. */
export const reviewedName = (ui: Ui, { name, guid }: Pick<ReviewedVersionFragment['addon'], 'name' | 'guid'>): Html =>
  name?.value ? localText(ui, name) : html`<bdi dir="ltr">${guid}</bdi>`;
