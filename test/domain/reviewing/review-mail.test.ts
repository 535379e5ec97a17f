import { describe, expect, it } from 'vitest';
import type { ActivityAction } from '../../../src/domain/activity/actions.ts';
import { addon } from '../../support/factories.ts';
import { partsOf, type ReceivedMail } from '../../support/mail-server.ts';
import { useOutbox } from '../../support/outbox.ts';
import { APPROVE, completeListing, upload, versionId } from '../../support/signing-steps.ts';

const outbox = useOutbox();

/** Records an action in the thread of a version and queues its mails. Returns the id of the activity. */
async function act(
  action: ActivityAction,
  versionId: number,
  accountId: number | null,
  comments = '',
): Promise<number> {
  const { recordActivity } = await import('../../../src/domain/activity/record-activity.ts');
  const { queueReviewMails } = await import('../../../src/domain/reviewing/review-mail.ts');
  const { db } = await import('../../../src/infra/db.ts');
  return db.$transaction(async (tx) => {
    const { addonId } = await tx.version.findUniqueOrThrow({ where: { id: versionId } });
    const id = await recordActivity(tx, { action, accountId, addonId, versionId, comments });
    await queueReviewMails(tx, id);
    return id;
  });
}

const addressOf = async (accountId: number | null) =>
  (await outbox.app.sql<{ email: string }>('SELECT email FROM account WHERE id = $1', [accountId]))[0]?.email;
const header = (mail: ReceivedMail | undefined, name: string) => mail?.headers.get(name)?.[0];
/** The addresses of the queued mails, which are then deleted. */
const queuedTo = async () =>
  (await outbox.app.sql<{ address: string }>('DELETE FROM outgoing_mail RETURNING address')).map(
    ({ address }) => address,
  );

async function world() {
  const [owner, developer, reviewer] = [
    await outbox.app.developer(),
    await outbox.app.developer(),
    await outbox.app.reviewer(),
  ];
  const made = await addon({
    authors: [owner.accountId ?? 0, { id: developer.accountId ?? 0, listed: false }],
    name: { 'en-US': 'Tab <b>\r\nBcc: x@example.org', de: 'Reiter' },
    versions: [{ version: '1.0', stage: 'awaiting_review', files: [{ status: 1 }] }],
    status: 'pending',
  });
  return { owner, developer, reviewer, addonId: made.id, versionId: made.versions[0]?.id ?? 0 };
}

