import { describe, expect, it } from 'vitest';
import { useInbound } from '../support/inbound-mail.ts';

const inbound = useInbound();
const { addressOf, mail, notes, post } = inbound;

describe('hostile and automatic mails', () => {
  const header = (name: string, value: string) => [
    { Headers: [{ Name: name, Value: value }] },
    { CustomHeaders: [{ name, value }] },
    { Headers: { [name]: value } },
  ];
  const AUTOMATIC = [
    ...['auto-replied', 'auto-generated', 'AUTO-NOTIFIED; inbound.owner=x'].flatMap((value) =>
      header('Auto-Submitted', value),
    ),
    ...['bulk', 'junk', 'auto_reply', 'List'].flatMap((value) => header('Precedence', value)),
    ...header('X-Autoreply', 'yes'),
    ...header('X-Autorespond', ''),
    ...header('X-Failed-Recipients', 'x@example.org'),
    ...header('Return-Path', '<>'),
    ...header('Content-Type', 'multipart/report; report-type=delivery-status'),
    ...header('List-Id', '<list.example.org>'),
    ...[
      'MAILER-DAEMON@example.org',
      'postmaster@example.org',
      'Mail <mailer-daemon@x.example>',
      'bounces+17@x.example',
    ].flatMap((From) => [{ From }, { From: { EmailAddress: From } }]),
    ...[
      'Automatic reply: Add-ons: Made 1.0',
      'Auto: away',
      'Out of Office: Re: Add-ons',
      'Automatische Antwort: weg',
      'Réponse automatique : absente',
      'Undeliverable: Add-ons: Made 1.0',
      'Delivery Status Notification (Failure)',
      'Mail delivery failed: returning message to sender',
      'failure notice',
      'מענה אוטומטי: בחופשה',
    ].map((Subject) => ({ Subject })),
    { MessageId: '<mail.01234567-89ab-cdef-0123-456789abcdef@addons.example>' },
    { TextBody: '' },
    { TextBody: null },
    { TextBody: 7 },
    { TextBody: { text: 'A reply.' } },
    { TextBody: '> quoted\n> only' },
    { TextBody: '-- \nsignature only' },
  ];

  it(`discards ${AUTOMATIC.length} kinds`, async () => {
    for (const message of AUTOMATIC) {
      expect((await post(mail(inbound.owner, message))).status, JSON.stringify(message)).toBe(201);
    }
    expect(await notes()).toEqual([]);
    expect(await inbound.app.sql('SELECT FROM outgoing_mail')).toEqual([]);
  });

  it('identifies the author by the token, not by headers', async () => {
    const claims = [
      `${inbound.reviewer.accountId}`,
      'admin@example.org',
      addressOf(inbound.reviewer),
      "x' OR 1=1 --",
      '\r\nBcc: x@example.org\0',
    ];
    const keys = [
      'From',
      'FromAddress',
      'ReplyTo',
      'Sender',
      'Cc',
      'Bcc',
      'Subject',
      'HtmlBody',
      'accountId',
      'Attachments',
    ];
    let sent = 0;
    for (const key of keys) {
      for (const claim of claims) {
        // Otherwise the fifth reply would be the last.
        await inbound.app.sql('UPDATE reply_address SET use_count = 0');
        const values = mail(inbound.owner, { [key]: claim, MessageId: `${key}-${claim}` }, { [key]: claim });
        expect((await post(values)).status).toBe(201);
        sent += 1;
      }
    }
    const stored = await notes();
    // Another sender is discarded.
    expect(stored).toHaveLength(sent - claims.length);
    expect(new Set(stored.map((note) => note.account_id))).toEqual(new Set([inbound.owner.accountId]));
  });

  it('never fails, whatever a body contains', async () => {
    const odd = [
      null,
      true,
      0,
      -1,
      1e308,
      '',
      '\0',
      '\uD800',
      [],
      [[]],
      {},
      { a: { b: [] } },
      'x'.repeat(70_000),
      '%00',
      '𝒳',
    ];
    for (const value of odd) {
      for (const values of [
        mail(inbound.owner, { TextBody: value }),
        mail(inbound.owner, { MessageId: value }),
        mail(inbound.owner, { To: value, Headers: value, From: value, Subject: value }),
        mail(inbound.owner, {}, { To: value, Type: value }),
        mail(inbound.owner, {}, { SecretKey: value }),
        mail(inbound.owner, {}, { Message: value }),
      ]) {
        expect((await post(values)).status, JSON.stringify(value)?.slice(0, 50)).toBeLessThan(500);
      }
    }
    const people = new Set((await notes()).map((note) => note.account_id));
    expect([...people]).toEqual([inbound.owner.accountId]);
  });
});
