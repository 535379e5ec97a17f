/* A reported add-on in the page of the report: its listing, and the version that is meant. */
import { html } from 'hono/html';
import type { DecisionHistoryFieldsFragment } from '../../generated/operations/graphql.ts';
import { addonPath } from '../catalogue/addon-head.ts';
import { previewStrip } from '../catalogue/preview.ts';
import { fileOf, versionPermissions, writtenText } from '../catalogue/version-parts.ts';
import { facts } from '../components/facts.ts';
import { type LocalText, localText } from '../components/local-text.ts';
import { rating } from '../components/rating.ts';
import { day } from '../components/time.ts';
import type { Html } from '../html.ts';
import { decisionList } from '../reviewers/review-facts.ts';
import type { Ui } from '../ui.ts';
import { folded, foldedText, links } from './folded.ts';
import type { PageReport } from './report-facts.ts';
import { versionUrl } from './report-labels.ts';

type Reported = NonNullable<PageReport['addon']>;
type Addon = NonNullable<Reported['addon']>;
type Version = NonNullable<Addon['currentVersion']>;

/** The version that the sender named: its number, and the version itself if the viewer sees it. */
interface NamedVersion {
  number: string | undefined;
  version: Version | null;
}

/** Permissions that are shown without a click. */
const FEW_PERMISSIONS = 8;

/** What a moderator judges of an add-on. It is about the version that the sender named, if the viewer sees it; otherwise about the current one. */
export function reportedAddonContent(ui: Ui, addon: Addon, { version: named, number }: NamedVersion): Html {
  const { t } = ui;
  const version = named ?? addon.currentVersion;
  return html`${addon.summary?.value && html`<blockquote class="thread-text">${localText(ui, addon.summary)}</blockquote>`}
${listingFacts(ui, addon, version, number)}
${htmlText(ui, t('addon.description'), addon.description)}
${htmlText(ui, t('addon.comments'), addon.developerComments)}
${previewStrip(ui, addon)}
${version !== null && versionContent(ui, version)}
${links([
  [addonPath(addon), t('moderation.reported.addon')],
  [addonPath(addon, 'reviews/'), t('addon.tab.ratings')],
  ...(version === null ? [] : versionLinks(ui, addon, version)),
])}`;
}

function listingFacts(ui: Ui, addon: Addon, version: Version | null, named: string | undefined): Html {
  const { t } = ui;
  const homepage = addon.homepage?.value;
  const number = html`<bdi dir="ltr">${version?.version ?? ''}</bdi>`;
  return facts(ui, {
    items: [
      {
        term: t('addon.version'),
        value: version && html`${number} · ${day(ui, version.created)}${namedMark(ui, version, named)}`,
      },
      { term: t('addon.rating'), value: rating(ui, addon.ratings) },
      {
        term: t('addon.homepage'),
        value: homepage ? html`<a href="${homepage}" rel="nofollow ugc noopener">${t('addon.homepage')}</a>` : null,
      },
    ],
  });
}

/** Whether the shown version is the one that the sender named; nothing where none was named. */
function namedMark({ t }: Ui, { version }: Version, named: string | undefined): Html {
  if (!named) return html``;
  const text =
    named === version
      ? t('moderation.reported.named-version')
      : t('moderation.reported.other-version', { version: html`<bdi dir="ltr">${named}</bdi>` });
  return html` <span class="muted">${text}</span>`;
}

/** A text of developers with HTML. */
function htmlText(ui: Ui, title: Html, text: LocalText | null): Html {
  const written = writtenText(text);
  return written === null ? html`` : foldedText(ui, title, text?.value ?? '', written);
}

/** Permissions, release notes, and decisions of reviewers for those who read them. */
function versionContent(ui: Ui, version: Version): Html {
  const { t } = ui;
  const permissions = versionPermissions(ui, version, version);
  const file = fileOf(version);
  const count = (file?.permissions.length ?? 0) + (file?.hostPermissions.length ?? 0);
  const decisions = version.reviewFacts?.authorDecisions ?? null;
  return html`${permissions !== null && folded(t('addon.permissions'), permissions, count <= FEW_PERMISSIONS)}
${htmlText(ui, t('addon.versions.notes'), version.releaseNotes)}
${decisions !== null && decisionsOf(ui, decisions)}`;
}

function decisionsOf(ui: Ui, { approvedCount, rejectedCount, newest }: DecisionHistoryFieldsFragment): Html {
  const { t } = ui;
  const sum = html`${t('moderation.reported.decisions')} ${t('review.approvals', { count: approvedCount })} · ${t('review.rejections', { count: rejectedCount })}`;
  return newest.length === 0 ? html`<p>${sum}</p>` : folded(sum, decisionList(ui, newest), false);
}

/** The page of the version, that of its reviewers for them, and its code for those who read it. */
function versionLinks(ui: Ui, addon: Addon, version: Version): [string, Html][] {
  const { t } = ui;
  const number = { version: html`<bdi dir="ltr">${version.version}</bdi>` };
  const page = addonPath(addon, `versions/${encodeURIComponent(version.version)}/`);
  const href = versionUrl(addon, version);
  return [
    [page, t('moderation.link.version', number)],
    ...(href === page ? [] : [[href, t('moderation.link.review', number)] as [string, Html]]),
    ...(version.contents === null ? [] : [[`${page}files/`, t('code.version-files')] as [string, Html]]),
  ];
}
