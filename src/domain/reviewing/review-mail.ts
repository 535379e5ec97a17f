/*
 * Mails about decisions and messages of reviewing (docs/decisions.md D118): to the authors of the add-on and the reviewers who wrote in the
 * thread of the version, except the one who acted. Reviewers who have subscribed get those about waiting versions and replies.
 */
import { mailViewers } from '../../auth/credential-account.ts';
import { canReview } from '../../auth/permissions.ts';
import { config } from '../../config.ts';
import type { Transaction } from '../../infra/db.ts';
import type { Channel } from '../../package/enums.ts';
import type { Language } from '../../texts/languages.ts';
import { MAIL_TEXTS, type MailKey } from '../../texts/mails.ts';
import { translate } from '../../texts/translate.ts';
import { localized, textIn } from '../addons/localized-text.ts';
import type { Letter } from '../mail/letter.ts';
import { headerText, mailDomain } from '../mail/mail-settings.ts';
import { queueMails } from '../mail/queue-mail.ts';
import { NOTE_ACTIONS, type NoteAction } from './note-actions.ts';

/** The actions that mails tell of: those with a text. */
type MailedAction = { [Action in NoteAction]: `review.${Action}` extends MailKey ? Action : never }[NoteAction];

/** An activity row with the version, the add-on and the people of its thread. */
interface Event {
  action: string;
  accountId: number | null;
  comments: string;
  versionId: number | null;
  version: string | null;
  channel: Channel;
  addonId: number;
  type: string;
  name: unknown;
  defaultLocale: string;
  authorIds: number[];
  writerIds: number[];
  /** Reviewers who have subscribed to the add-on. */
  subscriberIds: number[];
}

async function readEvent(tx: Transaction, activityId: number): Promise<Event | null> {
  const [event] = await tx.$queryRaw<Event[]>`
    SELECT e.action, e.account_id AS "accountId", e.comments, v.id AS "versionId", v.version,
      coalesce(v.channel, 'listed') AS channel, a.id AS "addonId", a.type, a.name, a.default_locale AS "defaultLocale",
      ARRAY(SELECT u.account_id FROM addon_author u WHERE u.addon_id = a.id ORDER BY u.account_id) AS "authorIds",
      ARRAY(SELECT DISTINCT n.account_id FROM activity n WHERE n.version_id = v.id AND n.account_id IS NOT NULL
        AND n.action = ANY (${NOTE_ACTIONS}::text[]) ORDER BY n.account_id) AS "writerIds",
      ARRAY(SELECT s.account_id FROM review_subscription s WHERE s.addon_id = a.id
        AND e.action IN ('review-requested', 'review-note') ORDER BY s.account_id) AS "subscriberIds"
    FROM activity e JOIN addon a ON a.id = e.addon_id LEFT JOIN version v ON v.id = e.version_id
    WHERE e.id = ${activityId}`;
  return event ?? null;
}

const isMailed = (action: string): action is MailedAction =>
  NOTE_ACTIONS.some((each) => each === action) && MAIL_TEXTS.parameterNames(`review.${action}`) !== null;

/**
 * Queues the mails about an activity row in its transaction; none for actions without mail, such as comments. For an approval,
 * call it once the version is signed. A second call for the same row queues nothing.
 */
export async function queueReviewMails(tx: Transaction, activityId: number): Promise<void> {
  const event = await readEvent(tx, activityId);
  if (event === null || !isMailed(event.action)) return;
  const { action, addonId, versionId } = event;
  const conversation = versionId === null ? `${addonId}` : `${addonId}/${versionId}`;
  await queueMails(tx, {
    accountIds: await recipientsOf(tx, event),
    notification: 'reviewer_reviewed',
    cause: `activity:${activityId}`,
    letter: (language, locale) => reviewLetter(event, action, language, locale),
    thread: `<${conversation}@${mailDomain()}>`,
    ...(versionId === null ? {} : { versionId }),
  });
}

/** Queues the mails about the approval of a version that was just signed; none for a version that required no approval. */
export async function queueApprovalMails(tx: Transaction, versionId: number): Promise<void> {
  const approval = await tx.activity.findFirst({
    where: { versionId, action: 'approved' },
    orderBy: { id: 'desc' },
    select: { id: true },
  });
  if (approval !== null) await queueReviewMails(tx, approval.id);
}

/**
 * Writers in the thread and subscribers who are not authors get mail as long as they may review the version; subscriptions of others
 * end. Only subscribers get mail about a version that starts to wait.
 */
async function recipientsOf(tx: Transaction, event: Event): Promise<number[]> {
  const { action, type, channel, authorIds, writerIds, subscriberIds, accountId, addonId } = event;
  const thread = action === 'review-requested' ? [] : [...authorIds, ...writerIds];
  const others = [...new Set([...thread, ...subscriberIds])].filter((id) => !authorIds.includes(id));
  const viewers = others.length === 0 ? [] : await mailViewers(tx, others);
  const reviewers = viewers.filter((viewer) => canReview(viewer, { type }, channel)).map((viewer) => viewer.accountId);
  const mayReview = viewers
    .filter((viewer) => canReview(viewer, { type }, 'listed') || canReview(viewer, { type }, 'unlisted'))
    .map((viewer) => viewer.accountId);
  const lost = subscriberIds.filter((id) => others.includes(id) && !mayReview.includes(id));
  if (lost.length > 0) await tx.reviewSubscription.deleteMany({ where: { addonId, accountId: { in: lost } } });
  const authors = action === 'review-requested' ? [] : authorIds;
  return [...authors, ...reviewers].filter((id) => id !== accountId);
}

function reviewLetter(event: Event, action: MailedAction, language: Language, locale: string): Letter {
  const name = addonName(event, locale);
  const { version, comments } = event;
  const what = version === null ? name : translate(MAIL_TEXTS, language, 'review.version', { name, version });
  const subject = [name, ...(version === null ? [] : [version])].join(' ');
  return {
    subject: `${config.SITE_NAME}: ${subject}`,
    opening: [translate(MAIL_TEXTS, language, `review.${action}`, { what })],
    quotedText: comments === '' ? null : comments,
    closing: version === null ? [] : [translate(MAIL_TEXTS, language, 'footer.review')],
  };
}

function addonName({ name, defaultLocale, addonId }: Event, locale: string): string {
  return headerText(textIn(localized(name, defaultLocale), locale) || `#${addonId}`);
}
