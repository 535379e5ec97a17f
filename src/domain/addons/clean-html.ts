/*
 * The only HTML sanitizer. Every HTML text is cleaned before it is stored, from any source, so that clients can render stored
 * texts as they are.
 */
import sanitizeHtml from 'sanitize-html';
import { storableText } from '../../infra/storable-text.ts';
import type { TextsByLocale } from './localized-text.ts';

/** Deeper markup is useless in these texts, and front ends may recurse once per level. */
const MAX_NESTING = 16;

/** An absolute web or mail URL. */
const ABSOLUTE_URL = /^(?:https?:\/\/[^/?#\s]|mailto:[^\s])/i;

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ['a', 'abbr', 'acronym', 'b', 'blockquote', 'br', 'code', 'em', 'i', 'li', 'ol', 'p', 'strong', 'ul'],
  allowedAttributes: { a: ['href', 'title', 'rel'], abbr: ['title'], acronym: ['title'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  // The contents of these elements are removed too, because they are not readable text.
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'iframe', 'xmp', 'noembed'],
  nestingLimit: MAX_NESTING,
  transformTags: { a: (tagName, attribs) => ({ tagName, attribs: linkAttributes(attribs) }) },
};

function linkAttributes({ href, ...others }: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const target = href?.trim();
  return { ...(target && ABSOLUTE_URL.test(target) ? { href: target } : {}), ...others, rel: 'nofollow' };
}

/** A text that needs more passes is built to confuse parsers, so it loses all markup. */
const MAX_PASSES = 4;

/**
 * Cleans the HTML of a text. Keeps simple markup and links to
 * absolute web and mail URLs, which become nofollow. Removes other tags but keeps their text, and removes scripts and styles
 * with their contents. Escapes HTML characters and keeps line breaks. The function is idempotent.
 */
export function cleanHtml(html: string): string {
  let text = storableText(html).trim();
  if (!/[<>&]/.test(text)) return text;
  // The output is parsed again, as a browser would do. Only a text that no longer changes is safe.
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const cleaned = sanitizeHtml(text, OPTIONS).trim();
    if (cleaned === text) return text;
    text = cleaned;
  }
  return sanitizeHtml(text, { ...OPTIONS, allowedTags: [] }).trim();
}

/** Cleans a text in several languages and removes those that become empty. */
export function cleanHtmlTexts(texts: TextsByLocale): TextsByLocale {
  const cleaned = Object.entries(texts).map(([locale, text]) => [locale, cleanHtml(text)] as const);
  return Object.fromEntries(cleaned.filter(([, text]) => text !== ''));
}
