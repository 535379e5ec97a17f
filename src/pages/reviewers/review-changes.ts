/* What a version has that its base does not have, in the page about it: files, and values of its manifest. */
import { html } from 'hono/html';
import type { ReviewAddonQuery, ReviewVersionQuery } from '../../generated/operations/graphql.ts';
import { addonPath } from '../catalogue/addon-head.ts';
import { fileOf } from '../catalogue/version-parts.ts';
import { fileMessages } from '../code/folder-view.ts';
import { canComment } from '../code/line-comments.ts';
import { badge } from '../components/badge.ts';
import { facts } from '../components/facts.ts';
import { revealInvisible } from '../components/file-name.ts';
import { fileTree } from '../components/file-tree.ts';
import { type Html, joined } from '../html.ts';
import type { Ui } from '../ui.ts';

type Addon = NonNullable<ReviewAddonQuery['addon']>;
type Version = NonNullable<NonNullable<ReviewVersionQuery['addon']>['version']>;
type ManifestValue = NonNullable<NonNullable<Version['reviewFacts']>['manifest']>[number]['values'][number];

/** The pages of the files of a version, and of its comparison with its base; the former without a base. */
export function codePaths(addon: Addon, { version, reviewFacts }: Version): { files: string; changes: string } {
  const files = addonPath(addon, `versions/${encodeURIComponent(version)}/files/`);
  const base = reviewFacts?.base ?? null;
  return { files, changes: base === null ? files : comparePath(addon, base.version, version) };
}

const comparePath = (addon: Addon, from: string, to: string): string =>
  addonPath(addon, `compare/${encodeURIComponent(`${from}...${to}`)}/`);

/** Files in a tree with open folders. */
const OPEN_FILES = 60;

interface Changed {
  addon: Addon;
  version: Version;
  /** Without a base: the number of the version before it that is not published; null without one. */
  unpublished: string | null;
  /** Leads to the page about the version again. */
  again: Html;
}

/** The files that differ from those of the base; all of a version without one. */
export function changedFilesSection(ui: Ui, { addon, version, unpublished, again }: Changed): Html {
  const { changesState: state, changedFiles: files, base } = version.reviewFacts ?? {};
  if (state == null) return html``;
  const { t } = ui;
  const title = base
    ? t('review.changes', { version: html`<bdi dir="ltr">${base.version}</bdi>` })
    : t('code.version-files');
  return html`<section aria-labelledby="changes"><h2 id="changes">${title}</h2>
${state === 'READING' && html`<p>${t('review.changes.reading')}</p><p>${again}</p>`}
${state === 'UNREADABLE' && html`<p>${t('review.changes.unreadable')}</p>`}
${unpublished !== null && html`<p><a href="${comparePath(addon, unpublished, version.version)}">${t('review.changes.unpublished', { version: html`<bdi dir="ltr">${unpublished}</bdi>` })}</a></p>`}
${contentSizes(ui, version)}
${files != null && files.length > 0 && canComment(version) && html`<p>${t('review.files.comment-how')}</p>`}
${files != null && changeTree(ui, { files, isFirst: base == null, messages: messagesOf(version), path: codePaths(addon, version).changes })}</section>`;
}

/** Messages of the validator by file; with a base, how many of them it does not have. */
function messagesOf({ validation, reviewFacts, url }: Version): ReturnType<typeof fileMessages> {
  const messages = validation?.messages ?? [];
  return reviewFacts?.base
    ? fileMessages(messages, url, reviewFacts.newMessages?.messages ?? null)
    : fileMessages(messages, url);
}

/** The size of all files, next to that of the files of the base: both as they were sent, because a signature adds files. */
function contentSizes({ t, format }: Ui, { reviewFacts }: Version): Html {
  const { contentsSize: now = null, baseContentsSize: before = null, base = null } = reviewFacts ?? {};
  if (now === null) return html``;
  const after = format.bytes(now);
  if (before === null || base === null) return html`<p>${t('review.size', { after })}</p>`;
  const version = html`<bdi dir="ltr">${base.version}</bdi>`;
  return html`<p>${t('review.size-change', { after, before: format.bytes(before), version })}</p>`;
}

interface Shown {
  files: NonNullable<NonNullable<Version['reviewFacts']>['changedFiles']>;
  isFirst: boolean;
  messages: ReturnType<typeof fileMessages>;
  /** Of the page of the files. */
  path: string;
}

function changeTree(ui: Ui, { files, isFirst, messages, path }: Shown): Html {
  if (files.length === 0) return html`<p>${ui.t('code.compare.none')}</p>`;
  const hrefOf = (query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`;
  return html`<p class="muted">${isFirst ? ui.t('review.changes.first') : ui.t('code.compare.sum', { count: files.length })}</p>
${fileTree(ui, {
  files: files.map((file) => ({
    ...{ path: file.path, library: file.after?.library ?? null },
    ...{ change: file, messages: messages.get(file.path) ?? null },
  })),
  current: '',
  isOpen: files.length <= OPEN_FILES,
  fileHref: (file) => hrefOf({ file }),
  folderHref: (folder) => (folder === '' ? path : hrefOf({ folder })),
})}`;
}

/** The values of the manifest except permissions and texts, with what differs from that of the base. */
export function reviewedManifest(ui: Ui, addon: Addon, version: Version): Html {
  const manifest = version.reviewFacts?.manifest ?? [];
  if (manifest.length === 0) return html``;
  const { t } = ui;
  const file = html`<a href="${codePaths(addon, version).files}?file=manifest.json"><code>manifest.json</code></a>`;
  return html`<section aria-labelledby="manifest"><h2 id="manifest">${t('review.manifest')}</h2>
${facts(ui, {
  items: manifest.map(({ subject, values }) => ({
    term: t(`review.manifest.${subject}`),
    value: html`<ul class="plain-list">${values.map((value) => html`<li>${manifestValue(ui, value)}</li>`)}</ul>`,
  })),
})}
<p>${t(manifest.some(({ isCut }) => isCut) ? 'review.manifest.cut' : 'review.manifest.whole', { file })}</p></section>`;
}

function manifestValue(ui: Ui, { text, matches, change }: ManifestValue): Html {
  const { t } = ui;
  const shown =
    matches.length === 0 ? code(text) : t('review.manifest.for', { value: code(text), matches: codes(matches) });
  return html`${shown}${change === 'ADDED' && html` ${badge(ui, { kind: 'warning', text: t('ui.permissions.new') })}`}${
    change === 'DELETED' && html` ${badge(ui, { text: t('review.manifest.deleted') })}`
  }`;
}

const code = (text: string): Html => html`<bdi dir="ltr"><code>${revealInvisible(text)}</code></bdi>`;
const codes = (names: readonly string[]): Html => joined(names.map(code));

/** The permissions that the base has and the version does not. */
export function removedPermissions(ui: Ui, version: Version): Html {
  const [now, before] = [fileOf(version), version.reviewFacts?.base?.files[0]];
  if (now === undefined || before === undefined) return html``;
  const kept = [...now.permissions, ...now.hostPermissions];
  const removed = [...new Set([...before.permissions, ...before.hostPermissions])].filter(
    (name) => !kept.includes(name),
  );
  return removed.length === 0 ? html`` : html`<p>${ui.t('review.permissions.removed', { names: codes(removed) })}</p>`;
}
