/*
 * Texts with HTML in them are cleaned here, and nowhere else: before they are stored, whoever brings them. What is stored can
 * be shown by a client as it stands.
 */
import sanitizeHtml from 'sanitize-html';
import type { Texts } from './localized-text.ts';

/** Deeper markup has no use in these texts, and front ends walk it one call per level. */
const DEEPEST_MARKUP = 16;

/** An address that means the same wherever the text is shown. */
const WHOLE_ADDRESS = /^(?:https?:\/\/[^/?#\s]|mailto:[^\s])/i;

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ['a', 'abbr', 'acronym', 'b', 'blockquote', 'br', 'code', 'em', 'i', 'li', 'ol', 'p', 'strong', 'ul'],
  allowedAttributes: { a: ['href', 'title', 'rel'], abbr: ['title'], acronym: ['title'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  // Their contents are no text that anybody was meant to read.
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'iframe', 'xmp', 'noembed'],
  nestingLimit: DEEPEST_MARKUP,
  transformTags: { a: (tagName, attribs) => ({ tagName, attribs: linkAttributes(attribs) }) },
};

function linkAttributes({ href, ...others }: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const target = href?.trim();
  return { ...(target && WHOLE_ADDRESS.test(target) ? { href: target } : {}), ...others, rel: 'nofollow' };
}

/** Texts that need more passes than this are made to confuse a parser, and are not worth their markup. */
const MOST_PASSES = 4;

/**
 * A text with some HTML as it may be stored and shown: the markup of simple texts stays, with links to whole web and mail
 * addresses that search engines do not follow; any other tag goes and leaves its text behind, scripts and styles go with
 * their text, and characters that mean something in HTML are written as entities. Line breaks stay as they are. To clean
 * what is clean changes nothing. For the fields in `HTML_FIELDS`: description, developer comments, release notes, licence
 * text, EULA and privacy policy; every other text is plain and is shown as it was written.
 */
export function cleanHtml(html: string): string {
  let text = html.replaceAll('\0', '').toWellFormed().trim();
  if (!/[<>&]/.test(text)) return text;
  // What one pass writes is read again, as a browser will read it: only a text that stays the same is understood.
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const cleaned = sanitizeHtml(text, OPTIONS).trim();
    if (cleaned === text) return text;
    text = cleaned;
  }
  return sanitizeHtml(text, { ...OPTIONS, allowedTags: [] }).trim();
}

/** The same for a text in several languages; a language of which nothing is left goes. */
export function cleanHtmlTexts(texts: Texts): Texts {
  const cleaned = Object.entries(texts).map(([locale, text]) => [locale, cleanHtml(text)] as const);
  return Object.fromEntries(cleaned.filter(([, text]) => text !== ''));
}

/** The translated columns whose texts hold HTML, by table. */
export const HTML_FIELDS = {
  addon: ['description', 'developerComments', 'eula', 'privacyPolicy'],
  version: ['releaseNotes'],
  license: ['text'],
} as const;
