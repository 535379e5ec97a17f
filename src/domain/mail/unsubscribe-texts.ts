import { type MailLanguage, mailLanguage } from './letter.ts';

/** The texts of the page behind an unsubscribe link, in the languages of the mails that have it. */
const TEXTS = {
  en: {
    title: 'Unsubscribe',
    question: 'Do you want no more mails of this kind?',
    button: 'Unsubscribe',
    doneTitle: 'Unsubscribed',
    done: 'You get no more mails of this kind. Your notification settings can change that.',
    invalidTitle: 'Not found',
    invalid: 'This link is not valid. Change your notification settings instead.',
  },
  de: {
    title: 'Abbestellen',
    question: 'Möchtest du keine Mails dieser Art mehr bekommen?',
    button: 'Abbestellen',
    doneTitle: 'Abbestellt',
    done: 'Du bekommst keine Mails dieser Art mehr. In deinen Einstellungen für Benachrichtigungen lässt sich das ändern.',
    invalidTitle: 'Nicht gefunden',
    invalid: 'Dieser Link ist ungültig. Benachrichtigungen lassen sich in deinen Einstellungen ändern.',
  },
  he: {
    title: 'ביטול הרשמה',
    question: 'להפסיק לקבל הודעות מסוג זה?',
    button: 'ביטול הרשמה',
    doneTitle: 'ההרשמה בוטלה',
    done: 'לא יישלחו אליך עוד הודעות מסוג זה. אפשר לשנות זאת בהגדרות ההתראות.',
    invalidTitle: 'לא נמצא',
    invalid: 'הקישור אינו תקף. אפשר לשנות את הגדרות ההתראות במקום זאת.',
  },
} as const satisfies Record<MailLanguage, Record<string, string>>;

/** The texts for a locale, with their language. */
export function unsubscribeTexts(locale: string) {
  const language = mailLanguage(locale);
  return { language, ...TEXTS[language] };
}
