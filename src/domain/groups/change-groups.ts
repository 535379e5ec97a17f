import { canGrant } from '../../auth/operator-permissions.ts';
import { endPageSessionsOf } from '../../auth/page-session.ts';
import { parseRule, requirePermission } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, NotPermittedError, refusedField } from '../../errors.ts';
import { db, Prisma, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { isGroupName } from '../accounts/administration.ts';
import { keepingAdministrator, requireRank } from '../accounts/target-accounts.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { COMMAND_LINE } from '../activity/record-audit.ts';
import type { NoticeName } from '../mail/notice.ts';
import { recordStaffAct } from '../mail/record-staff-act.ts';

const MAX_RULES = 200;

interface LockedGroup {
  id: number;
  name: string;
  rules: string[];
}

/** @throws {NotPermittedError} when the viewer may not grant one of the rules. */
function requireGrantable(viewer: Viewer, rules: readonly string[]): void {
  if (rules.every((rule) => canGrant(viewer, rule))) return;
  throw new NotPermittedError();
}

/**
 * Locks a group until the end of the transaction.
 * @throws {NotFoundError}; {NotPermittedError} for a group with rules that the viewer may not grant.
 */
async function lockGroup(tx: Transaction, viewer: Viewer, id: number): Promise<LockedGroup> {
  const [group] = await tx.$queryRaw<LockedGroup[]>`
    SELECT id, name::text, rules FROM permission_group WHERE id = ${id} FOR UPDATE`;
  if (group === undefined) throw new NotFoundError();
  requireGrantable(viewer, group.rules);
  return group;
}

interface GroupChanges {
  /** Null for a new group. */
  id: number | null;
  /** Null: the name stays. */
  name: string | null;
  /** Null: the rules stay. */
  rules: readonly string[] | null;
}

function checkChanges({ id, name, rules }: GroupChanges): void {
  if (id === null && name === null) throw refusedField('name', message('field.required'));
  if (name !== null && !isGroupName(name))
    throw refusedField('name', message('group.reserved_name', { name: printable(name) }));
  const invalid = (rules ?? []).find((rule) => parseRule(rule) === null);
  if (invalid !== undefined) throw refusedField('rules', message('group.invalid_rule', { rule: printable(invalid) }));
  if ((rules ?? []).length > MAX_RULES)
    throw refusedField('rules', message('group.too_many_rules', { count: MAX_RULES }));
}

/**
 * Creates a group, or changes its name and rules, which takes effect with the next request of each member. A change of rules ends
 * the page sessions of all members; repeating a change has no effect. Returns its id.
 * @throws {NotAuthenticatedError}; {NotPermittedError} without `Admin:Groups`, and for rules that the viewer may not grant;
 * also when a member is above the viewer's rank and the rules change; {NotFoundError}; {InvalidInputError} for a taken or malformed
 * name, for malformed rules and when no account would keep `*:*`.
 */
export async function storeGroup(viewer: Viewer, changes: GroupChanges): Promise<number> {
  const actor = requirePermission(viewer, 'Admin:Groups');
  checkChanges(changes);
  requireGrantable(viewer, changes.rules ?? []);
  try {
    return await db.$transaction((tx) => keepingAdministrator(tx, () => writeGroup(tx, actor, changes)));
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') throw error;
    throw refusedField('name', message('group.name_taken'));
  }
}

async function writeGroup(tx: Transaction, actor: SignedIn, { id, name, rules }: GroupChanges): Promise<number> {
  const before = id === null ? null : await lockGroup(tx, actor, id);
  const data = { name: name ?? before?.name ?? '', rules: [...new Set(rules ?? before?.rules ?? [])].sort() };
  const known = before?.rules ?? [];
  const added = data.rules.filter((rule) => !known.includes(rule));
  const removed = known.filter((rule) => !data.rules.includes(rule));
  const changesRules = added.length + removed.length > 0;
  if (before !== null && before.name === data.name && !changesRules) return before.id;
  const members = before !== null && changesRules ? await membersOf(tx, before.id) : [];
  await requireRank(tx, actor, members);
  const group =
    before === null ? await tx.group.create({ data }) : await tx.group.update({ where: { id: before.id }, data });
  const details = {
    groupId: group.id,
    group: group.name,
    ...(before === null || before.name === group.name ? {} : { formerName: before.name }),
    added,
    removed,
  };
  await endPageSessionsOf(tx, members);
  const action = before === null ? 'group-created' : 'group-changed';
  await recordActivity(tx, { action, accountId: actor.accountId, details });
  await recordStaffAct(tx, actor, members, {
    action,
    details,
    notice: groupNotice('account-group-changed', group.name),
  });
  return group.id;
}

async function membersOf(tx: Transaction, groupId: number): Promise<number[]> {
  const members = await tx.groupMember.findMany({ where: { groupId }, select: { accountId: true } });
  return members.map(({ accountId }) => accountId);
}

const groupNotice = (name: NoticeName & `account-group-${string}`, group: string) => ({
  name,
  values: () => ({ group }),
  path: '/account/',
});

/** A group by id, and an account. */
export interface Membership {
  group: number;
  account: { id: number } | { username: string };
}

/**
 * Adds an account to a group, which ends its page sessions. Idempotent.
 * @throws {NotAuthenticatedError}; {NotPermittedError} without `Admin:Groups`, for a group with rules that the viewer may not grant
 * and for an account above the viewer's rank; {NotFoundError}.
 */
export async function addMember(viewer: Viewer, membership: Membership): Promise<void> {
  await changeMember(viewer, membership, 'group-member-added', async (tx, key) => {
    const { count } = await tx.groupMember.createMany({ data: [key], skipDuplicates: true });
    return count > 0;
  });
}

/**
 * Removes an account from a group, which ends its page sessions. Idempotent.
 * @throws as `addMember` does, and {InvalidInputError} for the last administrator.
 */
export async function removeMember(viewer: Viewer, membership: Membership): Promise<void> {
  await changeMember(viewer, membership, 'group-member-removed', async (tx, key) => {
    const { count } = await tx.groupMember.deleteMany({ where: key });
    return count > 0;
  });
}

async function changeMember(
  viewer: Viewer,
  membership: Membership,
  action: 'group-member-added' | 'group-member-removed',
  change: (tx: Transaction, key: { groupId: number; accountId: number }) => Promise<boolean>,
): Promise<void> {
  const actor = requirePermission(viewer, 'Admin:Groups');
  const work = async (tx: Transaction) => {
    const { id: groupId, name: group } = await lockGroup(tx, viewer, membership.group);
    const by = membership.account;
    if ('username' in by && by.username.includes('\0')) throw unknownAccount(by);
    const account = await tx.account.findFirst({
      where: { ...by, deletedAt: null },
      select: { id: true, username: true },
    });
    // The built-in account has no positive id.
    if (account === null || account.id <= 0) throw unknownAccount(by);
    await requireRank(tx, viewer, [account.id]);
    if (!(await change(tx, { groupId, accountId: account.id }))) return;
    await endPageSessionsOf(tx, [account.id]);
    const details = { groupId, group, memberId: account.id, username: account.username };
    await recordActivity(tx, { action, accountId: actor.accountId, details });
    await recordStaffAct(tx, actor, [account.id], { action, details, notice: memberNotice(action, group) });
  };
  await db.$transaction((tx) => keepingAdministrator(tx, () => work(tx)));
}

const unknownAccount = (by: Membership['account']): NotFoundError =>
  'username' in by
    ? new NotFoundError(message('account.unknown_username', { name: printable(by.username) }))
    : new NotFoundError();

/** The mail to an account that was added to a group or removed from it. */
export const memberNotice = (action: 'group-member-added' | 'group-member-removed', group: string) =>
  groupNotice(action === 'group-member-added' ? 'account-group-joined' : 'account-group-left', group);

/**
 * Removes a user from a group, as the command line, which ends their page sessions. Returns whether the user was a member.
 * @throws {NotFoundError} for an unknown group or user, {InvalidInputError} for the last administrator.
 */
export async function revokeMembership(name: string, username: string): Promise<boolean> {
  if (`${name}${username}`.includes('\0')) throw new InvalidInputError(message('field.nul_characters'));
  const work = async (tx: Transaction) => {
    const group = await tx.group.findUnique({ where: { name }, select: { id: true, name: true } });
    if (group === null) throw new NotFoundError(message('group.unknown', { name: printable(name) }));
    const account = await tx.account.findFirst({
      where: { username, deletedAt: null },
      select: { id: true, username: true },
    });
    if (account === null) throw new NotFoundError(message('account.unknown_username', { name: printable(username) }));
    const { count } = await tx.groupMember.deleteMany({ where: { groupId: group.id, accountId: account.id } });
    if (count === 0) return false;
    await endPageSessionsOf(tx, [account.id]);
    const details = { groupId: group.id, group: group.name, memberId: account.id, username: account.username };
    const action = 'group-member-removed';
    await recordActivity(tx, { action, details });
    const act = { action, details, notice: memberNotice(action, group.name) };
    await recordStaffAct(tx, COMMAND_LINE, [account.id], act);
    return true;
  };
  return db.$transaction((tx) => keepingAdministrator(tx, () => work(tx)));
}