describe('queueReviewMails', () => {
  it('sends one mail to each author, with a reply address, the conversation and the words verbatim', async () => {
    const { owner, developer, reviewer, addonId, versionId } = await world();
    await outbox.app.sql("UPDATE account SET locale = 'de' WHERE id = $1", [developer.accountId]);
    const words = 'Why <all_urls>?\n\n> quoted\n{name} & more';
    await act('more-information-requested', versionId, reviewer.accountId, words);
    await outbox.work();

    const addresses = [await addressOf(owner.accountId), await addressOf(developer.accountId)];
    const mails = addresses.map((address) => outbox.server.mails.find(({ to }) => to[0] === address));
    expect(outbox.server.mails).toHaveLength(2);
    expect(mails.map((mail) => header(mail, 'subject'))).toEqual([
      'Add-ons: Tab <b> Bcc: x@example.org 1.0',
      'Add-ons: Reiter 1.0',
    ]);
    for (const mail of mails) {
      expect(mail?.headers.has('bcc')).toBe(false);
      expect(header(mail, 'in-reply-to')).toBe(`<${addonId}/${versionId}@addons.example>`);
      expect(header(mail, 'references')).toBe(`<${addonId}/${versionId}@addons.example>`);
      expect(header(mail, 'reply-to')).toMatch(/^reviewreply\+[0-9a-f]{32}@addons\.example$/);
      if (mail) expect(partsOf(mail).get('text/plain')).toContain(`\n\n${words}\n\n`);
    }
    expect(new Set(mails.map((mail) => header(mail, 'reply-to'))).size).toBe(2);
    expect(new Set(mails.map((mail) => header(mail, 'message-id'))).size).toBe(2);
    const [english, german] = mails.map((mail) => (mail ? partsOf(mail) : new Map<string, string>()));
    expect(english?.get('text/html')).toContain('Why &lt;all_urls&gt;?\n\n&gt; quoted');
    expect(english?.get('text/plain')).toMatch(/^A reviewer has a question about version 1\.0 of Tab <b> Bcc/);
    expect(german?.get('text/plain')).toMatch(/^Es gibt eine Rückfrage zu Version 1\.0 von Reiter:/);
  });

  it('reaches the reviewers of the thread who still may review, and never the one who acts', async () => {
    const { owner, developer, reviewer, versionId } = await world();
    const former = await outbox.app.developer();
    const silent = await outbox.app.reviewer();
    await act('comment', versionId, former.accountId, 'internal');
    await act('super-review-requested', versionId, silent.accountId, 'internal');
    await outbox.app.sql('DELETE FROM group_member WHERE account_id = $1', [former.accountId]);
    expect(await queuedTo()).toEqual([]);
    await act('more-information-requested', versionId, reviewer.accountId, 'Why?');
    expect((await queuedTo()).sort()).toEqual(
      [
        await addressOf(owner.accountId),
        await addressOf(developer.accountId),
        await addressOf(silent.accountId),
      ].sort(),
    );
    await act('review-note', versionId, owner.accountId, 'Because.');
    expect((await queuedTo()).sort()).toEqual(
      [
        await addressOf(developer.accountId),
        await addressOf(reviewer.accountId),
        await addressOf(silent.accountId),
      ].sort(),
    );
  });

  it('queues nothing twice, and gives each mail a reply address of its own', async () => {
    const { owner, reviewer, versionId } = await world();
    const { queueReviewMails } = await import('../../../src/domain/reviewing/review-mail.ts');
    const { db } = await import('../../../src/infra/db.ts');
    const id = await act('rejected', versionId, reviewer.accountId, 'No.');
    const addresses = () => outbox.app.sql('SELECT FROM reply_address WHERE account_id = $1', [owner.accountId]);
    await db.$transaction((tx) => queueReviewMails(tx, id));
    expect([(await outbox.rows()).length, (await addresses()).length]).toEqual([2, 1]);
    await act('review-note', versionId, reviewer.accountId, 'See above.');
    expect(await addresses()).toHaveLength(2);
  });

  it('is silent about uploads, and about versions that are signed without a decision', async () => {
    const { owner, versionId } = await world();
    const { queueApprovalMails } = await import('../../../src/domain/reviewing/review-mail.ts');
    const { db } = await import('../../../src/infra/db.ts');
    await act('review-requested', versionId, owner.accountId);
    await db.$transaction((tx) => queueApprovalMails(tx, versionId));
    expect(await outbox.rows()).toEqual([]);
  });
});

it('the mail about an approval is queued when the version is signed', async () => {
  const developer = await outbox.app.developer();
  const reviewer = await outbox.app.reviewer();
  await upload(developer, 'approved-mail@example');
  await outbox.app.runJobs();
  await completeListing(developer, 'approved-mail@example');
  await upload(developer, 'approved-mail@example', '2.0', { channel: 'listed' });
  await outbox.app.runJobs();
  const id = await versionId(developer, 'approved-mail@example', '2.0');
  const decided = await reviewer.graphql(APPROVE, { id });
  expect(decided).toMatchObject({ approveVersion: { version: {} } });
  expect(await outbox.rows()).toEqual([]);
  await outbox.work();
  expect(outbox.server.mails.map(({ to }) => to)).toEqual([[await addressOf(developer.accountId)]]);
  const [mail] = outbox.server.mails;
  expect(mail && partsOf(mail).get('text/plain')).toContain('\n\nLooked at it.\n\n');
});
