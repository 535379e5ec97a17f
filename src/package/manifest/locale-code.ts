const MAX_CODE_LENGTH = 35;
const CODE = /^[a-z]{2,3}(?:[_-][a-z0-9]{1,8})*$/i;

/**
 * The canonical form of a language code: `en_us` becomes `en-US`, `zh-hant-tw` becomes `zh-Hant-TW`. Only case and separator
 * change; browsers' own codes, such as `ja-JP-mac`, are kept.
 * @returns `null` when the text is not a language code
 */
export function canonicalLocaleCode(code: string): string | null {
  if (code.length > MAX_CODE_LENGTH || !CODE.test(code)) return null;
  const [language = '', ...subtags] = code.toLowerCase().split(/[_-]/);
  return [language, ...subtags.map(canonicalSubtag)].join('-');
}

function canonicalSubtag(subtag: string): string {
  if (subtag.length === 2) return subtag.toUpperCase();
  if (/^[a-z]{4}$/.test(subtag)) return subtag.charAt(0).toUpperCase() + subtag.slice(1);
  return subtag;
}
