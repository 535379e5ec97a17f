/* Mails about ratings: to the authors of an add-on, and to the writer of a rating that they reply to. */
import { config } from '../../config.ts';
import type { Transaction } from '../../infra/db.ts';
import type { Language } from '../../texts/languages.ts';
import { MAIL_TEXTS } from '../../texts/mails.ts';
import { translate } from '../../texts/translate.ts';
import { addonNameIn } from '../addons/record-addon-act.ts';
import type { LockedAddon } from '../listing/lock-addon.ts';
import type { Letter } from '../mail/letter.ts';
import { queueMails } from '../mail/queue-mail.ts';

/** A rating or reply that others see from now on. */
interface Shown {
  id: number;
  score: number | null;
  body: string | null;
}

function letterOf({ id, body }: Shown, text: string): Letter {
  return {
    subject: `${config.SITE_NAME}: ${text}`,
    opening: [text],
    quotedText: body,
    closing: [`${config.BASE_URL}/ratings/${id}/`],
  };
}

/** Queues the mails about a new rating to the authors of the add-on (notification `new_review`). A second call queues nothing. */
export async function mailRating(tx: Transaction, addon: LockedAddon, rating: Shown): Promise<void> {
  const letter = (language: Language, locale: string) => {
    const facts = { addon: addonNameIn(addon, locale), score: String(rating.score) };
    return letterOf(rating, translate(MAIL_TEXTS, language, 'rating.new', facts));
  };
  const accountIds = addon.authors.map(({ accountId }) => accountId);
  await queueMails(tx, { accountIds, notification: 'new_review', cause: `rating:${rating.id}`, letter });
}

/** Queues the mail about a reply to the writer of the rating (notification `reply`). A second call queues nothing. */
export async function mailReply(tx: Transaction, addon: LockedAddon, reply: Shown, writerId: number): Promise<void> {
  const letter = (language: Language, locale: string) =>
    letterOf(reply, translate(MAIL_TEXTS, language, 'rating.reply', { addon: addonNameIn(addon, locale) }));
  await queueMails(tx, { accountIds: [writerId], notification: 'reply', cause: `rating:${reply.id}`, letter });
}
