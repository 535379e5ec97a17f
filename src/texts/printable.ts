/* Values of clients in messages. */

const MAX_PRINTED = 200;
/** Controls, line separators and bidirectional marks, which could forge a line of a terminal or a log. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** A text for a message: at most 200 characters, unprintable ones written as `\uXXXX`. */
export function printable(name: string): string {
  const characters = Array.from(name.slice(0, 2 * MAX_PRINTED), (character) =>
    UNPRINTABLE.test(character) ? escaped(character) : character,
  );
  return characters.join('').slice(0, MAX_PRINTED).toWellFormed();
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Replaces the markup characters of HTML by references. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
