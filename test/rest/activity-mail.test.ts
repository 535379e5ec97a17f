import { describe, expect, it } from 'vitest';
import { PATH, SECRET, useInbound } from '../support/inbound-mail.ts';

const FORBIDDEN = { detail: 'You do not have permission to perform this action.' };

const inbound = useInbound();
const { addressOf, mail, notes, post, to } = inbound;

describe('POST /api/v4/activity/mail', () => {
  it.each(['/api/v3/activity/mail', '/api/v4/activity/mail/', '/api/v4/activity/mail', '/api/v4dev/activity/mail/'])(
    'turns a reply into a note: %s',
    async (path) => {
      const reply = await post(mail(inbound.owner), path);
      expect([reply.status, reply.text]).toEqual([201, '"a key"']);
      expect(await notes()).toEqual([{ account_id: inbound.owner.accountId, comments: 'A reply.', by: 'developer' }]);
    },
  );

  it('checks the address of the service for a mail server, by JSON and by form', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const reply of [
      await post({ SecretKey: SECRET, Type: 'Validation' }),
      await post(`SecretKey=${SECRET}&Type=Validation`, PATH, form),
      await inbound.app.anonymous.post(PATH, { SecretKey: SECRET, Type: 'Validation' }),
    ]) {
      expect([reply.status, reply.text]).toEqual([200, '"a key"']);
    }
    expect((await post(`SecretKey=${SECRET}&Message=text`, PATH, form)).status).toBe(400);
  });

  it.each([
    ['a wrong secret', { SecretKey: `${SECRET}x`, Message: {} }],
    ['no secret', { Message: {} }],
    ['a secret that is no text', { SecretKey: [SECRET], Message: {} }],
    ['no message and a wrong secret', { SecretKey: 'wrong' }],
    ['a validation with a wrong secret', { SecretKey: 'wrong', Type: 'Validation' }],
    ['malformed JSON', '{"SecretKey":'],
    ['no object', JSON.stringify([SECRET])],
    ['a key that changes prototypes', `{"SecretKey":"${SECRET}","__proto__":{}}`],
    ['an empty body', ''],
  ])('refuses %s', async (_case, body) => {
    const reply = await post(body);
    expect([reply.status, reply.json]).toEqual([403, FORBIDDEN]);
  });

  it('refuses another media type, and everything when no secret is configured', async () => {
    expect((await post(JSON.stringify(mail(inbound.owner)), PATH, { 'Content-Type': 'text/plain' })).status).toBe(403);
    delete inbound.app.config.INBOUND_MAIL_SECRET;
    try {
      expect((await post(mail(inbound.owner))).json).toEqual(FORBIDDEN);
      expect((await post(mail(inbound.owner, {}, { SecretKey: '' }))).json).toEqual(FORBIDDEN);
    } finally {
      inbound.app.config.INBOUND_MAIL_SECRET = SECRET;
    }
    expect(await notes()).toEqual([]);
  });

  it('accepts only the configured clients, by the address that trusted proxies report', async () => {
    inbound.app.config.INBOUND_MAIL_CLIENTS = [
      '192.0.2.0/24',
      '2001:db8::/32',
      '198.51.100.7',
      '::ffff:203.0.113.128/121',
    ];
    try {
      const from = async (address: string) =>
        (await post(mail(inbound.owner), PATH, { 'X-Forwarded-For': address })).status;
      expect(await from('192.0.2.77')).toBe(201);
      expect(await from('::ffff:198.51.100.7')).toBe(201);
      expect(await from('2001:db8::1')).toBe(201);
      expect(await from('203.0.113.129')).toBe(201);
      expect(await from('203.0.113.1')).toBe(403);
      expect(await from('192.0.3.1')).toBe(403);
      // The client wrote the first hop itself; the last one is from the proxy.
      expect(await from('192.0.2.77, 203.0.113.1')).toBe(403);
      expect((await post(mail(inbound.owner))).json).toEqual(FORBIDDEN);
    } finally {
      inbound.app.config.INBOUND_MAIL_CLIENTS = [];
    }
  });

  it.each([[{}], [{ Message: null }], [{ Message: 'text' }], [{ Message: [] }]])(
    'requires a message: %j',
    async (rest) => {
      const reply = await post({ SecretKey: SECRET, To: to(inbound.owner), ...rest });
      expect([reply.status, reply.json]).toEqual([400, { Message: ['Message not present in the POST data.'] }]);
    },
  );

  it('refuses a large body before it looks at the secret', async () => {
    const text = 'x'.repeat(257 * 1024);
    expect((await post({ SecretKey: 'wrong', text })).status).toBe(400);
    expect((await post({ SecretKey: SECRET, text })).status).toBe(400);
  });

  it('has no other methods, does not read credentials, and is off in read-only mode', async () => {
    const refused = await inbound.app.anonymous.get(PATH);
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
    expect((await post(mail(inbound.owner), PATH, { Authorization: 'JWT nonsense' })).status).toBe(201);
    inbound.app.config.READ_ONLY = true;
    try {
      expect((await post({ SecretKey: 'wrong' })).status).toBe(503);
    } finally {
      inbound.app.config.READ_ONLY = false;
    }
  });
});

