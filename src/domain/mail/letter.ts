import { directionOf, type Language } from '../../texts/languages.ts';

/** The contents of a mail, before they are written as text and as HTML. */
export interface Letter {
  subject: string;
  /** Paragraphs before the words. A paragraph that is an absolute URL becomes a link. */
  opening: readonly string[];
  /** What a person wrote: verbatim in the text, escaped in the HTML. Null for none. */
  words: string | null;
  /** Paragraphs after the words. */
  closing: readonly string[];
}

/** The letter as plain text. */
export function letterText({ opening, words, closing }: Letter): string {
  const parts = [...opening, ...(words === null ? [] : [words]), ...closing];
  return `${parts.join('\n\n')}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

function paragraph(text: string): string {
  const isLink = /^https?:\/\/\S+$/.test(text);
  const content = escapeHtml(text);
  return isLink ? `<p dir="ltr"><a href="${content}">${content}</a></p>` : `<p>${content}</p>`;
}

/** The letter as an HTML document without scripts and external resources. */
export function letterHtml({ subject, opening, words, closing }: Letter, language: Language): string {
  const direction = directionOf(language);
  const quoted = words === null ? [] : [`<div dir="auto" style="white-space: pre-wrap">${escapeHtml(words)}</div>`];
  return [
    '<!doctype html>',
    `<html lang="${language}" dir="${direction}">`,
    `<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body dir="${direction}">`,
    ...opening.map(paragraph),
    ...quoted,
    ...closing.map(paragraph),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
