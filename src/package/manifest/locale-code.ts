const MAX_CODE_LENGTH = 35;
const CODE = /^[a-z]{2,3}(?:[_-][a-z0-9]{1,8})*$/i;

/**
 * Writes a language code the way the contract's objects have it: `en_us` becomes `en-US`, `zh-hant-tw` `zh-Hant-TW`.
 * Only the case and the separator change; codes that browsers use outside the standards, such as `ja-JP-mac`, are kept.
 *
 * @returns `null` when the text has not the form of a language code
 */
export function canonicalLocale(code: string): string | null {
  if (code.length > MAX_CODE_LENGTH || !CODE.test(code)) return null;
  const [language = '', ...subtags] = code.toLowerCase().split(/[_-]/);
  return [language, ...subtags.map(canonicalSubtag)].join('-');
}

function canonicalSubtag(subtag: string): string {
  if (subtag.length === 2) return subtag.toUpperCase();
  if (/^[a-z]{4}$/.test(subtag)) return subtag.charAt(0).toUpperCase() + subtag.slice(1);
  return subtag;
}
