/* Mails of the outbox by state. REST has none. */
import type { TestApp } from '../app.ts';
import { globalId } from '../global-ids.ts';
import { holds, PEOPLE_RULES, type PersonRole } from './state-roles.ts';
import { includesId, mutationOf, nodeOf, refused, type StateRule, type StateTable } from './state-table.ts';

interface MailFacts {
  exists: boolean;
}

interface MadeMail {
  id: string;
}

const PRESENT: MailFacts = { exists: true };

const STATES = {
  waiting: PRESENT,
  waitingLater: PRESENT,
  beingSent: PRESENT,
  failing: PRESENT,
  sent: PRESENT,
  sentAgain: PRESENT,
  deadLetter: PRESENT,
  refusedForGood: PRESENT,
  suppressed: PRESENT,
  testMail: PRESENT,
  toParty: PRESENT,
  ofDeletedAccount: PRESENT,
  ofDisabledAccount: PRESENT,
  unknown: { exists: false },
} as const satisfies Record<string, MailFacts>;

type Rule = StateRule<MailFacts, PersonRole>;

const read: Rule = ({ exists }, role) => (exists && holds(role, 'Admin:Mail') ? 200 : 404);
const change: Rule = ({ exists }, role) => (!holds(role, 'Admin:Mail') ? refused(role) : exists ? 200 : 404);

async function make(app: TestApp, ids: Record<PersonRole, number>): Promise<Record<string, MadeMail>> {
  const [disabled, deleted] = await app.sql<{ id: number }>(
    "INSERT INTO account (username, disabled_at) VALUES ('mute', now()), ('left', NULL) RETURNING id",
  );
  const { db } = await import('../../../src/infra/db.ts');
  const later = new Date(Date.now() + 3_600_000);
  const failed = { state: 'failed', lastError: '550 No such mailbox.' };
  const rows: Record<keyof typeof STATES, object> = {
    waiting: {},
    waitingLater: { nextAttempt: later },
    beingSent: { attempts: 1, claimedUntil: later },
    failing: { attempts: 3, lastError: '421 Later.', nextAttempt: later },
    sent: { state: 'sent', attempts: 1, sent: new Date() },
    sentAgain: { state: 'sent', attempts: 4, sent: new Date() },
    deadLetter: { ...failed, attempts: 10 },
    refusedForGood: { ...failed, attempts: 1 },
    suppressed: { ...failed, isBulk: true, notification: 'announcements', lastError: 'The account gets no such mail.' },
    testMail: { notification: null },
    toParty: { accountId: ids.party },
    // Deletion of the account keeps what was sent alone.
    ofDeletedAccount: { state: 'sent', attempts: 1, sent: new Date(), accountId: deleted?.id },
    ofDisabledAccount: { ...failed, accountId: disabled?.id },
    unknown: {},
  };
  const mails: Record<string, MadeMail> = {};
  for (const [cause, facts] of Object.entries(rows)) {
    const texts = { address: 'x@example.org', subject: 'x', text: 'x', html: 'x', notification: 'individual_contact' };
    const { id } = await db.outgoingMail.create({ data: { cause, ...texts, ...facts } });
    if (cause === 'unknown') await db.outgoingMail.delete({ where: { id } });
    mails[cause] = { id: globalId('OutgoingMail', id) };
  }
  await app.sql('UPDATE account SET deleted_at = now() WHERE id = $1', [deleted?.id]);
  return mails;
}

export const MAIL_TABLE: StateTable<MailFacts, PersonRole, MadeMail> = {
  ...{ kind: 'a mail', roles: PEOPLE_RULES, states: STATES, make },
  actions: [
    { name: 'node, of an OutgoingMail', rule: read, graphql: nodeOf(({ id }) => id) },
    {
      ...{ name: 'mailOutbox', rule: change, isList: true },
      graphql: {
        field: 'mailOutbox',
        args: () => ({ first: 50 }),
        selection: '{ nodes { id } }',
        isShown: includesId(({ id }) => id),
      },
    },
    { name: 'retryMail', rule: change, graphql: mutationOf('retryMail', ({ id }) => ({ id })) },
  ],
};
