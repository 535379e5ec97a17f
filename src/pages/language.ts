import { acceptedLanguages } from '../http/accepts.ts';
import { LANGUAGES, type Language } from '../texts/text-table.ts';

const languageOf = (code: string): Language | undefined => {
  const base = code.toLowerCase().split(/[-_]/, 1)[0];
  // `iw` is the old code of Hebrew.
  return LANGUAGES.find((language) => language === (base === 'iw' ? 'he' : base));
};

/** The language of the interface: the first supported one of `chosen` (parameter, cookie), `Accept-Language` and the default; English. */
export function chooseLanguage(
  chosen: readonly (string | null)[],
  acceptLanguage: string | undefined,
  defaultLocale: string,
): Language {
  const codes = [...chosen, ...acceptedLanguages(acceptLanguage), defaultLocale];
  for (const code of codes) {
    const language = code === null ? undefined : languageOf(code);
    if (language !== undefined) return language;
  }
  return 'en';
}
