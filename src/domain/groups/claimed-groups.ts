/* Memberships that the identity provider decides about: those of the groups that `OIDC_GROUPS` names, and no other. */
import { endPageSessionsOf } from '../../auth/page-session.ts';
import { config } from '../../config.ts';
import { InvalidInputError } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { keepingAdministrator } from '../accounts/target-accounts.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordStaffAct } from '../mail/record-staff-act.ts';
import { memberNotice } from './change-groups.ts';

interface ManagedGroup {
  id: number;
  name: string;
  rules: string[];
  isMember: boolean;
  isClaimed: boolean;
}

/** The groups that an account has joined and left with a sign-in. */
interface ChangedGroups {
  joined: readonly ManagedGroup[];
  left: readonly ManagedGroup[];
}

/** The groups of the settings that exist, as an account has them and as the claim lists them. */
async function managedGroups(tx: Transaction, accountId: number, values: readonly string[]): Promise<ManagedGroup[]> {
  const names = config.OIDC_GROUPS.map(({ group }) => group);
  if (names.length === 0) return [];
  const claimed = config.OIDC_GROUPS.filter(({ value }) => values.includes(value)).map(({ group }) => group);
  const groups = await tx.$queryRaw<ManagedGroup[]>`
    SELECT g.id, g.name::text, g.rules, m.account_id IS NOT NULL AS "isMember",
      g.name = ANY (${claimed}::citext[]) AS "isClaimed"
    FROM permission_group g LEFT JOIN group_member m ON m.group_id = g.id AND m.account_id = ${accountId}
    WHERE g.name = ANY (${names}::citext[]) ORDER BY g.id`;
  const known = new Set(groups.map(({ name }) => name.toLowerCase()));
  const unknown = names.filter((name) => !known.has(name.toLowerCase()));
  if (unknown.length > 0) log.warn({ groups: unknown }, 'OIDC_GROUPS names groups that do not exist');
  return groups;
}

/**
 * Gives an account the memberships that the groups claim of its sign-in states, which ends its page sessions. The last administrator
 * keeps the rule `*:*`. `recordChangedGroups` records the result at the end of the transaction.
 */
export async function applyClaimedGroups(
  tx: Transaction,
  accountId: number,
  values: readonly string[],
): Promise<ChangedGroups> {
  const groups = await managedGroups(tx, accountId, values);
  const joined = groups.filter(({ isMember, isClaimed }) => isClaimed && !isMember);
  const lost = groups.filter(({ isMember, isClaimed }) => isMember && !isClaimed);
  await tx.groupMember.createMany({
    data: joined.map(({ id: groupId }) => ({ groupId, accountId })),
    skipDuplicates: true,
  });
  const left = (await leave(tx, accountId, lost)) ? lost : lost.filter((group) => !isAdministrative(group));
  if (joined.length + left.length > 0) await endPageSessionsOf(tx, [accountId]);
  return { joined, left };
}

const isAdministrative = ({ rules }: ManagedGroup): boolean => rules.includes('*:*');

/** Ends memberships. Returns false when those with the rule `*:*` stay, which are the last ones. */
async function leave(tx: Transaction, accountId: number, groups: readonly ManagedGroup[]): Promise<boolean> {
  const end = (ended: readonly ManagedGroup[]) =>
    tx.groupMember.deleteMany({ where: { accountId, groupId: { in: ended.map(({ id }) => id) } } });
  const administrative = groups.filter(isAdministrative);
  if (administrative.length < groups.length) await end(groups.filter((group) => !isAdministrative(group)));
  if (administrative.length === 0) return true;
  try {
    await keepingAdministrator(tx, () => end(administrative));
    return true;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    await tx.groupMember.createMany({ data: administrative.map(({ id: groupId }) => ({ groupId, accountId })) });
    log.warn({ accountId }, 'the last administrator stays one without the value of the groups claim');
    return false;
  }
}

/** Records memberships that the identity provider has changed: activity, mail to the account, audit entry. Call it last. */
export async function recordChangedGroups(
  tx: Transaction,
  { accountId, username, issuer }: { accountId: number; username: string; issuer: string },
  { joined, left }: ChangedGroups,
): Promise<void> {
  const changes = [
    ...joined.map((group) => ({ action: 'group-member-added', group }) as const),
    ...left.map((group) => ({ action: 'group-member-removed', group }) as const),
  ];
  for (const { action, group } of changes) {
    const details = { groupId: group.id, group: group.name, memberId: accountId, username, issuer };
    await recordActivity(tx, { action, accountId: null, details });
    await recordStaffAct(tx, 'identity provider', [accountId], {
      action,
      details,
      notice: memberNotice(action, group.name),
    });
  }
}
