/* API keys and sessions of accounts by state. REST has neither; deletion of an account deletes its sessions, and keeps its keys, revoked. */
import { randomBytes } from 'node:crypto';
import type { TestApp } from '../app.ts';
import { globalId } from '../global-ids.ts';
import { holds, PEOPLE_RULES, type PersonRole } from './state-roles.ts';
import { fieldRow, hasId, mutationRow, nodeRow, type StateRule, type StateTable } from './state-table.ts';

interface CredentialFacts {
  owner: 'party' | 'root' | 'reviewer' | 'accountAdmin' | 'disabled' | 'deleted' | null;
  /** Whether the account lists it: every key, and sessions that are valid. */
  isListed: boolean;
}

interface Credential {
  id: string;
  account: string;
}

const of = (owner: CredentialFacts['owner'], isListed = true): CredentialFacts => ({ owner, isListed });

type Rule = StateRule<CredentialFacts, PersonRole>;

/** The account itself and holders of `Users:Edit`, for whom deleted accounts are unknown (docs/decisions.md D83). */
const mayUse = ({ owner }: CredentialFacts, role: PersonRole) =>
  owner !== null && owner !== 'deleted' && (owner === role || holds(role, 'Users:Edit'));

const read: Rule = (facts, role) => (mayUse(facts, role) ? 200 : 404);
const list: Rule = (facts, role) => (facts.isListed ? read(facts, role) : 404);
const readGroups: Rule = (_facts, role) => (holds(role, 'Users:Edit') ? 200 : 404);
/** Staff below the target: accounts with a rule that the role could not grant are above it. */
const isAbove = ({ owner }: CredentialFacts, role: PersonRole) =>
  owner !== role && (owner === 'reviewer' || owner === 'root') && role !== 'root';
const end: Rule = (facts, role) => {
  if (role === 'anonymous') return 401;
  return mayUse(facts, role) && isAbove(facts, role) ? 403 : read(facts, role);
};

const past = new Date('2020-01-01T00:00:00Z');
const later = new Date(Date.now() + 86_400_000);

async function makeOwners(
  app: TestApp,
  ids: Record<PersonRole, number>,
): Promise<(owner: CredentialFacts['owner']) => number> {
  const [disabled, deleted] = await app.sql<{ id: number }>(
    `INSERT INTO account (username, disabled_at, deleted_at)
     VALUES ('off-' || gen_random_uuid(), now(), NULL), ('end-' || gen_random_uuid(), NULL, now()) RETURNING id`,
  );
  const others = { disabled: disabled?.id ?? 0, deleted: deleted?.id ?? 0 };
  return (owner) => (owner === null ? ids.stranger : { ...ids, ...others }[owner]);
}

interface KeyFacts extends CredentialFacts {
  columns: { label?: string; expires?: Date; revokedAt?: Date; lastUsed?: Date };
}

const key = (owner: CredentialFacts['owner'], columns: KeyFacts['columns'] = {}): KeyFacts => ({
  ...of(owner),
  columns,
});

const KEY_STATES = {
  unused: key('party'),
  used: key('party', { lastUsed: new Date() }),
  labelled: key('party', { label: 'x' }),
  expiring: key('party', { expires: later }),
  expired: key('party', { expires: past }),
  revoked: key('party', { revokedAt: past }),
  revokedAndExpired: key('party', { revokedAt: past, expires: past }),
  ofReviewer: key('reviewer'),
  ofAccountAdministrator: key('accountAdmin'),
  ofAdministrator: key('root'),
  ofDisabledAccount: key('disabled'),
  ofDeletedAccount: key('deleted', { revokedAt: past }),
  unknown: key(null),
} as const satisfies Record<string, KeyFacts>;

async function makeKeys(app: TestApp, ids: Record<PersonRole, number>): Promise<Record<string, Credential>> {
  const idOf = await makeOwners(app, ids);
  const { db } = await import('../../../src/infra/db.ts');
  const keys: Record<string, Credential> = {};
  for (const [name, { owner, columns }] of Object.entries(KEY_STATES)) {
    const accountId = idOf(owner);
    const data = { accountId, key: `key-${name}`, sealedSecret: Buffer.from('x'), ...columns };
    const { id } = await db.apiKey.create({ data });
    if (owner === null) await db.apiKey.delete({ where: { id } });
    keys[name] = { id: globalId('ApiKey', id), account: globalId('Account', accountId) };
  }
  return keys;
}

const accountOf = ({ account }: Credential) => account;

export const KEY_TABLE: StateTable<KeyFacts, PersonRole, Credential> = {
  ...{ kind: 'an API key', roles: PEOPLE_RULES, states: KEY_STATES, make: makeKeys },
  actions: [
    nodeRow('ApiKey', read),
    fieldRow('Account.private, with its keys', list, accountOf, 'private { apiKeys { id } }', { isShown: hasId }),
    mutationRow('revokeApiKey', end),
  ],
};

interface SessionFacts extends CredentialFacts {
  columns: { expires?: Date; revokedAt?: Date; lastUsed?: Date; label?: string };
  hasPages?: boolean;
}

const session = (
  owner: CredentialFacts['owner'],
  columns: SessionFacts['columns'] = {},
  isListed = true,
): SessionFacts => ({ ...of(owner, isListed), columns });

const SESSION_STATES = {
  unused: session('party'),
  used: session('party', { lastUsed: new Date() }),
  ofPages: { ...session('party'), hasPages: true },
  madeByOperator: session('party', { label: 'x' }),
  expired: session('party', { expires: past }, false),
  ended: session('party', { revokedAt: past }, false),
  endedAndExpired: session('party', { revokedAt: past, expires: past }, false),
  ofReviewer: session('reviewer'),
  ofAccountAdministrator: session('accountAdmin'),
  ofAdministrator: session('root'),
  ofDisabledAccount: session('disabled'),
  ofDisabledAccountOnPages: { ...session('disabled'), hasPages: true },
  unknown: session(null, {}, false),
} as const satisfies Record<string, SessionFacts>;

async function makeSessions(app: TestApp, ids: Record<PersonRole, number>): Promise<Record<string, Credential>> {
  const idOf = await makeOwners(app, ids);
  const { db } = await import('../../../src/infra/db.ts');
  const sessions: Record<string, Credential> = {};
  const states: Record<string, SessionFacts> = SESSION_STATES;
  for (const [name, { owner, columns, hasPages }] of Object.entries(states)) {
    const accountId = idOf(owner);
    const data = { accountId, hash: randomBytes(32), expires: later, ...columns };
    const pages = { hash: randomBytes(32), expires: later };
    const { id } = await db.accessToken.create({
      data: { ...data, ...(hasPages ? { pageSession: { create: pages } } : {}) },
    });
    if (owner === null) await db.accessToken.delete({ where: { id } });
    sessions[name] = { id: globalId('Session', id), account: globalId('Account', accountId) };
  }
  return sessions;
}

export const SESSION_TABLE: StateTable<SessionFacts, PersonRole, Credential> = {
  ...{ kind: 'a session', roles: PEOPLE_RULES, states: SESSION_STATES, make: makeSessions },
  actions: [
    nodeRow('Session', read),
    fieldRow('Account.private, with its sessions', list, accountOf, 'private { sessions { id } }', { isShown: hasId }),
    fieldRow('Account.private, with its groups', readGroups, accountOf, 'private { groups { id } }', {
      ...{ covers: ['AccountPrivate.groups'], states: ({ owner }) => owner !== null },
      isShown: (value) => JSON.stringify(value).includes('"groups":['),
    }),
    // Every role that may ends it; the next one ends it once more.
    mutationRow('endSession', end),
  ],
};
