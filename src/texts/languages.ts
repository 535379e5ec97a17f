/* The languages of texts, and the directions of scripts. */

/** The languages that the service writes all its texts in. */
export const LANGUAGES = ['en', 'de', 'he'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The primary subtag of a language tag in lower case: `de` of `de-AT` and `DE_at`. `iw` is the old code of Hebrew. */
function primarySubtag(locale: string): string {
  const subtag = locale.toLowerCase().split(/[-_]/, 1)[0] ?? '';
  return subtag === 'iw' ? 'he' : subtag;
}

/** The language of the service's texts with this language tag; null for one that it has no texts in. */
export function languageOfTag(locale: string): Language | null {
  const subtag = primarySubtag(locale);
  return LANGUAGES.find((each) => each === subtag) ?? null;
}

/** The language of texts for a reader with these locales, most wanted first; English without a known one. */
export function chooseLanguage(locales: readonly (string | null)[]): Language {
  for (const locale of locales) {
    const language = locale === null ? null : languageOfTag(locale);
    if (language !== null) return language;
  }
  return 'en';
}

/** Primary subtags of languages that are written from right to left. */
const RIGHT_TO_LEFT: readonly string[] = ['ar', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi'];

/** The direction of a language's script. */
export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.includes(primarySubtag(locale)) ? 'rtl' : 'ltr';
