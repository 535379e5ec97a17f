import { html, raw } from 'hono/html';
import { directionOf } from '../texts/languages.ts';
import type { Html } from './html.ts';

/**
 * Stored HTML of a user, in an element with its language. It was cleaned when it was written; its links must be wrapped
 * (`wrapLinks: true` in the operation).
 */
export function userHtml(stored: string, attributes: { lang: string | null; class?: string }): Html {
  const { lang, class: name = 'user-text' } = attributes;
  return html`<div class="${name}"${lang === null ? '' : html` lang="${lang}" dir="${directionOf(lang)}"`}>${raw(stored)}</div>`;
}
