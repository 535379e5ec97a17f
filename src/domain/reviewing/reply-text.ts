/*
 * What a person wrote in a reply by mail, without the quoted thread and the signature (docs/decisions.md D121). Every line is looked at a
 * bounded number of times and every pattern is tried on short lines only, so the time is linear in the length of the mail.
 */

import { MAX_NOTE_LENGTH } from '../activity/note-text.ts';

/** Further lines are dropped: a note and its quoted thread have fewer. */
const MAX_LINES = 5_000;
/** Longer lines are text: headers and attributions are shorter. */
const MAX_PATTERN_LENGTH = 300;

/** Marks of text direction, which some mail programs put into attributions. */
const DIRECTION_MARKS = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

const QUOTED = /^\s{0,3}>/;
const SIGNATURE_DELIMITER = /^--\s?$/;
const PROGRAM_SIGNATURE =
  /^(?:sent (?:from|with|via) |get outlook for |gesendet (?:mit|von) |von mein\S+ \S+ gesendet|diese nachricht wurde von mein|envoyé (?:de|depuis|à partir)|enviado (?:desde|do|de) |inviato da|verzonden (?:vanaf|met)|verstuurd vanaf|sendt fra|skickat från|отправлено (?:с|из)|נשלח מ)/i;
/** How near to the end the line of a program can be, in lines that are not blank. */
const PROGRAM_SIGNATURE_LINES = 2;

/** `-----Original Message-----` and its relatives. */
const DIVIDER =
  /^[-‐‑–—_=*]{2,} ?(?:original|reply|forwarded|begin forwarded|ursprüngliche|weitergeleitete|message d.origine|message transféré|mensaje original|mensagem original|messaggio originale|oorspronkelijk|opprinnelig|oprindelig|ursprungligt|alkuperäinen|исходное|הודעה מקורית|הודעה שהועברה)/i;

const SENDER = /^\*?(?:from|von|de|da|van|från|fra|od|от|מאת|差出人|发件人|expéditeur|lähettäjä) ?[:：]\*?/i;
const OTHER_HEADER =
  /^\*?(?:sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|envoyé|à|objet|enviado|para|fecha|asunto|assunto|inviato|data|oggetto|verzonden|aan|onderwerp|sendt|til|emne|skickat|till|ämne|дата|кому|тема|נשלח|אל|נושא|תאריך) ?[:：]\*?/i;
/** Lines after a sender in which the other headers of a quoted mail are. */
const HEADER_LINES = 5;

const OPENING = /^(?:on|am|le|el|il|op|den|em|w dniu|dnia|pe|ma|в|בתאריך|ב-|20\d\d|\d{1,2}[./]\d{1,2}[./])/i;
const VERB =
  /wrote|schrieb|écrit|escribió|scritto|escreveu|schreef|skrev|kirjoitti|pisze|napisał|написал|пишет|写道|書き|作成|작성|כתב|מאת/i;
const MAILBOX = /<[^<>\s@]{1,64}@[^<>\s@]{1,255}>/;
const CLOCK = /\d{1,2}[:.h]\d\d/;
const YEAR = /\b20\d\d\b/;

/** The text of a reply; empty when nothing is left. At most 10,000 characters. */
export function replyText(mail: string): string {
  const lines = mail
    .toWellFormed()
    .replaceAll('\0', '')
    .split(/\r\n|\r|\n/, MAX_LINES);
  const plain = lines.map((line) =>
    line.length > MAX_PATTERN_LENGTH ? line : line.replace(DIRECTION_MARKS, '').trimEnd(),
  );
  const end = withoutRule(plain, threadStart(plain));
  const kept = withoutProgramSignature(withoutQuotes(lines, plain, end));
  const text = kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? cut(text) : '';
}

/** Cuts a text at 10,000 characters. */
function cut(text: string): string {
  return text.length <= MAX_NOTE_LENGTH ? text : [...text].slice(0, MAX_NOTE_LENGTH).join('').trimEnd();
}

const isShort = (line: string): boolean => line !== '' && line.length <= MAX_PATTERN_LENGTH;

