/*
 * The languages that texts may be written in, and how a request's wish for one becomes one of them.
 */

/** Supported languages, in the spelling of the contract's objects. */
export const SUPPORTED_LOCALES: readonly string[] = (
  'af ar ast az bg bn bs ca cak cs da de dsb el en-CA en-GB en-US es et eu fa fi fr fy-NL ga-IE gl he hi-IN hr hsb hu id ' +
  'is it ja ka kab ko lt lv mk mn ms nb-NO nl nn-NO pa-IN pl pt-BR pt-PT ro ru sk sl sq sr sv-SE te th tr uk ur vi ' +
  'zh-CN zh-TW'
).split(' ');

const byLowerCase = new Map(SUPPORTED_LOCALES.map((locale) => [locale.toLowerCase(), locale]));

/** What a code means for which there is more than one region, or none of its own. */
const usualRegion = new Map([
  ['en', 'en-US'],
  ['no', 'nb-NO'],
  ['pt', 'pt-PT'],
  ['zh', 'zh-CN'],
  ['zh-hans', 'zh-CN'],
  ['zh-hant', 'zh-TW'],
  ['zh-hk', 'zh-TW'],
]);

/** Lower case and hyphens: the form in which codes are compared. */
function comparable(code: string): string {
  return code.toLowerCase().replaceAll('_', '-');
}

/** The supported language that `code` names, in whatever case and with `-` or `_`; null for any other. */
export function canonicalLocale(code: string): string | null {
  return byLowerCase.get(comparable(code)) ?? null;
}

/** The supported language nearest to a code: itself, its base language, or the usual region of that. */
function nearestLocale(code: string): string | null {
  const wanted = comparable(code);
  const base = wanted.split('-', 1)[0] ?? '';
  if (base === '') return null;
  return (
    byLowerCase.get(wanted) ??
    usualRegion.get(wanted) ??
    byLowerCase.get(base) ??
    usualRegion.get(base) ??
    SUPPORTED_LOCALES.find((locale) => locale.toLowerCase().startsWith(`${base}-`)) ??
    null
  );
}

const LONGEST_HEADER = 1_000;

/** The languages of an `Accept-Language` header, most wanted first (RFC 9110, section 12.5.4); refused ones are left out. */
function acceptedLanguages(header: string): string[] {
  return header
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map((range) => {
      const [code = '', ...parameters] = range.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
      return { code, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ code, weight }) => code !== '*' && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ code }) => code);
}

/**
 * The language to answer in: what `lang` asks for, else the first supported one of `Accept-Language`, else the default.
 * What cannot be read or is not supported is passed over, never an error (contract, Translated fields).
 */
export function negotiateLocale(lang: string | null, acceptLanguage: string | null, defaultLocale: string): string {
  const asked = lang ? nearestLocale(lang) : null;
  if (asked !== null || !acceptLanguage) return asked ?? defaultLocale;
  for (const code of acceptedLanguages(acceptLanguage)) {
    const locale = nearestLocale(code);
    if (locale !== null) return locale;
  }
  return defaultLocale;
}
