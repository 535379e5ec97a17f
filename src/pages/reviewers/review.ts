import { html } from 'hono/html';
import {
  ReviewAddonDocument,
  type ReviewAddonQuery,
  ReviewClaimDocument,
  ReviewVersionDocument,
  type ReviewVersionQuery,
  type ReviewVersionQueryVariables,
  SetReviewSubscriptionDocument,
} from '../../generated/operations/graphql.ts';
import { labelParam } from '../../http/params.ts';
import { auditLink } from '../admin/actor.ts';
import { addonOfPath, addonPath } from '../catalogue/addon-head.ts';
import { pathOf } from '../catalogue/addresses.ts';
import { listedMessage } from '../catalogue/validation-messages.ts';
import { fileOf } from '../catalogue/version-parts.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { type Fact, facts } from '../components/facts.ts';
import { missingFile, sessionFileUrl } from '../components/file-link.ts';
import { buttonForm } from '../components/form.ts';
import { messageList } from '../components/message-list.ts';
import { notice } from '../components/notice.ts';
import { permissionList } from '../components/permission-list.ts';
import { shortcuts } from '../components/shortcuts.ts';
import { checkbox, textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { ADDON_PARAMS, hasRight, hubName } from '../hub/hub-addon.ts';
import { noteThread, noteTitle } from '../hub/states.ts';
import { type PageRedirect, page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { foundNothing, isReading, validationUrl } from './check-summary.ts';
import { codeCalls } from './code-calls.ts';
import { decisionPanel, toQueueAfterDecision } from './decision.ts';
import { changedFilesSection, codePaths, removedPermissions, reviewedManifest } from './review-changes.ts';
import { earlierDecisions, newMessageSection, reviewSideFacts, sharedFiles } from './review-facts.ts';
import { isWaiting, reviewHead, unpublishedBefore } from './review-head.ts';
import {
  afterDecision,
  canClaim,
  claimBadge,
  claimButton,
  isAfterDecision,
  isDecidable,
  reviewVersionUrl,
} from './reviewer-page.ts';

type Addon = NonNullable<ReviewAddonQuery['addon']>;
type Read = NonNullable<ReviewVersionQuery['addon']>;
type Version = NonNullable<Read['version']>;
type VersionFilter = NonNullable<ReviewVersionQueryVariables['filter']>;

/** Messages of the validator on the page; its own page has all. */
const MESSAGES = 100;

/** Leads to the newest version that waits, or to the newest; null without one. */
function toNewest(addon: Addon, { nodes }: Read['versions']): PageRedirect | null {
  const newest = nodes.find(isWaiting) ?? nodes[0];
  return newest === undefined ? null : redirect(reviewVersionUrl(addon, newest.version));
}

/** Other versions that the viewer reads: reviewers those of their channels, holders of `Addons:Edit` alone public ones. Null for others. */
function filterOf(addon: Addon): { filter: VersionFilter | null } | null {
  if (hasRight(addon, 'REVIEW_UNLISTED')) return { filter: 'ALL_WITH_UNLISTED' };
  if (hasRight(addon, 'REVIEW')) return { filter: 'ALL_WITHOUT_UNLISTED' };
  return hasRight(addon, 'ADMINISTER') ? { filter: null } : null;
}

/** Everything about a version that a reviewer decides on, on one page. */
export const reviewPage = page({
  path: '/reviewers/review/:ref/',
  visitor: 'account',
  hidesRefusals: true,
  params: ADDON_PARAMS,
  query: { version: labelParam('Version number.'), edit: labelParam('Global id of the draft to edit.') },
  document: ReviewAddonDocument,
  variables: addonOfPath,
  more: {
    document: ReviewVersionDocument,
    variables: ({ addon }, { path, query, search, viewer }) => {
      const shown = addon && filterOf(addon);
      if (shown === null) return null;
      const version = query.version ?? '';
      const hasCanned = viewer?.isReviewer === true;
      return {
        ...{ ...addonOfPath({ path }), ...shown, version, hasVersion: version !== '', hasCanned },
        isAfterDecision: isAfterDecision(search),
      };
    },
  },
  insteadOf404: ({ search, viewer }) =>
    viewer?.opensQueue === true && isAfterDecision(search) ? toQueueAfterDecision() : null,
  view: ({ addon }, { query, search }, ui, more) => {
    const read = more?.addon ?? null;
    if (addon === null || read === null) return null;
    if (!query.version) return hasRight(addon, 'REVIEW', 'REVIEW_UNLISTED') ? toNewest(addon, read.versions) : null;
    const version = read.version ?? null;
    // Also null for a version that the viewer sees and does not review.
    if (version === null || version.reviewFacts === null) return null;
    const waits = isWaiting(version);
    const { t } = ui;
    const name = hubName(ui, addon);
    const number = html`<bdi dir="ltr">${version.version}</bdi>`;
    const href = reviewVersionUrl(addon, version.version);
    // Browsers only scroll to the fragment of a link to the address that they show.
    const again = html`<a href="${href}">${t('review.reading.again')}</a>`;
    return {
      title: `${addon.name?.value || addon.guid} ${version.version}`,
      robots: 'noindex' as const,
      section: 'reviewers' as const,
      ...(isReading(version) && { scripts: ['live.js'] }),
      ...(isAfterDecision(search) && {
        doneText: doneText(ui, version),
        afterDone: afterDecision(ui, more?.available, version),
      }),
      main: html`${breadcrumbs(ui, [
        { text: t('review.title'), href: '/reviewers/' },
        { text: html`${name} ${number}` },
      ])}
${reviewHead(ui, addon, version, read.versions.nodes)}
<div class="cluster review-moves">${codeLinks(ui, addon, version, waits)}
${shortcuts(ui, { after: version.databaseId })}</div>
<div class="columns with-side">
<div>
<div id="checks" class="sections"${isReading(version) && html` data-events=""`}>
${changedFilesSection(ui, { addon, version, again, unpublished: unpublishedBefore(version, read.versions.nodes)?.version ?? null })}
${permissions(ui, version)}
${reviewedManifest(ui, addon, version)}
${codeCalls(ui, version, addon.type, again)}
${newMessageSection(ui, version, MESSAGES)}
${messages(ui, version)}
${sharedFiles(ui, version)}</div>
${earlierDecisions(ui, version)}
<section aria-labelledby="thread"><h2 id="thread">${t('review.thread')}</h2>
${noteThread(ui, (version.reviewNotes?.nodes ?? []).toReversed())}</section>
${decisionPanel(ui, {
  ...{ addon, version, versions: read.versions.nodes, canned: more?.cannedResponses ?? [] },
  ...{ href, edited: query.edit },
})}
</div>
<aside aria-label="${t('addon.facts')}">${facts(ui, { isNarrow: true, items: [...factsOf(ui, addon, version), ...reviewSideFacts(ui, version, { type: addon.type, reviewTimes: more?.reviewTimes ?? [] })] })}
${subscription(ui, addon)}</aside>
</div>`,
    };
  },
});

/** What the viewer has just done: their newest note about the version has it. */
function doneText({ t, viewer }: Ui, { version, reviewNotes }: Version): Html | null {
  const note = reviewNotes?.nodes.find(({ user }) => user !== null && user.databaseId === viewer?.accountId);
  if (note === undefined) return null;
  const sent = note.lineComments.length;
  const number = html`<bdi dir="ltr">${version}</bdi>`;
  return html`${t('review.done', { version: number, decision: noteTitle({ t }, note) })} ${t(mailText(note))}${sent > 0 && html` ${t('review.done.comments', { count: sent })}`}`;
}

/** Who gets a mail about a note: the name of a text. */
function mailText({ action }: { action: string }) {
  if (action === 'SUPER_REVIEW_REQUESTED' || action === 'COMMENT') return 'review.done.not-mailed';
  return action === 'APPROVED' ? 'review.done.approved' : 'review.done.mailed';
}

function factsOf(ui: Ui, addon: Addon, version: Version): Fact[] {
  const { t, format } = ui;
  const { created, source } = version;
  const file = fileOf(version);
  return [
    { term: t('hub.uploads.sent'), value: html`<time datetime="${created}">${format.dateTime(created)}</time>` },
    { term: t('review.users'), value: format.number(addon.averageDailyUsers) },
    {
      term: t('addon.file.name'),
      value:
        file === undefined
          ? null
          : file.isStored
            ? html`<a href="${sessionFileUrl(file)}"><bdi dir="ltr">${file.name}</bdi></a> (${format.bytes(file.size)})`
            : missingFile(ui),
    },
    {
      term: t('hub.version.source'),
      value: source
        ? html`<a href="${pathOf(source.url)}"><bdi dir="ltr">${source.name}</bdi></a> (${format.bytes(source.size)})`
        : t('review.none-found'),
    },
  ];
}

/** The decision further down, the claim, what has changed since the last approved version of the channel, the files, and the thread. */
function codeLinks(ui: Ui, addon: Addon, version: Version, waits: boolean): Html {
  const toDecision = html`${isDecidable(version) && html`<li><a class="button primary" href="#decision">${ui.t('review.decide')}</a></li>`}
${waits && claimItem(ui, version)}`;
  const toThread = html`<li><a href="${validationUrl(version)}">${ui.t('review.to-validation')}</a></li>
<li><a href="#thread">${ui.t('review.thread')}</a></li>`;
  const toAddon = html`<li><a href="${addonPath(addon)}">${ui.t('review.public-page')}</a></li>`;
  const toAudit = auditLink(ui, { about: addon.guid }, 'admin.audit.about-addon').map((link) => html`<li>${link}</li>`);
  if (version.contents === null) {
    return html`<ul class="link-list cluster">${toDecision}${toThread}${toAddon}${toAudit}</ul>`;
  }
  const base = version.reviewFacts?.base ?? null;
  const { files, changes } = codePaths(addon, version);
  const source = addonPath(addon, `versions/${encodeURIComponent(version.version)}/source/`);
  return html`<ul class="link-list cluster">
${toDecision}
${
  base !== null &&
  html`<li><a href="${changes}">${ui.t('review.changes', { version: html`<bdi dir="ltr">${base.version}</bdi>` })}</a></li>
`
}<li><a href="${files}">${ui.t('code.version-files')}</a></li>
${version.source !== null && html`<li><a href="${source}">${ui.t('code.source')}</a></li>`}
${toThread}${toAddon}${toAudit}</ul>`;
}

/** What the version may do; what its last version did not have is marked. */
function permissions(ui: Ui, version: Version): Html {
  const file = fileOf(version);
  if (file === undefined || !file.isWebextension) return html``;
  const { permissions: names, hostPermissions: hosts, optionalPermissions: optional } = file;
  const added = version.newPermissions;
  return html`<section class="stack" aria-labelledby="permissions"><h2 id="permissions">${ui.t('addon.permissions')}</h2>
${permissionList(ui, {
  ...{ permissions: names, hosts, optional },
  previous: added === null ? null : [...names, ...hosts].filter((name) => !added.includes(name)),
  data: file.dataCollectionPermissions,
  optionalData: file.optionalDataCollectionPermissions,
  newData: version.newDataCollectionPermissions ?? [],
})}
${removedPermissions(ui, version)}</section>`;
}

/** All messages of the validator; those that the base does not have are in a section of their own. */
function messages(ui: Ui, { validation, reviewFacts }: Version): Html {
  const { t } = ui;
  if (validation === null)
    return html`<section class="stack" aria-labelledby="messages"><h2 id="messages">${t('validation.messages')}</h2>
${notice(ui, { kind: 'warning', text: t('review.messages.missing') })}</section>`;
  if (foundNothing(validation))
    return html`<section class="stack" aria-labelledby="messages"><h2 id="messages">${t('validation.messages')}</h2>
<p>${t('review.messages.none')}</p></section>`;
  const { errors, warnings, notices } = validation;
  const listed = new Set(reviewFacts?.newMessages?.messages.map((message) => JSON.stringify(message)));
  const shown = validation.messages.filter((message) => !listed.has(JSON.stringify(message)));
  return html`<section class="stack" aria-labelledby="messages"><h2 id="messages">${t('validation.messages')}</h2>
<p>${t('validation.errors', { count: errors })} · ${t('validation.warnings', { count: warnings })} · ${t('validation.notices', { count: notices })}</p>
${listed.size > 0 && html`<p>${t(shown.length > 0 ? 'review.messages.others' : 'review.messages.above')}</p>`}
${shown.length > 0 && messageList(ui, shown.slice(0, MESSAGES).map(listedMessage))}</section>`;
}

/** Who has claimed a version that waits, and the button of the viewer; nothing without both. */
function claimItem(ui: Ui, { id, reviewFacts, reviewActs }: Version): Html {
  const claimedBy = reviewFacts?.claimedBy ?? null;
  if (claimedBy === null && !canClaim(reviewActs)) return html``;
  return html`<li class="cluster">${claimedBy !== null && claimBadge(ui, claimedBy)}
${canClaim(reviewActs) && claimButton(ui, { name: 'review-claim', id, claimedBy })}</li>`;
}

/** Starts or ends mails about the reviews of the add-on, for its reviewers. */
const subscription = (ui: Ui, { id, isSubscribedToReviews: isSubscribed }: Addon): Html =>
  isSubscribed === null
    ? html``
    : html`<div class="cluster">${buttonForm(ui, {
        name: 'review-subscription',
        hidden: { id, isSubscribed: isSubscribed ? '' : '1' },
        button: ui.t(isSubscribed ? 'review.unsubscribe' : 'review.subscribe'),
      })}</div>`;

export const subscriptionForm = form({
  page: reviewPage,
  name: 'review-subscription',
  fields: { id: textField, isSubscribed: checkbox },
  document: SetReviewSubscriptionDocument,
  variables: (input) => ({ input }),
});

export const claimForm = form({
  page: reviewPage,
  name: 'review-claim',
  fields: { id: textField, release: textField },
  document: ReviewClaimDocument,
  variables: ({ id, release }) => ({ id, release: release !== '' }),
});
