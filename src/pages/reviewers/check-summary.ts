/* What was found about a version, in one line above the form of the decision, with links to the parts of its page. */
import { html } from 'hono/html';
import type { ReviewVersionQuery } from '../../generated/operations/graphql.ts';
import { fileOf } from '../catalogue/version-parts.ts';
import { badge } from '../components/badge.ts';
import { severityNumbers, withAdded } from '../components/message-badge.ts';
import { type Html, joined } from '../html.ts';
import type { Ui } from '../ui.ts';

type Version = NonNullable<NonNullable<ReviewVersionQuery['addon']>['version']>;

/** Whether parts of the page wait for its package: `live.js` renews them until they are there. */
export const isReading = ({ reviewFacts }: Version): boolean =>
  reviewFacts?.packageState === 'READING' || reviewFacts?.changesState === 'READING';

/** How many messages the base does not have; null without a base, or results of both. */
const addedMessages = ({ reviewFacts }: Version): number | null => reviewFacts?.newMessages?.messages.length ?? null;

/** The address of the results of the validator on the page: of the new ones, if there are any. */
export const validationUrl = (version: Version): string =>
  (addedMessages(version) ?? 0) > 0 ? '#new-messages' : '#messages';

/** The id of the fact about abuse reports. */
export const REPORTS_ID = 'reports';

/** Numbers of what the validator, the reading of the package and others have found. A part that the page lacks is left out. */
export function checkSummary(ui: Ui, version: Version): Html {
  const found = [
    { href: validationUrl(version), text: messageText(ui, version) },
    { href: '#permissions', text: permissionText(ui, version) },
    { href: '#calls', text: callText(ui, version) },
    ...permissionFindings(ui, version).map((text) => ({ href: '#calls', text })),
    { href: '#shared-files', text: sharedText(ui, version) },
    { href: `#${REPORTS_ID}`, text: reportText(ui, version) },
  ];
  const links = found.flatMap(({ href, text }) => (text === null ? [] : [html`<a href="${href}">${text}</a>`]));
  return html`<p id="check-summary"${isReading(version) && html` data-events=""`}>${ui.t('review.summary')} ${joined(links, ' · ')}</p>`;
}

/** Whether the validator has checked a version without a message. */
export const foundNothing = ({ errors, warnings, notices }: NonNullable<Version['validation']>): boolean =>
  errors + warnings + notices === 0;

function messageText(ui: Ui, version: Version): Html {
  const { validation } = version;
  if (validation === null) return badge(ui, { kind: 'warning', text: ui.t('review.summary.no-validation') });
  if (foundNothing(validation)) return ui.t('review.summary.nothing-found');
  const added = addedMessages(version);
  const messages = severityNumbers(ui, validation);
  return added === null ? messages : withAdded(ui, messages, added);
}

/** All permissions of a version that follows none. */
function permissionText({ t }: Ui, version: Version): Html | null {
  const file = fileOf(version);
  if (file === undefined || !file.isWebextension) return null;
  const { newPermissions } = version;
  if (newPermissions !== null) return t('review.summary.new-permissions', { count: newPermissions.length });
  const { permissions, hostPermissions } = file;
  return t('review.summary.permissions', { count: new Set([...permissions, ...hostPermissions]).size });
}

/** What its scripts call, if the page has a part about that with a script. */
function shownCalls(version: Version) {
  const calls = version.reviewFacts?.calls ?? null;
  return calls === null || calls.scriptCount === 0 || fileOf(version)?.isWebextension !== true ? null : calls;
}

function callText({ t }: Ui, version: Version): Html | null {
  const { packageState = null } = version.reviewFacts ?? {};
  const calls = shownCalls(version);
  if (packageState === 'READING') return t('review.summary.reading');
  if (packageState === 'UNREADABLE') return t('review.summary.unreadable');
  if (calls === null) return null;
  const { privacyCallCount: count } = calls;
  return t(count === 0 ? 'review.calls.privacy-none' : 'review.calls.privacy', { count });
}

/** Permissions that the code uses without declaring them, and the other way round. */
function permissionFindings({ t }: Ui, version: Version): Html[] {
  const { undeclaredPermissions = [], unusedPermissions = [] } = shownCalls(version) ?? {};
  return [
    ...(undeclaredPermissions.length === 0
      ? []
      : [t('review.calls.undeclared', { count: undeclaredPermissions.length })]),
    ...(unusedPermissions.length === 0 ? [] : [t('review.calls.unused', { count: unusedPermissions.length })]),
  ];
}

function sharedText({ t }: Ui, { reviewFacts }: Version): Html | null {
  const shared = reviewFacts?.sharedFiles ?? null;
  return shared && t('review.summary.shared', { count: shared.length });
}

const reportText = ({ t }: Ui, { reviewFacts }: Version): Html | null =>
  reviewFacts && t('review.summary.reports', { count: reviewFacts.openReportCount });
