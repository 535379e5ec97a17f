/* States and steps as badges and buttons. */
import { html } from 'hono/html';
import type { AddonStep, HubNoteFragment, HubSignedFragment } from '../../generated/operations/graphql.ts';
import { lineUrl } from '../code/lines.ts';
import { type BadgeKind, badge } from '../components/badge.ts';
import { missingFile, sessionFileUrl } from '../components/file-link.ts';
import { revealInvisible } from '../components/file-name.ts';
import type { IconName } from '../components/icon.ts';
import { type ThreadEntry, thread } from '../components/thread.ts';
import type { Html } from '../html.ts';
import { codedMessageOf, messageHtml } from '../messages.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

const STAGE_KINDS: Readonly<Record<string, BadgeKind>> = {
  SIGNED: 'ok',
  INVALID: 'error',
  REJECTED: 'error',
  ERROR: 'error',
  AWAITING_REVIEW: 'info',
};

const lower = (word: string): string => word.toLowerCase().replaceAll('_', '-');

/** The stage of a version or an upload. */
export const stageBadge = (ui: Ui, stage: string): Html =>
  badge(ui, { kind: STAGE_KINDS[stage] ?? 'plain', text: ui.t(`validation.stage.${stage}` as PageTextKey) });

/** Seconds between two loads of a page with something that moves, by a browser without scripts. */
export const REFRESH_SECONDS = 3;

/** Whether the validator has not finished yet. */
export const isBeingChecked = (stage: string): boolean => stage === 'RECEIVED' || stage === 'VALIDATING';

/** Whether a version enters another stage without a person. */
export const isMoving = (stage: string): boolean => ['RECEIVED', 'VALIDATING', 'VALID', 'SIGNING'].includes(stage);

/**
 * The attribute with the address of the events of the first version that moves: `live.js` renews the element after each. Nothing if none
 * moves, or is imported.
 */
export function eventsOf(states: readonly { stage: string; validationUrl?: string | null }[]): Html {
  const address = states.find(({ stage, validationUrl }) => isMoving(stage) && validationUrl != null)?.validationUrl;
  return address == null ? html`` : html` data-events="${new URL(address).pathname}events"`;
}

/** The signed files of a version, to save. */
export const signedFiles = (ui: Ui, { files }: HubSignedFragment): Html =>
  html`${files.map(({ databaseId, name, size, isStored }) =>
    isStored
      ? html` <a href="${sessionFileUrl({ databaseId, name })}">${ui.t('hub.signed.download')} <bdi dir="ltr">${name}</bdi></a> <span class="muted">${ui.format.bytes(size)}</span>`
      : html` ${missingFile(ui)}`,
  )}`;

/** The channel of a version. */
export const channelName = (ui: Ui, channel: string): Html => ui.t(`hub.channel.${lower(channel)}` as PageTextKey);

interface Step {
  step: `${AddonStep}`;
  path?: string | null;
}

/** What the developers of an add-on do next, in a sentence. */
export const stepText = (ui: Ui, { step }: Step): Html => ui.t(`hub.step.${lower(step)}` as PageTextKey);

/** The button to the page on which that is done; nothing where no page helps. */
export function stepButton(ui: Ui, next: Step, isPrimary = true): Html {
  if (next.path == null) return html``;
  const text = ui.t(`hub.step-button.${lower(next.step)}` as PageTextKey);
  return html`<a class="button ${isPrimary ? 'primary' : ''}" href="${next.path}">${text}</a>`;
}

const NOTES: Readonly<Record<string, { icon: IconName; kind: NonNullable<ThreadEntry['kind']> }>> = {
  APPROVED: { icon: 'check', kind: 'ok' },
  REJECTED: { icon: 'close', kind: 'error' },
  MORE_INFORMATION_REQUESTED: { icon: 'warning', kind: 'warning' },
  REVIEW_REQUESTED: { icon: 'clock', kind: 'plain' },
  SUPER_REVIEW_REQUESTED: { icon: 'flag', kind: 'plain' },
  SOURCE_CODE_UPLOADED: { icon: 'file', kind: 'plain' },
};

/** Comments on lines, each with a link to its line. */
const lineList = ({ version, lineComments }: HubNoteFragment): Html =>
  html`<ul class="line-list">${lineComments.map(
    ({
      path,
      line,
      quote,
      text,
    }) => html`<li><a href="${lineUrl(version.url, path, line)}"><bdi dir="ltr">${revealInvisible(path)}:${line}</bdi></a>
<blockquote dir="ltr"><code>${quote}</code></blockquote>
<p class="thread-text" dir="auto">${text}</p></li>
`,
  )}</ul>`;

/** What a note is: of a reply, also whose. */
export const noteTitle = (
  { t }: Pick<Ui, 't'>,
  { action, kind, actionLabel }: Pick<HubNoteFragment, 'action' | 'kind' | 'actionLabel'>,
): Html | string => {
  if (kind === 'DEVELOPER_REPLY' || kind === 'REVIEWER_REPLY') return t(`hub.note.${kind}`);
  // The label of REST differs from the name of this state on other pages.
  return action === 'MORE_INFORMATION_REQUESTED' ? t('review.log.information') : actionLabel;
};

/** A note of a review as an entry of a thread. */
function noteEntry(ui: Ui, note: HubNoteFragment): ThreadEntry {
  const { icon, kind } = NOTES[note.action] ?? { icon: 'mail', kind: 'plain' };
  const version = html`<bdi dir="ltr">${note.version.version}</bdi>`;
  const who = html`<bdi>${note.user.name}</bdi>`;
  const written = codedMessageOf(note.commentsReason ?? null);
  return {
    id: `note-${note.databaseId}`,
    title: ui.t('hub.note', { action: html`<strong>${noteTitle(ui, note)}</strong>`, who, version }),
    time: note.created,
    // Developers read a sentence of the service in place of the words of a referral.
    text: written === null ? note.text : messageHtml(ui, written),
    ...(note.lineComments.length === 0 ? {} : { below: lineList(note) }),
    icon,
    kind,
  };
}

/** The notes of reviews in the given order. */
export const noteThread = (ui: Ui, notes: readonly HubNoteFragment[]): Html =>
  notes.length === 0
    ? html`<p>${ui.t('hub.activity.none')}</p>`
    : thread(
        ui,
        notes.map((note) => noteEntry(ui, note)),
      );
