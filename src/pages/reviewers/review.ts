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
import { label } from '../../http/params.ts';
import { addonOfPath, addonPath } from '../catalogue/addon-head.ts';
import { pathOf } from '../catalogue/addresses.ts';
import { listedMessage } from '../catalogue/validation-messages.ts';
import { fileOf } from '../catalogue/version-parts.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { type Fact, facts } from '../components/facts.ts';
import { missingFile, sessionFileHref } from '../components/file-link.ts';
import { buttonForm } from '../components/form.ts';
import { messageList } from '../components/message-list.ts';
import { permissionList } from '../components/permission-list.ts';
import { shortcuts } from '../components/shortcuts.ts';
import { checkbox, textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { ADDON_PARAMS, hasRight, hubName } from '../hub/addon-frame.ts';
import { noteThread } from '../hub/states.ts';
import { page, type Redirect, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { codeCalls } from './code-calls.ts';
import { decision, toQueueAfterDecision } from './decision.ts';
import { afterDecision, canClaim, claimBadge, claimButton, isAfterDecision } from './frame.ts';
import { reviewHref } from './queue.ts';
import { changedFilesSection, codePaths, removedPermissions, reviewedManifest } from './review-changes.ts';
import { authorDecisions, newMessageSection, reviewSideFacts, sharedFiles } from './review-facts.ts';
import { isWaiting, reviewHead } from './review-head.ts';

type Addon = NonNullable<ReviewAddonQuery['addon']>;
type Read = NonNullable<ReviewVersionQuery['addon']>;
type Version = NonNullable<Read['version']>;
type VersionFilter = NonNullable<ReviewVersionQueryVariables['filter']>;

/** Messages of the validator on the page; its own page has all. */
const MESSAGES = 100;

/** Leads to the newest version that waits, or to the newest; null without one. */
function toNewest(addon: Addon, { nodes }: Read['versions']): Redirect | null {
  const newest = nodes.find(isWaiting) ?? nodes[0];
  return newest === undefined ? null : redirect(reviewHref(addon, newest.version));
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
  query: { version: label('Version number.'), edit: label('Global id of the draft to edit.') },
  document: ReviewAddonDocument,
  variables: addonOfPath,
  more: {
    document: ReviewVersionDocument,
    variables: ({ addon }, { path, query, viewer }) => {
      const shown = addon && filterOf(addon);
      if (shown === null) return null;
      const version = query.version ?? '';
      const hasCanned = viewer?.isReviewer === true;
      return { ...addonOfPath({ path }), ...shown, version, hasVersion: version !== '', hasCanned };
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
    return {
      title: `${addon.name?.value || addon.guid} ${version.version}`,
      robots: 'noindex' as const,
      section: 'reviewers' as const,
      ...(isAfterDecision(search) && { afterDone: afterDecision(ui, version) }),
      main: html`${breadcrumbs(ui, [
        { text: t('review.title'), href: '/reviewers/' },
        { text: name, href: addonPath(addon) },
        { text: number },
      ])}
${reviewHead(ui, addon, version, read.versions.nodes)}
<div class="cluster review-moves">${codeLinks(ui, addon, version)}
${shortcuts(ui, { after: version.databaseId })}</div>
<div class="columns with-side">
<div>
${changedFilesSection(ui, addon, version, reviewHref(addon, version.version))}
${permissions(ui, version)}
${reviewedManifest(ui, addon, version)}
${codeCalls(ui, version, reviewHref(addon, version.version))}
${newMessageSection(ui, version, MESSAGES)}
${messages(ui, version)}
${sharedFiles(ui, version)}
${authorDecisions(ui, version)}
<section aria-labelledby="thread"><h2 id="thread">${t('review.thread')}</h2>
${noteThread(ui, (version.reviewNotes?.nodes ?? []).toReversed())}</section>
${decision(ui, {
  ...{ addon, version, versions: read.versions.nodes, canned: more?.cannedResponses ?? [] },
  ...{ href: reviewHref(addon, version.version), edited: query.edit },
})}
</div>
<aside aria-label="${t('addon.facts')}">${facts(ui, { isNarrow: true, items: [...factsOf(ui, addon, version), ...reviewSideFacts(ui, version, { type: addon.type, reviewTimes: more?.reviewTimes ?? [] })] })}
${claims(ui, version, waits)}
${subscription(ui, addon)}</aside>
</div>`,
    };
  },
});

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
            ? html`<a href="${sessionFileHref(file)}"><bdi dir="ltr">${file.name}</bdi></a> (${format.bytes(file.size)})`
            : missingFile(ui),
    },
    {
      term: t('hub.version.source'),
      value:
        source &&
        html`<a href="${pathOf(source.url)}"><bdi dir="ltr">${source.name}</bdi></a> (${format.bytes(source.size)})`,
    },
  ];
}

/** The decision further down, what has changed since the last approved version of the channel, the files, and the thread. */
function codeLinks(ui: Ui, addon: Addon, version: Version): Html {
  const toDecision = html`<li><a class="button primary" href="#decision">${ui.t('review.decide')}</a></li>`;
  const toThread = html`<li><a href="#thread">${ui.t('review.thread')}</a></li>`;
  if (version.contents === null) return html`<ul class="link-list cluster">${toDecision}${toThread}</ul>`;
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
${toThread}</ul>`;
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

/** All that the validator says; messages that the base does not have are in a section of their own. */
function messages(ui: Ui, { validation, reviewFacts }: Version): Html {
  if (validation === null) return html``;
  const { t } = ui;
  const { errors, warnings, notices } = validation;
  const listed = new Set(reviewFacts?.newMessages?.messages.map((message) => JSON.stringify(message)));
  const shown = validation.messages.filter((message) => !listed.has(JSON.stringify(message)));
  return html`<section class="stack" aria-labelledby="messages"><h2 id="messages">${t('validation.messages')}</h2>
<p>${t('validation.errors', { count: errors })} · ${t('validation.warnings', { count: warnings })} · ${t('validation.notices', { count: notices })}</p>
${listed.size > 0 && html`<p>${t(shown.length > 0 ? 'review.messages.others' : 'review.messages.above')}</p>`}
${shown.length > 0 && messageList(ui, shown.slice(0, MESSAGES).map(listedMessage))}</section>`;
}

const claims = (ui: Ui, { id, reviewFacts, reviewActs }: Version, waits: boolean): Html => {
  const claimedBy = reviewFacts?.claimedBy ?? null;
  return waits
    ? html`<div class="cluster">${claimedBy !== null && claimBadge(ui, claimedBy)}
${canClaim(reviewActs) && claimButton(ui, { name: 'review-claim', id, claimedBy })}</div>`
    : html``;
};

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
