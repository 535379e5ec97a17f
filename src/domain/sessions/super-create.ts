import { randomBytes } from 'node:crypto';
import { requirePermission } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { NotFoundError, refusedFields } from '../../errors.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { type Message, message } from '../../texts/messages.ts';
import { chosenUsernameProblem, MAX_ACCOUNT_TEXT } from '../accounts/account-names.ts';
import { isMailbox } from '../accounts/new-account.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { mailDomain } from '../mail/mail-settings.ts';
import { type OpenedSession, openSession } from './open-session.ts';

/** Rules of the groups that a test account can be in, and the name of a group that is created for them. */
const GROUPS = {
  reviewer: { rules: ['Addons:Review'], name: 'Test reviewers' },
  admin: { rules: ['*:*'], name: 'Test administrators' },
} as const;

type GroupKind = keyof typeof GROUPS;

/** How long the session of a test account lasts. */
const SESSION_DAYS = 1;

interface TestGroup {
  id: number;
  name: string;
  rules: readonly string[];
}

/** A new account for tests with its session. */
export interface TestAccount extends OpenedSession {
  accountId: number;
  username: string;
  displayName: string;
  email: string;
  idpId: string | null;
  groups: TestGroup[];
}

/**
 * The account that may create test accounts.
 * @throws {NotFoundError} unless the operator has switched the feature on, {NotAuthenticatedError}, {NotPermittedError}.
 */
export function requireSuperCreate(viewer: Viewer): SignedIn {
  if (!config.SUPER_CREATE) throw new NotFoundError();
  return requirePermission(viewer, 'Accounts:SuperCreate');
}

/**
 * Creates an account for tests and signs it in for a day (contract, super-create; docs/decisions.md D100). `values` are unchecked; null
 * and empty ones count as absent.
 * @throws as `requireSuperCreate`, and {InvalidInputError} for all fields at fault together.
 */
export async function superCreate(viewer: Viewer, values: ReadonlyMap<string, unknown>): Promise<TestAccount> {
  const actor = requireSuperCreate(viewer);
  const problems = new Map<string, Message>();
  const wanted = readValues(values, problems);
  return retryAfterConflict(() =>
    db.$transaction(async (tx) => {
      await findTaken(tx, wanted, problems);
      if (problems.size > 0) throw refusedFields(problems);
      return create(tx, actor, wanted);
    }),
  );
}

interface Wanted {
  username: string;
  displayName: string;
  /** Null for none; then the account gets the first of `defaultEmails` that is valid and free. */
  email: string | null;
  defaultEmails: string[];
  idpId: string | null;
  group: GroupKind | null;
}

function readValues(values: ReadonlyMap<string, unknown>, problems: Map<string, Message>): Wanted {
  const text = (name: string, problemOf: (value: string) => Message | null): string | null => {
    const value = values.get(name) ?? null;
    if (value === null || value === '') return null;
    const problem = typeof value === 'string' ? problemOf(value) : message('field.not_text');
    if (problem !== null) problems.set(name, problem);
    return problem === null ? String(value) : null;
  };
  const hex = randomBytes(4).toString('hex');
  const generated = `super-created-${hex}`;
  const email = text('email', (value) => (isMailbox(value) ? null : message('field.not_email')));
  const username = text('username', chosenUsernameProblem) ?? generated;
  const idpId = text('idpId', idpProblem);
  const group = text('group', (value) =>
    Object.hasOwn(GROUPS, value) ? null : message('test_account.unknown_group', { group: value }),
  );
  return {
    username,
    displayName: `Super Created ${hex}`,
    email,
    defaultEmails: [`${username}@${mailDomain()}`, `${generated}@${mailDomain()}`, `${generated}@localhost`],
    idpId,
    group: group as GroupKind | null,
  };
}

function idpProblem(value: string): Message | null {
  if (value.length > MAX_ACCOUNT_TEXT) return message('field.too_long', { count: MAX_ACCOUNT_TEXT });
  return /\p{Cc}/u.test(value) || !value.isWellFormed() ? message('field.not_text') : null;
}

/** The identity that an `idpId` names: issuer and subject, with `#` between them; without it, a subject of no issuer. */
function identityIn(idpId: string): { issuer: string; subject: string } {
  const end = idpId.indexOf('#');
  return { issuer: idpId.slice(0, Math.max(0, end)), subject: idpId.slice(end + 1) };
}

/** Adds the problems of names and addresses that other accounts have. */
async function findTaken(
  tx: Transaction,
  { username, email, idpId }: Wanted,
  problems: Map<string, Message>,
): Promise<void> {
  const others = await tx.account.findMany({
    where: { OR: [{ username }, ...(email === null ? [] : [{ email }])] },
    select: { username: true, email: true },
  });
  const same = (a: string | null, b: string | null) => b !== null && a?.toLowerCase() === b.toLowerCase();
  for (const other of others) {
    if (same(other.email, email)) problems.set('email', message('test_account.email_taken'));
    if (same(other.username, username)) problems.set('username', message('test_account.username_taken'));
  }
  const where = idpId === null ? null : { issuer_subject: identityIn(idpId) };
  const linked = where && (await tx.accountIdentity.findUnique({ where, select: { id: true } }));
  if (linked !== null) problems.set('idpId', message('test_account.identity_taken'));
}

/** The first address that is valid and that no account has. */
async function freeEmail(tx: Transaction, candidates: readonly string[]): Promise<string> {
  for (const email of candidates.filter(isMailbox)) {
    if ((await tx.account.findUnique({ where: { email }, select: { id: true } })) === null) return email;
  }
  throw new Error('no default address is free');
}

async function create(
  tx: Transaction,
  actor: SignedIn,
  { group: kind, defaultEmails, ...wanted }: Wanted,
): Promise<TestAccount> {
  const data = { ...wanted, email: wanted.email ?? (await freeEmail(tx, defaultEmails)) };
  const { idpId, ...columns } = data;
  const { id: accountId } = await tx.account.create({
    data: { ...columns, lastLogin: new Date() },
    select: { id: true },
  });
  if (idpId !== null) await tx.accountIdentity.create({ data: { accountId, ...identityIn(idpId), email: data.email } });
  const groups = kind === null ? [] : [await groupWith(tx, GROUPS[kind])];
  for (const { id: groupId } of groups) await tx.groupMember.create({ data: { groupId, accountId } });
  const session = await openSession(tx, accountId, { label: 'Test account', days: SESSION_DAYS });
  const details = { accountId, username: data.username, groups: groups.map(({ name }) => name) };
  await recordActivity(tx, { action: 'account-created', accountId: actor.accountId, details });
  await recordAudit(tx, actor, 'account-super-created', details);
  return { ...session, ...data, accountId, groups };
}

/** The oldest group with exactly these rules, created when there is none. */
async function groupWith(tx: Transaction, wanted: { rules: readonly string[]; name: string }): Promise<TestGroup> {
  const select = { id: true, name: true, rules: true };
  const rules = [...wanted.rules];
  const known = await tx.group.findFirst({ where: { rules: { equals: rules } }, orderBy: { id: 'asc' }, select });
  if (known !== null) return known;
  const isFree = (await tx.group.findUnique({ where: { name: wanted.name }, select: { id: true } })) === null;
  const name = isFree ? wanted.name : `${wanted.name} ${randomBytes(4).toString('hex')}`;
  return tx.group.create({ data: { name, rules }, select });
}
