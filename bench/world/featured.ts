/*
 * Public add-ons of the demo's developer with texts that the phrase books lack: Hebrew, which is written from right to left, and
 * texts near the limits of their length, with every element that descriptions may have.
 */
import { type AddonLine, addonLine, type WorldAddon } from './addon-line.ts';
import { DEMO_DEVELOPER } from './authors.ts';
import type { Texts } from './catalogue-line.ts';
import { LONG_TERMS, LONG_TEXT } from './long-text.ts';
import { BOOKS } from './phrase-books.ts';
import { type AddonPlan, extensionPlan } from './plan.ts';
import { randomFor } from './random.ts';

interface FeaturedAddon {
  slug: string;
  plan: AddonPlan;
  users: number;
  versions: number;
  /** Keys that differ from those of an ordinary line. */
  change: {
    default_locale: string;
    name: Texts;
    summary: Texts;
    description: Texts;
    eula?: Texts;
    privacy_policy?: Texts;
    developer_comments?: Texts;
  };
}

const FEATURED: readonly FeaturedAddon[] = [
  {
    slug: 'hebrew-calendar',
    plan: extensionPlan('pages', 'counter'),
    users: 18_400,
    versions: 4,
    change: {
      default_locale: 'he',
      name: { he: 'לוח שנה עברי', 'en-US': 'Hebrew Calendar', de: 'Hebräischer Kalender' },
      summary: {
        he: 'התאריך העברי, זמני היום ומועדי השנה, בכפתור אחד בסרגל הכלים.',
        'en-US': 'The Hebrew date, the times of the day and the holidays of the year behind one button of the toolbar.',
        de: 'Das hebräische Datum, die Zeiten des Tages und die Feste des Jahres hinter einer Schaltfläche.',
      },
      description: {
        he: [
          'התוסף מציג את התאריך העברי של היום ליד התאריך הלועזי, ומזכיר ימי הולדת וימי זיכרון לפי הלוח העברי.',
          '<ul><li>המרה בין תאריכים בשני הכיוונים</li><li>זמני הדלקת נרות ל־120 ערים</li><li>ייצוא ליומן בקובץ <code>calendar.ics</code></li></ul>',
          'כל החישובים נעשים במחשב שלך; התוסף אינו שולח מידע לשום מקום.',
        ].join('\n\n'),
        'en-US': [
          'Shows the Hebrew date of today next to the civil one, and reminds you of birthdays by the Hebrew calendar.',
          '<ul><li>Conversion of dates in both directions</li><li>Candle lighting times of 120 cities</li><li>Export as <code>calendar.ics</code></li></ul>',
          'Everything is computed on your machine; the add-on sends no data anywhere.',
        ].join('\n\n'),
        de: 'Zeigt das hebräische Datum von heute neben dem bürgerlichen und erinnert an Geburtstage nach dem hebräischen Kalender.',
      },
      privacy_policy: {
        he: 'התוסף שומר את ההגדרות במכשיר שלך בלבד, ואינו אוסף מידע.',
        'en-US': 'The add-on stores its settings on your device only and collects no data.',
      },
    },
  },
  {
    slug: 'the-thorough-page-reader',
    plan: extensionPlan('pages', 'finder'),
    users: 52_300,
    versions: 5,
    change: {
      default_locale: 'en-US',
      name: {
        'en-US': 'The Thorough Reader and Annotator of Long Articles',
        de: 'Lesezeichenverwaltungsergänzungsprogrammsammlung',
      },
      summary: {
        'en-US':
          'Reads any page aloud, marks what you have read, keeps your annotations with the page, shows how much is left, and prints the whole with footnotes: made for people who read long articles from the first word to the last, and return to them often.',
        de: 'Liest Seiten vor, merkt sich Anmerkungen und druckt sie als Fußnoten.',
      },
      description: { 'en-US': LONG_TEXT },
      eula: { 'en-US': LONG_TERMS },
      privacy_policy: {
        'en-US':
          '<strong>What is stored</strong>\n\nYour annotations and settings, on your device.\n\n<strong>What is sent</strong>\n\nNothing. Speech is made by the voices of your system.',
      },
      developer_comments: { 'en-US': 'Version 3 is in preparation. Translators are welcome.' },
    },
  },
];

/** Whether a line is one of these: they have daily statistics, whatever their rank is. */
export const isFeaturedAddon = ({ slug }: AddonLine): boolean => FEATURED.some((piece) => piece.slug === slug);

/** These add-ons. `until` is the latest date. */
export function featuredAddons(until: Date): WorldAddon[] {
  return FEATURED.map(({ slug, plan, users, versions, change }) => {
    const line = addonLine({
      plan,
      guid: `${slug}@world.example`,
      slug,
      books: BOOKS.slice(0, 1),
      random: randomFor('showpiece', slug),
      until,
      authors: [DEMO_DEVELOPER],
      users,
      versionCount: versions,
    });
    return { plan, line: { ...line, ...change, public_stats: true, is_source_public: true } };
  });
}
