/** A text without what PostgreSQL cannot store: NUL characters and lone surrogates. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** JSON whose texts PostgreSQL can store. */
export const storableJson = (value: object): string =>
  JSON.stringify(value, (_key, part) => (typeof part === 'string' ? storableText(part) : part));