describe('the recipient', () => {
  it.each([
    ['the first reply address', () => ({ To: to('x@example.org', inbound.owner, inbound.reviewer) }), 'developer'],
    ['an address in capitals', () => ({ To: to(addressOf(inbound.reviewer).toUpperCase()) }), 'reviewer'],
    ['an address with a name', () => ({ To: [`"A, B" <${addressOf(inbound.owner)}>`] }), 'developer'],
    [
      'an address in Message.To',
      () => ({ To: to('x@example.org'), Message: { TextBody: 'a', To: to(inbound.owner) } }),
      'developer',
    ],
    [
      'To before Message.To',
      () => ({ To: to(inbound.reviewer), Message: { TextBody: 'a', To: to(inbound.owner) } }),
      'reviewer',
    ],
  ])('is %s', async (_case, values, by) => {
    expect((await post({ ...mail(inbound.owner), ...values() })).status).toBe(201);
    expect((await notes()).map((note) => note.by)).toEqual([by]);
  });

  it.each<[string, () => unknown]>([
    [
      'an unknown token, even before a valid one',
      () => to(`reviewreply+${'0'.repeat(32)}@addons.example`, inbound.owner),
    ],
    ['another domain', () => to(addressOf(inbound.owner).replace('addons.example', 'evil.example'))],
    ['a longer domain', () => to(`${addressOf(inbound.owner)}.evil.example`)],
    ['another local part', () => to(addressOf(inbound.owner).replace('reviewreply', 'xreviewreply'))],
    ['a token with more digits', () => to(addressOf(inbound.owner).replace('@', '0@'))],
    ['nothing', () => []],
    ['no list', () => 7],
    ['odd items', () => [null, 7, { EmailAddress: 7 }, [], { EmailAddress: null }, 'a<b>c@']],
    ['the token of an account that is neither author nor reviewer', () => to(inbound.stranger)],
  ])('cannot be %s', async (_case, recipients) => {
    expect((await post(mail(inbound.owner, {}, { To: recipients() }))).status).toBe(201);
    expect(await notes()).toEqual([]);
  });
});

describe('a reply address', () => {
  const use = async (): Promise<number> => {
    await post(mail(inbound.owner));
    return (await notes()).length;
  };

  it('takes five replies, also at the same time, and none after 60 days', async () => {
    await Promise.all(Array.from({ length: 8 }, use));
    expect(await notes()).toHaveLength(5);
    await inbound.app.sql(`UPDATE reply_address SET use_count = 0, created = now() - interval '60 days 1 second'`);
    expect(await use()).toBe(5);
    await inbound.app.sql(`UPDATE reply_address SET created = now() - interval '59 days'`);
    expect(await use()).toBe(6);
  });

  it('is another one in each mail', async () => {
    const { queueReviewMails } = await import('../../src/domain/reviewing/review-mail.ts');
    const { recordActivity } = await import('../../src/domain/activity/record-activity.ts');
    const { db } = await import('../../src/infra/db.ts');
    await db.$transaction(async (tx) => {
      const { addonId, versionId, reviewer } = inbound;
      const { accountId } = reviewer;
      const entry = { action: 'more-information-requested', accountId, addonId, versionId, comments: 'Why?' } as const;
      await queueReviewMails(tx, await recordActivity(tx, entry));
    });
    const rows = await inbound.app.sql('SELECT use_count FROM reply_address WHERE account_id = $1', [
      inbound.owner.accountId,
    ]);
    expect(rows).toHaveLength(2);
    expect(await use()).toBe(1);
  });

  it('ends with a newer version of the channel', async () => {
    expect(await use()).toBe(1);
    await inbound.app.sql(
      `INSERT INTO version (addon_id, version, channel, stage) VALUES ($1, '1.1', 'unlisted', 'signed')`,
      [inbound.addonId],
    );
    expect(await use()).toBe(2);
    await inbound.app.sql(
      `INSERT INTO version (addon_id, version, channel, stage) VALUES ($1, '2.0', 'listed', 'rejected')`,
      [inbound.addonId],
    );
    expect(await use()).toBe(2);
  });

  it('ends when its account is disabled or is no author any more', async () => {
    await inbound.app.sql('UPDATE account SET disabled_at = now() WHERE id = $1', [inbound.owner.accountId]);
    expect(await use()).toBe(0);
    await inbound.app.sql('UPDATE account SET disabled_at = NULL WHERE id = $1', [inbound.owner.accountId]);
    await inbound.app.sql('UPDATE addon_author SET account_id = $1 WHERE addon_id = $2', [
      inbound.stranger.accountId,
      inbound.addonId,
    ]);
    const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
    const { db } = await import('../../src/infra/db.ts');
    await db.$transaction((tx) => publishAddons(tx, [inbound.addonId]));
    expect(await use()).toBe(0);
  });
});