/** The line that the signature or the thread without quote marks starts at: nothing from there on is part of the reply. */
function threadStart(lines: readonly string[]): number {
  const first = lines.findIndex((line) => line !== '');
  for (const [index, line] of lines.entries()) {
    if (!isShort(line) || QUOTED.test(line)) continue;
    if (SIGNATURE_DELIMITER.test(line) || DIVIDER.test(line)) return index;
    if (SENDER.test(line) && index !== first && isHeaderBlock(lines, index)) return index;
    const attribution = attributionStart(lines, index);
    if (attribution !== null && !isFollowedByQuote(lines, index) && isCertain(lines, attribution, index)) {
      return attribution;
    }
  }
  return lines.length;
}

/** The start of a thread with the horizontal rule above it. */
function withoutRule(lines: readonly string[], start: number): number {
  if (start === lines.length) return start;
  let end = start;
  while (end > 0 && lines[end - 1] === '') end -= 1;
  return /^[_=-]{5,}$/.test(lines[end - 1] ?? '') ? end - 1 : start;
}

/** Whether the line of a sender starts the headers of a quoted mail: it has an address, or other headers follow. */
function isHeaderBlock(lines: readonly string[], index: number): boolean {
  if (/[^\s@]@[^\s@]/.test(lines[index] ?? '')) return true;
  const following = lines.slice(index + 1, index + 1 + HEADER_LINES);
  return following.filter((line) => isShort(line) && OTHER_HEADER.test(line)).length >= 2;
}

/**
 * The first line of the attribution (`On Monday, Ada wrote:`) that ends in this line; null when none does. Mail programs break
 * an attribution into up to three lines.
 */
function attributionStart(lines: readonly string[], index: number): number | null {
  const last = lines[index] ?? '';
  if (!/[:：]$/.test(last)) return null;
  for (const start of [index, index - 1, index - 2]) {
    const line = lines[start] ?? '';
    if (!isShort(line) || QUOTED.test(line)) return null;
    if (start === index && MAILBOX.test(line) && VERB.test(line)) return start;
    if (!OPENING.test(line)) continue;
    const text = lines.slice(start, index + 1).join(' ');
    if ((CLOCK.test(text) || YEAR.test(text)) && (VERB.test(text) || MAILBOX.test(text))) return start;
  }
  return null;
}

function isFollowedByQuote(lines: readonly string[], index: number): boolean {
  const next = lines.slice(index + 1, index + 4).find((line) => line !== '');
  return next !== undefined && QUOTED.test(next);
}

/** Whether an attribution ends the reply even though its thread has no quote marks. */
function isCertain(lines: readonly string[], start: number, end: number): boolean {
  const text = lines.slice(start, end + 1).join(' ');
  return VERB.test(text) && (MAILBOX.test(text) || YEAR.test(text));
}

/** The lines before `end` without quoted ones and the attributions above them. */
function withoutQuotes(lines: readonly string[], plain: readonly string[], end: number): string[] {
  const dropped = new Set<number>();
  for (let index = 0; index < end; index++) {
    const line = plain[index] ?? '';
    if (QUOTED.test(line)) dropped.add(index);
    if (!isShort(line) || !isFollowedByQuote(plain, index)) continue;
    const start = attributionStart(plain, index) ?? (endsLikeAttribution(line) ? index : null);
    for (let part = start ?? index + 1; part <= index; part++) dropped.add(part);
  }
  return lines.slice(0, end).filter((_line, index) => !dropped.has(index));
}

/** Before quoted lines, an address or a year and a colon suffice, whatever the language is. */
const endsLikeAttribution = (line: string): boolean => /[:：]$/.test(line) && (MAILBOX.test(line) || YEAR.test(line));

/** Drops a line such as `Sent from my phone` at the end, and what follows it. */
function withoutProgramSignature(lines: readonly string[]): readonly string[] {
  let seen = 0;
  for (let index = lines.length - 1; index >= 0 && seen < PROGRAM_SIGNATURE_LINES; index--) {
    const line = (lines[index] ?? '').trim();
    if (line === '') continue;
    if (isShort(line) && PROGRAM_SIGNATURE.test(line)) return lines.slice(0, index);
    seen += 1;
  }
  return lines;
}
