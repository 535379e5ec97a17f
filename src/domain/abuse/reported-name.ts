import type { Transaction } from '../../infra/db.ts';
import type { Language } from '../../texts/languages.ts';
import { MAIL_TEXTS } from '../../texts/mails.ts';
import { translate } from '../../texts/translate.ts';
import { addonNameIn } from '../addons/record-addon-act.ts';
import type { ReportRow } from './abuse-report.ts';

type NameIn = (language: Language, locale: string) => string;

/** The name of what a report is about, for a mail in a language. */
export async function reportedName(
  tx: Transaction,
  { accountId, addonGuid, collectionPath, ratingId }: ReportRow,
): Promise<NameIn> {
  if (ratingId !== null) return ratingName(tx, ratingId);
  if (collectionPath !== null) return () => collectionPath;
  if (accountId === null) return () => addonGuid ?? '';
  const { username } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { username: true } });
  return () => username;
}

/** In characters. */
const EXCERPT = 60;

/** A rating by its add-on and the beginning of its text, in one line. */
async function ratingName(tx: Transaction, id: number): Promise<NameIn> {
  const { body, score, replyTo, addon } = await tx.rating.findUniqueOrThrow({
    where: { id },
    include: { addon: true },
  });
  const words = [...(body ?? '').replaceAll(/\s+/g, ' ').trim()];
  const excerpt = words.length > EXCERPT ? `${words.slice(0, EXCERPT).join('').trimEnd()}…` : words.join('');
  return (language, locale) => {
    const facts = { addon: addonNameIn(addon, locale) };
    if (replyTo !== null) return translate(MAIL_TEXTS, language, 'report.reply', { ...facts, excerpt });
    if (excerpt === '') return translate(MAIL_TEXTS, language, 'report.score', { ...facts, score: String(score) });
    return translate(MAIL_TEXTS, language, 'report.rating', { ...facts, excerpt });
  };
}
