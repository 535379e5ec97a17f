/* The format of messages in `_locales/<locale>/messages.json`, as browsers read it. Texts of a manifest have no substitutions. */
import { directionOf } from '../../texts/languages.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './parse-json.ts';

/** Longer messages and contents of placeholders are cut: a text of a manifest is shorter. */
const MAX_PART_LENGTH = 2000;
const PLACEHOLDER = /\$([A-Za-z0-9@_]+)\$/g;
/** A substitution such as `$1`, or dollar signs, of which the first escapes the others. */
const SUBSTITUTION = /\$(?:[1-9]\d*|(\$+))/g;

/**
 * The text of an entry of `messages.json`, with the contents of its placeholders; names are compared without case, and an unknown
 * one is empty. Null when the entry has no message.
 */
export function messageOf(entry: JsonValue | undefined): string | null {
  if (!isJsonObject(entry) || typeof entry.message !== 'string') return null;
  const contents = placeholderContents(entry.placeholders);
  const text = entry.message
    .slice(0, MAX_PART_LENGTH)
    .replace(PLACEHOLDER, (_, name: string) => contents.get(name.toLowerCase()) ?? '');
  return text.replace(SUBSTITUTION, (_, dollars: string | undefined) => dollars ?? '');
}

function placeholderContents(placeholders: JsonValue | undefined): ReadonlyMap<string, string> {
  const contents = new Map<string, string>();
  for (const [name, placeholder] of Object.entries(isJsonObject(placeholders) ? placeholders : ({} as JsonObject))) {
    const content = isJsonObject(placeholder) ? placeholder.content : undefined;
    if (typeof content === 'string') contents.set(name.toLowerCase(), content.slice(0, MAX_PART_LENGTH));
  }
  return contents;
}

/** A predefined message by upper-cased key. Undefined for others, such as `@@extension_id`, which is made at installation. */
export function predefinedMessage(key: string, locale: string): string | undefined {
  const isReversed = directionOf(locale) === 'rtl';
  switch (key) {
    case '@@UI_LOCALE':
      return locale.replaceAll('-', '_');
    case '@@BIDI_DIR':
      return isReversed ? 'rtl' : 'ltr';
    case '@@BIDI_REVERSED_DIR':
      return isReversed ? 'ltr' : 'rtl';
    case '@@BIDI_START_EDGE':
      return isReversed ? 'right' : 'left';
    case '@@BIDI_END_EDGE':
      return isReversed ? 'left' : 'right';
    default:
      return undefined;
  }
}