describe('a reply', () => {
  it('counts once for a Message-ID, also when it arrives twice at the same time', async () => {
    const repeated = mail(inbound.owner, { MessageId: '<1@example.org>' });
    const replies = await Promise.all([post(repeated), post(repeated), post(repeated)]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    await post(mail(inbound.owner, { MessageId: '<2@example.org>' }));
    expect(await notes()).toHaveLength(2);
    expect(
      await inbound.app.sql('SELECT use_count FROM reply_address WHERE account_id = $1', [inbound.owner.accountId]),
    ).toEqual([{ use_count: 2 }]);
  });

  it('counts once in 24 hours for a text without a Message-ID', async () => {
    const repeated = mail(inbound.owner, { MessageId: undefined, TextBody: `Once, ${inbound.versionId}.` });
    await Promise.all([post(repeated), post(repeated)]);
    await post(mail(inbound.owner, { MessageId: undefined, TextBody: `Twice, ${inbound.versionId}.` }));
    expect(await notes()).toHaveLength(2);
    await inbound.app.sql(`UPDATE received_mail SET created = created - interval '24 hours 1 second'`);
    await post(repeated);
    expect(await notes()).toHaveLength(3);
  });

  it('is discarded from an address that the account does not have, unless the operator allows any', async () => {
    const [account] = await inbound.app.sql<{ email: string }>('SELECT email::text FROM account WHERE id = $1', [
      inbound.owner.accountId,
    ]);
    const from = async (From: unknown) => {
      expect((await post(mail(inbound.owner, { From }))).status).toBe(201);
      return (await notes()).length;
    };
    expect(await from('attacker@example.org')).toBe(0);
    expect(await from('not an address')).toBe(0);
    expect(await from(`Owner <${account?.email.toUpperCase()}>`)).toBe(1);
    expect(await from({ EmailAddress: account?.email })).toBe(2);
    inbound.app.config.INBOUND_MAIL_SENDER = 'any';
    expect(await from('attacker@example.org')).toBe(3);
    inbound.app.config.INBOUND_MAIL_SENDER = 'account';
  });

  it('is kept verbatim without its thread, up to 10,000 characters', async () => {
    await post(
      mail(inbound.owner, {
        TextBody: `<b>Yes</b>\r\n\r\nOn 2026-11-23 10:00, X <x@example.org> wrote:\r\n> Why?\r\n`,
      }),
    );
    await post(mail(inbound.owner, { TextBody: 'x'.repeat(20_000) }));
    const [first, second] = await notes();
    expect([first?.comments, second?.comments.length]).toEqual(['<b>Yes</b>', 10_000]);
  });

  it('is mailed to the others in the thread', async () => {
    await post(mail(inbound.reviewer));
    await post(mail(inbound.owner));
    const mails = await inbound.app.sql('SELECT account_id FROM outgoing_mail ORDER BY id');
    expect(mails).toEqual([{ account_id: inbound.owner.accountId }, { account_id: inbound.reviewer.accountId }]);
  });

  it('has its Message-ID stored for a month', async () => {
    const { purgeReceivedMails } = await import('../../src/domain/reviewing/inbound-mail.ts');
    await inbound.app.sql("INSERT INTO received_mail VALUES ('old', now() - interval '31 days'), ('new', now())");
    await purgeReceivedMails();
    expect(
      await inbound.app.sql("SELECT message_hash FROM received_mail WHERE message_hash IN ('old', 'new')"),
    ).toEqual([{ message_hash: 'new' }]);
  });
});
