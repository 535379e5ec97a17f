import { html } from 'hono/html';
import type { Html } from '../html.ts';

/**
 * Control and format characters but for tabs: those for text direction, of no width and without a sign hide what a program does, and HTML
 * allows few of the others.
 */
const INVISIBLE = /(?!\t)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** What most lines of programs consist of. The properties of other characters take much longer to look up. */
const PLAIN = /^[\t\x20-\x7e]*$/;

/** `text` with the code points of invisible characters. */
export const revealInvisible = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.replace(
        INVISIBLE,
        (character) => `<U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}>`,
      );

/** The name or path of a file in a package. */
export const fileName = (name: string): Html => html`<bdi dir="ltr">${revealInvisible(name)}</bdi>`;
