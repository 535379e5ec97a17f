import { directionOf, type Language } from '../../texts/languages.ts';
import { escapeHtml } from '../../texts/printable.ts';

/** The contents of a mail, before they are written as text and as HTML. */
export interface Letter {
  subject: string;
  /** Paragraphs before the quoted text. A paragraph that is an absolute URL becomes a link. */
  opening: readonly string[];
  /** What a person wrote: verbatim in the text, escaped in the HTML. Null for none. */
  quotedText: string | null;
  /** Paragraphs after the quoted text. */
  closing: readonly string[];
}

/** The letter as plain text. */
export function letterText({ opening, quotedText, closing }: Letter): string {
  const parts = [...opening, ...(quotedText === null ? [] : [quotedText]), ...closing];
  return `${parts.join('\n\n')}\n`;
}

function paragraph(text: string): string {
  const isLink = /^https?:\/\/\S+$/.test(text);
  const content = escapeHtml(text);
  return isLink ? `<p dir="ltr"><a href="${content}">${content}</a></p>` : `<p>${content}</p>`;
}

/** The letter as an HTML document without scripts and external resources. */
export function letterHtml({ subject, opening, quotedText, closing }: Letter, language: Language): string {
  const direction = directionOf(language);
  const quoted =
    quotedText === null ? [] : [`<div dir="auto" style="white-space: pre-wrap">${escapeHtml(quotedText)}</div>`];
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
