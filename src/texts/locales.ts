/* The supported languages of texts, and language negotiation. */

/** Supported language codes, in the spelling of the contract. */
export const SUPPORTED_LOCALES: readonly string[] = (
  'af ar ast az bg bn bs ca cak cs da de dsb el en-CA en-GB en-US es et eu fa fi fr fy-NL ga-IE gl he hi-IN hr hsb hu id ' +
  'is it ja ka kab ko lt lv mk mn ms nb-NO nl nn-NO pa-IN pl pt-BR pt-PT ro ru sk sl sq sr sv-SE te th tr uk ur vi ' +
  'zh-CN zh-TW'
).split(' ');

const byLowerCase = new Map(SUPPORTED_LOCALES.map((locale) => [locale.toLowerCase(), locale]));

/** The default region of codes with several supported regions, and aliases of unsupported codes. */
const defaultRegion = new Map([
  ['en', 'en-US'],
  ['no', 'nb-NO'],
  ['pt', 'pt-PT'],
  ['zh', 'zh-CN'],
  ['zh-hans', 'zh-CN'],
  ['zh-hant', 'zh-TW'],
  ['zh-hk', 'zh-TW'],
]);

/** No code of a language is longer. The rest of one is ignored, because a query may compare it with thousands of texts. */
const MAX_CODE_LENGTH = 35;

/** Lower case with hyphens. */
function normalizeCode(code: string): string {
  return code
    .slice(0, MAX_CODE_LENGTH + 1)
    .toLowerCase()
    .replaceAll('_', '-');
}

/** The base language of a code in lower case: `de` of `de-AT` and `DE_at`. */
export const baseLanguage = (code: string): string => normalizeCode(code).split('-', 1)[0] ?? '';

/** The supported language with this code, in any case and with `-` or `_`; else null. */
export function canonicalLocale(code: string): string | null {
  return byLowerCase.get(normalizeCode(code)) ?? null;
}

/** The supported language closest to a code: itself, its base language, or a region of that. */
export function nearestLocale(code: string): string | null {
  const wanted = normalizeCode(code);
  const base = baseLanguage(code);
  if (base === '') return null;
  return (
    byLowerCase.get(wanted) ??
    defaultRegion.get(wanted) ??
    byLowerCase.get(base) ??
    defaultRegion.get(base) ??
    SUPPORTED_LOCALES.find((locale) => locale.toLowerCase().startsWith(`${base}-`)) ??
    null
  );
}

/**
 * The language of the response: that of `lang`, else the first supported one of those that the client accepts, else the default.
 * Malformed and unsupported codes are ignored (contract, Translated fields).
 */
export function negotiateLocale(lang: string | null, accepted: readonly string[], defaultLocale: string): string {
  for (const code of lang ? [lang, ...accepted] : accepted) {
    const locale = nearestLocale(code);
    if (locale !== null) return locale;
  }
  return defaultLocale;
}
