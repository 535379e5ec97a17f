/* The top of the page about a version: what the add-on is, whose turn it is, and which other versions there are. */
import { html } from 'hono/html';
import type { ReviewAddonQuery, ReviewVersionQuery } from '../../generated/operations/graphql.ts';
import { writtenText } from '../catalogue/version-parts.ts';
import { type Fact, facts } from '../components/facts.ts';
import { localText } from '../components/local-text.ts';
import { notice } from '../components/notice.ts';
import { picture } from '../components/picture.ts';
import { type Html, joined } from '../html.ts';
import { hubName } from '../hub/hub-addon.ts';
import { channelName } from '../hub/states.ts';
import type { Ui } from '../ui.ts';
import { decisionBadge } from './review-facts.ts';
import { authorNames, reviewVersionUrl } from './reviewer-page.ts';

type Addon = NonNullable<ReviewAddonQuery['addon']>;
type Read = NonNullable<ReviewVersionQuery['addon']>;
type Version = NonNullable<Read['version']>;
export type ListedVersion = Read['versions']['nodes'][number];

/** Whether a version waits for its review. */
export const isWaiting = ({ files }: { files: ListedVersion['files'] }): boolean =>
  files.some(({ status }) => status === 'AWAITING_REVIEW');

/** The decision about a version that does not wait for one; nothing without one. */
function decision(ui: Ui, version: Version): Html {
  const note = version.reviewNotes?.nodes.find(({ action }) => action === 'APPROVED' || action === 'REJECTED');
  // A version that is being signed waits no longer, but its files do.
  if (note === undefined || version.reviewFacts?.waitingSince != null) return html``;
  const { action, created, user } = note;
  return html`<p>${decisionBadge(ui, { isApproval: action === 'APPROVED', created, reviewer: user })}</p>`;
}

/** `versions` are those of the add-on, newest first. */
export function reviewHead(ui: Ui, addon: Addon, version: Version, versions: readonly ListedVersion[]): Html {
  const { t } = ui;
  const kind = [
    t(`review.type.${addon.type}`),
    channelName(ui, version.channel),
    ...(addon.authors.length === 0 ? [] : [t('review.by', { name: authorNames(ui, addon.authors) })]),
  ];
  return html`<div class="addon-head">
${picture(ui, { url: addon.iconUrl, width: 64, height: 64, alt: '', isEager: true })}
<div><h1>${hubName(ui, addon)} <bdi dir="ltr">${version.version}</bdi></h1>
<p class="muted">${joined(kind, ' · ')}</p>
${decision(ui, version)}</div>
</div>
${addon.summary?.value && html`<p class="prose">${localText(ui, addon.summary)}</p>`}
${turnNotice(ui, version)}
${otherVersions(ui, addon, version, versions)}
${texts(ui, addon, version)}`;
}

/** Longer texts are folded. */
const SHORT_TEXT = 200;

/** What the developers say about the add-on and the version. */
function texts(ui: Ui, addon: Addon, version: Version): Html {
  const { t } = ui;
  const fact = (term: Html, text: Version['releaseNotes']): Fact => {
    const written = writtenText(text);
    const isLong = (text?.value ?? '').length > SHORT_TEXT;
    const folded = html`<details><summary>${t('review.show-text')}</summary>${written}</details>`;
    return { term, value: written && (isLong ? folded : written) };
  };
  const { approvalNotes } = version;
  const items = [
    fact(t('addon.description'), addon.description),
    fact(t('review.release-notes'), version.releaseNotes),
    { term: t('review.notes'), value: approvalNotes ? html`<span dir="auto">${approvalNotes}</span>` : null },
  ];
  return items.some(({ value }) => value !== null) ? facts(ui, { items }) : html``;
}

/** Whether the developers were asked, or have answered, with a link to the note. */
function turnNotice(ui: Ui, { reviewFacts, reviewNotes }: Version): Html {
  const { isInformationRequested: isAsked = false, isInformationGiven: isAnswered = false } = reviewFacts ?? {};
  if (!isAsked && !isAnswered) return html``;
  const notes = reviewNotes?.nodes ?? [];
  // The reply may be about a newer version of the channel.
  const note = notes.find(({ kind, action }) =>
    isAsked ? action === 'MORE_INFORMATION_REQUESTED' : kind === 'DEVELOPER_REPLY',
  );
  const anchor = note === undefined ? 'thread' : `note-${note.databaseId}`;
  return notice(ui, {
    kind: isAsked ? 'info' : 'warning',
    text: html`${ui.t(isAsked ? 'review.turn.asked' : 'review.turn.answered')} <a href="#${anchor}">${ui.t(isAsked ? 'review.turn.question' : 'review.turn.answer')}</a>`,
  });
}

/** The newest version of the channel, if it is another one. */
export function newerVersion(version: Version, versions: readonly ListedVersion[]): ListedVersion | null {
  const newest = versions.find(({ channel }) => channel === version.channel);
  return newest === undefined || newest.id === version.id ? null : newest;
}

/** The newest version of the channel before one that follows no published version; null without one whose files can be compared. */
export function unpublishedBefore(version: Version, versions: readonly ListedVersion[]): ListedVersion | null {
  const place = versions.findIndex(({ id }) => id === version.id);
  if (place < 0 || version.reviewFacts?.base != null) return null;
  const isComparable = ({ channel, files }: ListedVersion) =>
    channel === version.channel && files.some(({ isStored }) => isStored);
  return versions.slice(place + 1).find(isComparable) ?? null;
}

/** What became of a version that does not wait. */
function stateOf({ t }: Ui, { files, isDisabled }: ListedVersion): Html {
  if (isDisabled) return t('review.newer.withdrawn');
  return t(files.some(({ status }) => status === 'DISABLED') ? 'review.newer.rejected' : 'review.newer.approved');
}

/** A link to the page about a version of the same add-on. */
export const versionLink = (addon: Addon, { version }: { version: string }): Html =>
  html`<a href="${reviewVersionUrl(addon, version)}"><bdi dir="ltr">${version}</bdi></a>`;

/** Other versions of the add-on: that a newer one of the channel waits is a notice, because the developers may have replaced this one. */
function otherVersions(ui: Ui, addon: Addon, version: Version, versions: readonly ListedVersion[]): Html {
  const waiting = versions.filter((each) => each.id !== version.id && isWaiting(each));
  const newer = newerVersion(version, versions);
  const place = versions.findIndex(({ id }) => id === version.id);
  // The list has the newest versions: one that it lacks is older than all of them.
  const newerOnes = versions.slice(0, place < 0 ? undefined : place);
  const newerWaiting = waiting.filter((each) => each.channel === version.channel && newerOnes.includes(each));
  const otherWaiting = waiting.filter((each) => !newerWaiting.includes(each));
  const links = (shown: readonly ListedVersion[]) => joined(shown.map((each) => versionLink(addon, each)));
  const decided = newer === null || waiting.includes(newer) ? null : newer;
  return html`${newerWaiting.length > 0 && notice(ui, { kind: 'warning', text: ui.t('review.newer-waiting', { versions: links(newerWaiting) }) })}
${decided && notice(ui, { kind: 'info', text: ui.t('review.newer', { version: versionLink(addon, decided), state: stateOf(ui, decided) }) })}
${otherWaiting.length > 0 && html`<p>${ui.t(isWaiting(version) ? 'review.also-waiting' : 'review.waiting-versions', { versions: links(otherWaiting) })}</p>`}`;
}
