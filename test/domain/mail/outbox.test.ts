import { describe, expect, it } from 'vitest';
import { partsOf } from '../../support/mail-server.ts';
import { useOutbox } from '../../support/outbox.ts';

const outbox = useOutbox();

describe('a queued mail', () => {
  it('is sent by a job of its transaction, in both forms', async () => {
    const { accountId } = await outbox.app.developer();
    const words = 'One\n<b>two</b> & "three"\nשלום';
    const letter = () => ({
      subject: 'Über uns',
      opening: ['Opening.'],
      quotedText: words,
      closing: ['https://addons.example/x?a=1&b=2'],
    });
    await outbox.queue({ accountId, letter });
    expect(await outbox.app.pendingJobs()).toEqual(['deliver-mails']);
    await outbox.app.runJobs();

    expect(await outbox.rows()).toMatchObject([{ state: 'sent', attempts: 1, last_error: null }]);
    const [mail] = outbox.server.mails;
    if (mail === undefined) throw new Error('no mail');
    const header = (name: string) => mail.headers.get(name);
    expect(mail.from).toBe('noreply@addons.example');
    expect(header('to')).toEqual(mail.to);
    expect(header('from')).toEqual(['"Add-ons" <noreply@addons.example>']);
    expect(header('subject')).toEqual(['=?UTF-8?Q?=C3=9Cber_uns?=']);
    expect(header('auto-submitted')).toEqual(['auto-generated']);
    expect(header('message-id')?.[0]).toMatch(/^<mail\.[0-9a-f-]{36}@addons\.example>$/);
    expect(header('date')?.[0]).toMatch(/ \+0000$/);
    expect(header('content-type')?.[0]).toMatch(/^multipart\/alternative;/);
    expect(mail.headers.has('reply-to')).toBe(false);
    const parts = partsOf(mail);
    expect([...parts.keys()]).toEqual(['text/plain', 'text/html']);
    expect(parts.get('text/plain')).toBe(`Opening.\n\n${words}\n\nhttps://addons.example/x?a=1&b=2\n`);
    expect(parts.get('text/html')).toContain('&lt;b&gt;two&lt;/b&gt; &amp; &quot;three&quot;');
    expect(parts.get('text/html')).toContain('<a href="https://addons.example/x?a=1&amp;b=2">');
  });

  it('exists once for a cause and an account', async () => {
    const { accountId } = await outbox.app.developer();
    expect([
      await outbox.queue({ accountId }),
      await outbox.queue({ accountId }),
      await outbox.queue({ accountId, cause: 'test:2' }),
    ]).toEqual([true, false, true]);
    await outbox.app.runJobs();
    await outbox.work();
    expect(outbox.server.mails).toHaveLength(2);
  });

  it('does not exist when the transaction of its cause fails', async () => {
    const { accountId } = await outbox.app.developer();
    const { queueMails } = await import('../../../src/domain/mail/queue-mail.ts');
    const { db } = await import('../../../src/infra/db.ts');
    const failing = db.$transaction(async (tx) => {
      const letter = () => ({ subject: 'S', opening: [], quotedText: 'T', closing: [] });
      const notification = 'individual_contact';
      await queueMails(tx, { accountIds: [accountId ?? 0], notification, cause: 'test:3', letter });
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect([await outbox.rows(), await outbox.app.pendingJobs()]).toEqual([[], []]);
  });

  it('has no line breaks, control or reordering characters in its headers', async () => {
    const { accountId } = await outbox.app.developer();
    const subject = 'A\r\nBcc: victim@example.org\0\u202E\u2028end';
    await outbox.queue({
      accountId,
      letter: () => ({ subject, opening: ['x'], quotedText: 'y', closing: [] }),
      thread: '<1/2@addons.example>',
    });
    await outbox.app.runJobs();
    const [mail] = outbox.server.mails;
    expect(mail?.to).toHaveLength(1);
    expect(mail?.headers.has('bcc')).toBe(false);
    expect(mail?.headers.get('subject')).toEqual(['A Bcc: victim@example.org end']);
    expect(mail?.headers.get('in-reply-to')).toEqual(['<1/2@addons.example>']);
    expect(mail?.headers.get('references')).toEqual(['<1/2@addons.example>']);
  });

  it('is written in the language of the account', async () => {
    const { letterHtml } = await import('../../../src/domain/mail/letter.ts');
    const { textLanguage } = await import('../../../src/infra/text-language.ts');
    expect([
      textLanguage('de'),
      textLanguage('he'),
      textLanguage('en-GB'),
      textLanguage('fr'),
      textLanguage(null),
    ]).toEqual(['de', 'he', 'en', 'en', 'en']);
    expect(letterHtml({ subject: 's', opening: ['o'], quotedText: null, closing: [] }, 'he')).toContain(
      '<html lang="he" dir="rtl">',
    );
  });
});

describe('an account', () => {
  it.each([
    ['disabled', 'disabled_at = now()'],
    ['without an address', 'email = NULL'],
    ['with an address of two recipients', "email = 'a@example.org, b@example.org'"],
  ])('%s gets no mail, now or later', async (_case, change) => {
    const { accountId } = await outbox.app.developer();
    await outbox.queue({ accountId });
    await outbox.app.sql(`UPDATE account SET ${change} WHERE id = $1`, [accountId]);
    expect(await outbox.queue({ accountId, cause: 'test:later' })).toBe(false);
    await outbox.work();
    expect(outbox.server.mails).toEqual([]);
    expect(await outbox.rows()).toMatchObject([{ state: 'failed', attempts: 1 }]);
  });

  it('loses its waiting mails and its addresses when it is deleted', async () => {
    const { accountId } = await outbox.app.developer();
    await outbox.queue({ accountId });
    await outbox.work();
    await outbox.queue({ accountId, cause: 'test:waiting' });
    await outbox.app.sql('UPDATE account SET deleted_at = now(), email = NULL WHERE id = $1', [accountId]);
    await outbox.work();
    expect(outbox.server.mails).toHaveLength(1);
    expect(await outbox.app.sql('SELECT state, address FROM outgoing_mail')).toEqual([{ state: 'sent', address: '' }]);
  });

  it('gets a mail at its present address', async () => {
    const { accountId } = await outbox.app.developer();
    await outbox.queue({ accountId });
    await outbox.app.sql("UPDATE account SET email = 'moved@example.org' WHERE id = $1", [accountId]);
    await outbox.work();
    expect(outbox.server.mails.map(({ to }) => to)).toEqual([['moved@example.org']]);
  });
});
