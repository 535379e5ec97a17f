import { isBuiltIn } from '../../auth/credential-account.ts';
import { endPageSessionsOf } from '../../auth/page-session.ts';
import { parseRule } from '../../auth/permissions.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { COMMAND_LINE, recordAudit } from '../activity/record-audit.ts';
import { recordAccountAct, recordStaffAct } from '../mail/record-staff-act.ts';
import { type CredentialOptions, issueAccessToken, issueApiKey } from './issue-credentials.ts';
import { acceptAgreement, markRevoked, recordKeyRevocation } from './manage-keys.ts';
import { insertAccount, type NewAccount } from './new-account.ts';

/*
 * Account administration by commands, without permission checks. Each change writes its activity and audit rows in its own
 * transaction. Errors are ServiceErrors with one-line messages.
 */

/** The account with this username that is not deleted. @throws {NotFoundError}; {InvalidInputError} for a built-in account. */
export async function accountNamed(tx: Transaction, username: string): Promise<{ id: number; username: string }> {
  const account = username.includes('\0')
    ? null
    : await tx.account.findUnique({ where: { username }, select: { id: true, username: true, deletedAt: true } });
  if (account === null || account.deletedAt !== null) {
    throw new NotFoundError(message('account.unknown_username', { name: printable(username) }));
  }
  if (isBuiltIn(account.id)) throw new InvalidInputError(message('account.automatic'));
  return { id: account.id, username: account.username };
}

/**
 * Creates an account and adds it to the named group, if any.
 * @throws {InvalidInputError} for a malformed or taken username or address, {NotFoundError} for an unknown group.
 */
export async function createAccount({
  groupName,
  ...account
}: NewAccount & { groupName?: string }): Promise<{ id: number; username: string; email: string }> {
  return db.$transaction(async (tx) => {
    const { id } = await insertAccount(tx, account);
    if (groupName !== undefined) await joinGroup(tx, id, groupName);
    const details = { accountId: id, username: account.username, ...(groupName === undefined ? {} : { groupName }) };
    await recordActivity(tx, { action: 'account-created', details });
    await recordAudit(tx, COMMAND_LINE, 'account-created', details);
    return { id, ...account };
  });
}

async function joinGroup(tx: Transaction, accountId: number, groupName: string): Promise<void> {
  const group = groupName.includes('\0')
    ? null
    : await tx.group.findUnique({ where: { name: groupName }, select: { id: true } });
  if (group === null) throw new NotFoundError(message('group.unknown', { name: printable(groupName) }));
  await tx.groupMember.create({ data: { groupId: group.id, accountId } });
}

/**
 * Creates an API key for a user and accepts the developer agreement, which keys require.
 * @throws {NotFoundError} for an unknown user, {InvalidInputError} for what `issueApiKey` refuses.
 */
export async function createApiKeyFor({
  username,
  ...options
}: CredentialOptions & { username: string }): Promise<{ key: string; secret: string }> {
  return db.$transaction(async (tx) => {
    const { id: accountId } = await accountNamed(tx, username);
    await acceptAgreement(tx, accountId);
    const { key, secret } = await issueApiKey(tx, accountId, options);
    await recordActivity(tx, { action: 'api-key-created', details: { key, ownerId: accountId } });
    await recordAccountAct(tx, COMMAND_LINE, accountId, {
      action: 'api-key-created',
      details: { key, accountId },
      notice: { name: 'account-key-created', values: () => ({ key }), path: '/account/keys/' },
    });
    return { key, secret };
  });
}

/**
 * Creates an access token for a user, valid until `expires` or for 30 days.
 * @throws {NotFoundError} for an unknown user, {InvalidInputError} for an expiry date in the past.
 */
export async function createAccessTokenFor({
  username,
  ...options
}: CredentialOptions & { username: string }): Promise<{ token: string; expires: Date }> {
  return db.$transaction(async (tx) => {
    const { id: accountId } = await accountNamed(tx, username);
    const { id: tokenId, token, expires } = await issueAccessToken(tx, accountId, options);
    await recordActivity(tx, { action: 'access-token-created', details: { tokenId, ownerId: accountId } });
    await recordAccountAct(tx, COMMAND_LINE, accountId, {
      action: 'access-token-created',
      details: { tokenId, accountId, expires },
      notice: { name: 'account-token-created', path: '/account/sessions/' },
    });
    return { token, expires };
  });
}

const GROUP_NAME = /^[^\p{Cc}\p{Cs}]{1,100}$/u;

/** Whether a text can name a group: at most 100 characters, no control characters, no spaces at the ends. */
export const isGroupName = (name: string): boolean => GROUP_NAME.test(name) && name.trim() === name;

/** @throws {InvalidInputError} for an invalid permission rule. */
export function checkRule(rule: string): void {
  if (parseRule(rule) !== null) return;
  throw new InvalidInputError(message('group.not_a_rule', { rule: printable(rule) }));
}

/**
 * Grants a user a permission rule through a group. Creates group, rule and membership where they are missing. Ends the page sessions
 * of those who get the rule. Idempotent.
 * @throws {InvalidInputError} for a malformed rule or group name, {NotFoundError} for an unknown user.
 */
export async function grantRule({
  group: name,
  rule,
  username,
}: {
  group: string;
  rule: string;
  username: string;
}): Promise<void> {
  checkRule(rule);
  if (!isGroupName(name)) {
    throw new InvalidInputError(message('group.reserved_name', { name: printable(name) }));
  }
  await db.$transaction(async (tx) => {
    const { id: accountId } = await accountNamed(tx, username);
    await tx.$executeRaw`INSERT INTO permission_group (name, rules) VALUES (${name}, '{}') ON CONFLICT DO NOTHING`;
    const rulesAdded = await tx.$executeRaw`
      UPDATE permission_group SET rules = array_append(rules, ${rule}) WHERE name = ${name}::citext AND ${rule} <> ALL (rules)`;
    const membersAdded = await tx.$executeRaw`
      INSERT INTO group_member (group_id, account_id)
      SELECT id, ${accountId} FROM permission_group WHERE name = ${name}::citext ON CONFLICT DO NOTHING`;
    if (rulesAdded + membersAdded === 0) return;
    const members = await tx.groupMember.findMany({ where: { group: { name } }, select: { accountId: true } });
    const changed = members.filter((member) => rulesAdded > 0 || (membersAdded > 0 && member.accountId === accountId));
    const concerned = changed.map((member) => member.accountId);
    await endPageSessionsOf(tx, concerned);
    const details = { group: name, rule, accountId };
    await recordActivity(tx, { action: 'permission-granted', details });
    const notice = { name: 'account-group-joined', values: () => ({ group: name }), path: '/account/' } as const;
    await recordStaffAct(tx, COMMAND_LINE, concerned, { action: 'permission-granted', details, notice });
  });
}

/**
 * Revokes an API key. Idempotent.
 * @throws {NotFoundError} for a key that does not exist.
 */
export async function revokeKey(key: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const known = key.includes('\0')
      ? null
      : await tx.apiKey.findUnique({ where: { key }, select: { accountId: true, key: true } });
    if (known === null) throw new NotFoundError(message('key.unknown', { key: printable(key) }));
    if (await markRevoked(tx, { key }, null)) await recordKeyRevocation(tx, COMMAND_LINE, known);
  });
}
