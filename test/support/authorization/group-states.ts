/* Groups by state. There are none in REST, and no mutation deletes one. */
import type { TestApp } from '../app.ts';
import { globalId } from '../global-ids.ts';
import { HOLDERS, holds, PEOPLE_RULES, type PersonRole } from './state-roles.ts';
import { fieldRow, listRow, mutationRow, nodeRow, refused, type StateRule, type StateTable } from './state-table.ts';

interface GroupFacts {
  exists: boolean;
  /** Who may give and take its rules: those who hold them, and of wildcards only holders of `*:*` (createGroup). */
  grantedBy: readonly PersonRole[];
  /** Whether no rule of it has the form of one: no input can have them. */
  isMistaken?: true;
  /** What is made: a group with these rules and members, unless it is that of a role. */
  rules?: string[];
  members?: ('stranger' | 'party' | 'deleted' | 'disabled')[];
  of?: PersonRole;
}

interface MadeGroup {
  id: string;
  name: string;
  rules: readonly string[];
  /** An account that is no member, of this group alone: a member has its rules. */
  account: string;
}

const granted = (grantedBy: readonly PersonRole[], more: Partial<GroupFacts> = {}): GroupFacts => ({
  ...{ exists: true, grantedBy, ...more },
});
const KEEPERS: readonly PersonRole[] = HOLDERS['Admin:Groups'];
const ROOT: readonly PersonRole[] = ['root'];

const STATES: Readonly<Record<string, GroupFacts>> = {
  withoutRules: granted(KEEPERS),
  withMembers: granted(KEEPERS, { members: ['stranger', 'party'] }),
  withDeletedMember: granted(KEEPERS, { members: ['deleted'] }),
  withDisabledMember: granted(KEEPERS, { members: ['disabled'] }),
  // The groups of the viewers themselves.
  ofStranger: granted(KEEPERS, { of: 'stranger' }),
  ofGroupAdmin: granted(['groupAdmin', 'registrar', 'everyAdmin', 'root'], { of: 'groupAdmin' }),
  ofRegistrar: granted(['registrar', 'root'], { of: 'registrar' }),
  ofMailKeeper: granted(['everyAdmin', 'root'], { of: 'mailKeeper' }),
  ofEveryAdmin: granted(ROOT, { of: 'everyAdmin' }),
  // With its last member.
  administrators: granted(ROOT, { of: 'root' }),
  everyEdit: granted(ROOT, { of: 'everyEdit' }),
  partlyHeld: granted(['everyAdmin', 'root'], { rules: ['Admin:Groups', 'Admin:Mail'] }),
  ofUnknownApp: granted(ROOT, { rules: ['Forum:Edit'] }),
  mistaken: granted(ROOT, { of: 'mistaken', isMistaken: true }),
  unknown: { exists: false, grantedBy: [] },
};

type Rule = StateRule<GroupFacts, PersonRole>;

const isKeeper = (role: PersonRole) => holds(role, 'Admin:Groups');

const read: Rule = ({ exists }, role) => (exists && (isKeeper(role) || holds(role, 'Users:Edit')) ? 200 : 404);
const list: Rule = ({ exists }, role) => (!isKeeper(role) ? refused(role) : exists ? 200 : 404);
const change: Rule = ({ exists, grantedBy }, role) => {
  if (!isKeeper(role)) return refused(role);
  if (!exists) return 404;
  return grantedBy.includes(role) ? 200 : 403;
};

const grantable: Rule = (facts, role) => (change(facts, role) === 200 ? 200 : 404);

async function make(app: TestApp, ids: Record<PersonRole, number>): Promise<Record<string, MadeGroup>> {
  const [deleted = 0, disabled = 0, ...strangers] = (
    await app.sql<{ id: number }>(
      `INSERT INTO account (username, deleted_at, disabled_at)
       SELECT 'member-' || n, CASE n WHEN 1 THEN now() END, CASE n WHEN 2 THEN now() END FROM generate_series(1, 17) AS n
       RETURNING id`,
    )
  ).map(({ id }) => id);
  const people = { ...ids, deleted, disabled };
  const groups: Record<string, MadeGroup> = {};
  for (const [state, { exists, of, members = [], rules: given = [] }] of Object.entries(STATES)) {
    const account = globalId('Account', strangers.pop());
    if (exists && of === undefined) {
      await app.sql('INSERT INTO permission_group (name, rules) VALUES ($1, $2)', [state, given]);
    }
    const [row] = await app.sql<{ id: number; name: string; rules: string[] }>(
      'SELECT id, name::text, rules FROM permission_group WHERE name = $1',
      [of ?? state],
    );
    const accounts = members.map((name) => people[name]);
    await app.sql('INSERT INTO group_member (group_id, account_id) SELECT $1, unnest($2::int[])', [row?.id, accounts]);
    const { id = 2_000_000_000, name = state, rules = [] } = row ?? {};
    groups[state] = { id: globalId('Group', id), name, rules, account };
  }
  return groups;
}

export const GROUP_TABLE: StateTable<GroupFacts, PersonRole, MadeGroup> = {
  ...{ kind: 'a group', roles: PEOPLE_RULES, states: STATES, make },
  actions: [
    nodeRow('Group', read),
    fieldRow('Group.members', read, ({ id }) => id, 'members { totalCount }'),
    fieldRow('Group.isGrantable', grantable, ({ id }) => id, 'isGrantable', {
      isShown: (value) => JSON.stringify(value).includes('true'),
    }),
    listRow('groups', list),
    mutationRow('removeGroupMember', change, ({ id, account }) => ({ group: id, account })),
    // To its present name.
    mutationRow('updateGroup', change, ({ id, name }) => ({ id, name })),
    mutationRow('updateGroup, of rules', change, ({ id, rules }) => ({ id, rules }), {
      states: ({ isMistaken }) => !isMistaken,
    }),
    mutationRow('addGroupMember', change, ({ id, account }) => ({ group: id, account })),
  ],
};
