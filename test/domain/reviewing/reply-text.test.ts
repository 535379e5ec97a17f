import { describe, expect, it } from 'vitest';
import { replyText } from '../../../src/domain/reviewing/reply-text.ts';

const THREAD = 'There is a new message about version 1.0 of Tabs:\n\nWhy all_urls?\n\nReply to this mail.';
const quoted = THREAD.split('\n')
  .map((line) => (line === '' ? '>' : `> ${line}`))
  .join('\n');
const REPLY = 'Because the user chooses the site.\n\nIt is optional since 1.1.';

/** A reply as mail programs write it, each with `REPLY` as the reply. */
const STYLES: Record<string, string> = {
  'web mail, in English': `${REPLY}\n\nOn Mon, Nov 23, 2026 at 10:00 AM Add-ons <noreply@addons.example> wrote:\n\n${quoted}\n`,
  'web mail, attribution on two lines': `${REPLY}\n\nOn Mon, Nov 23, 2026 at 10:00 AM A Very Long Name Of A Site <\nnoreply@addons.example> wrote:\n\n${quoted}`,
  'web mail, in German': `${REPLY}\n\nAm Mo., 23. Nov. 2026 um 10:00 Uhr schrieb Add-ons <noreply@addons.example>:\n\n${quoted}`,
  'web mail, in French': `${REPLY}\n\nLe lun. 23 nov. 2026 à 10:00, Add-ons <noreply@addons.example> a écrit :\n\n${quoted}`,
  'web mail, in Hebrew': `${REPLY}\n\n\u202Bבתאריך יום ב׳, 23 בנוב׳ 2026 ב-10:00 מאת \u202AAdd-ons\u202C\u200F <\u202Anoreply@addons.example\u202C\u200F>:\u202C\n\n${quoted}`,
  'web mail, in Japanese': `${REPLY}\n\n2026年11月23日(月) 10:00 Add-ons <noreply@addons.example>:\n\n${quoted}`,
  'web mail without quote marks': `${REPLY}\n\n    On Monday, November 23, 2026, 10:00:00 AM GMT+1, Add-ons <noreply@addons.example> wrote:  \n \n ${THREAD}`,
  'a desktop program, reply on top': `${REPLY}\r\n\r\n-----Original Message-----\r\nFrom: Add-ons <noreply@addons.example>\r\nSent: Monday, November 23, 2026 10:00 AM\r\nTo: Ada\r\nSubject: Add-ons: Tabs 1.0\r\n\r\n${THREAD}`,
  'a desktop program in German': `${REPLY}\n\n-----Ursprüngliche Nachricht-----\nVon: Add-ons\nGesendet: Montag, 23. November 2026 10:00\nAn: Ada\nBetreff: Tabs 1.0\n\n${THREAD}`,
  'an office web client': `${REPLY}\n\n________________________________\nFrom: Add-ons <noreply@addons.example>\nSent: Monday, November 23, 2026 10:00 AM\nTo: Ada <ada@example.org>\nSubject: Tabs 1.0\n\n${THREAD}`,
  'an office web client without addresses': `${REPLY}\n\n________________________________\nFrom: Add-ons\nSent: Monday, November 23, 2026 10:00 AM\nTo: Ada\nSubject: Tabs 1.0\n\n${THREAD}`,
  'a desktop program, reply below': `On 11/23/26 10:00, Add-ons wrote:\n${quoted}\n\n${REPLY}\n\n-- \nAda\nExample Ltd.`,
  'a desktop program, replies between': `On 2026-11-23 10:00, Add-ons wrote:\n> There is a new message:\n\nBecause the user chooses the site.\n\n> Why all_urls?\n\nIt is optional since 1.1.\n`,
  'a terminal program': `On Mon, Nov 23, 2026 at 10:00:00AM +0000, Add-ons wrote:\n${quoted}\n\n${REPLY}\n`,
  'a phone': `${REPLY}\n\nSent from my phone\n\n> On 23 Nov 2026, at 10:00, Add-ons <noreply@addons.example> wrote:\n> \n${quoted}`,
  'a phone, in German': `${REPLY}\n\nVon meinem iPhone gesendet\n\n> Am 23.11.2026 um 10:00 schrieb Add-ons <noreply@addons.example>:\n> \n${quoted}`,
  'a phone with a divider': `${REPLY}\n\n\n-------- Original message --------\nFrom: Add-ons <noreply@addons.example>\nDate: 11/23/26 10:00 (GMT+01:00)\nTo: ada@example.org\nSubject: Tabs 1.0\n\n${THREAD}`,
  'an encrypting program': `${REPLY}\n\n‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐\nOn Monday, November 23rd, 2026 at 10:00, Add-ons <noreply@addons.example> wrote:\n\n${quoted}`,
  'a signature': `${REPLY}\n-- \nAda Example\n+49 000 000`,
  'nothing else': REPLY,
};

describe('replyText', () => {
  it.each(Object.entries(STYLES))('leaves the reply of %s', (_style, mail) => {
    expect(replyText(mail)).toBe(REPLY);
  });

  it.each([
    ['only a quote', quoted],
    ['only a quote with its attribution', `On Monday 10:00, 2026, Ada <ada@example.org> wrote:\n${quoted}`],
    ['only a signature', '-- \nAda'],
    ['only white space and marks without shape', ' \n\t\u200B\u202E\n'],
    ['nothing', ''],
  ])('is empty for %s', (_case, mail) => {
    expect(replyText(mail)).toBe('');
  });

  it.each([
    'As they wrote:\nthe second line stays.',
    'I get this in 2026:\n1. one\n2. two',
    'From the start: yes.\nTo be clear: no.',
    'a--b\n---\nThe dashes stay.',
    '- one\n- two',
    '<script>alert(1)</script> & {name}',
    'On it:\nwill be fixed by 2026-12-01.',
  ])('keeps what a person wrote: %s', (mail) => {
    expect(replyText(mail)).toBe(mail);
  });

  it('keeps a reply below a block of headers that starts the mail', () => {
    expect(replyText('From: a@example.org\nBelow.')).toBe('From: a@example.org\nBelow.');
  });

  it('cuts after 10,000 characters, not inside one, and drops NUL and lone surrogates', () => {
    expect([...replyText('😀'.repeat(10_001))]).toHaveLength(10_000);
    expect(replyText(`a\0b\uD800c`)).toBe('ab\uFFFDc');
  });
});
