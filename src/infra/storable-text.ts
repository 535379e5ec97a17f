/** A text without what PostgreSQL cannot store: NUL characters and lone surrogates. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** A text to compare with stored ones. What none of them contains becomes U+FFFD, so that the rest of the text alone matches nothing. */
export const comparableText = (text: string): string => text.replaceAll('\0', '\u{fffd}').toWellFormed();

/** JSON whose texts PostgreSQL can store. */
export const storableJson = (value: object): string =>
  JSON.stringify(value, (_key, part) => (typeof part === 'string' ? storableText(part) : part));
