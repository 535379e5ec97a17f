import { LANGUAGES, type Language } from './texts.ts';

const languageOf = (code: string): Language | undefined => {
  const base = code.toLowerCase().split(/[-_]/, 1)[0];
  // `iw` is the old code of Hebrew.
  return LANGUAGES.find((language) => language === (base === 'iw' ? 'he' : base));
};

/** The codes of an Accept-Language header by descending weight (RFC 9110, section 12.5.4). */
function acceptedCodes(header: string): string[] {
  return header
    .slice(0, 1_000)
    .split(',')
    .map((range) => {
      const [code = '', ...parameters] = range.split(';').map((part) => part.trim());
      const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
      return { code, weight };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ code }) => code);
}

/** The language of the interface: the first supported one of `chosen` (parameter, cookie), `Accept-Language` and the default; English. */
export function chooseLanguage(
  chosen: readonly (string | null)[],
  acceptLanguage: string | undefined,
  defaultLocale: string,
): Language {
  const codes = [...chosen, ...acceptedCodes(acceptLanguage ?? ''), defaultLocale];
  for (const code of codes) {
    const language = code === null ? undefined : languageOf(code);
    if (language !== undefined) return language;
  }
  return 'en';
}
