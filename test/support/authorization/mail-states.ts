/* Mails of the outbox by state. REST has none. */
import type { TestApp } from '../app.ts';
import { globalId } from '../global-ids.ts';
import { holds, PEOPLE_RULES, type PersonRole } from './state-roles.ts';
import { listRow, mutationRow, nodeRow, refused, type StateRule, type StateTable } from './state-table.ts';

interface MailFacts {
  exists: boolean;
}

interface MadeMail {
  id: string;
}

type Rule = StateRule<MailFacts, PersonRole>;

const read: Rule = ({ exists }, role) => (exists && holds(role, 'Admin:Mail') ? 200 : 404);
const change: Rule = ({ exists }, role) => (!holds(role, 'Admin:Mail') ? refused(role) : exists ? 200 : 404);

const later = new Date(Date.now() + 3_600_000);
const failed = { state: 'failed', lastError: '550 No such mailbox.' };
const sent = { state: 'sent', attempts: 1, sent: new Date() };

/** The columns of each mail, and the account that it is to. */
const MAILS: Record<string, { to?: 'party' | 'deleted' | 'disabled'; columns?: object }> = {
  waiting: {},
  waitingLater: { columns: { nextAttempt: later } },
  beingSent: { columns: { attempts: 1, claimedUntil: later } },
  failing: { columns: { attempts: 3, lastError: '421 Later.', nextAttempt: later } },
  sent: { columns: sent },
  sentAgain: { columns: { ...sent, attempts: 4 } },
  deadLetter: { columns: { ...failed, attempts: 10 } },
  refusedForGood: { columns: { ...failed, attempts: 1 } },
  suppressed: { columns: { ...failed, isBulk: true, notification: 'announcements', lastError: 'No such mail.' } },
  testMail: { columns: { notification: null } },
  toParty: { to: 'party' },
  // Deletion of the account keeps what was sent alone.
  ofDeletedAccount: { to: 'deleted', columns: sent },
  ofDisabledAccount: { to: 'disabled', columns: failed },
  unknown: {},
};

const states = Object.fromEntries(Object.keys(MAILS).map((name) => [name, { exists: name !== 'unknown' }]));

async function make(app: TestApp, ids: Record<PersonRole, number>): Promise<Record<string, MadeMail>> {
  const [disabled, deleted] = await app.sql<{ id: number }>(
    "INSERT INTO account (username, disabled_at) VALUES ('mute', now()), ('left', NULL) RETURNING id",
  );
  const accounts = { party: ids.party, disabled: disabled?.id, deleted: deleted?.id };
  const { db } = await import('../../../src/infra/db.ts');
  const mails: Record<string, MadeMail> = {};
  for (const [cause, { to, columns }] of Object.entries(MAILS)) {
    const texts = { address: 'x@example.org', subject: 'x', text: 'x', html: 'x', notification: 'individual_contact' };
    const accountId = to === undefined ? undefined : accounts[to];
    const { id } = await db.outgoingMail.create({ data: { cause, ...texts, accountId, ...columns } });
    if (cause === 'unknown') await db.outgoingMail.delete({ where: { id } });
    mails[cause] = { id: globalId('OutgoingMail', id) };
  }
  await app.sql('UPDATE account SET deleted_at = now() WHERE id = $1', [deleted?.id]);
  return mails;
}

export const MAIL_TABLE: StateTable<MailFacts, PersonRole, MadeMail> = {
  ...{ kind: 'a mail', roles: PEOPLE_RULES, states, make },
  actions: [
    nodeRow('OutgoingMail', read),
    listRow('mailOutbox', change, '{ nodes { id } }', { first: 50 }),
    mutationRow('retryMail', change),
  ],
};
