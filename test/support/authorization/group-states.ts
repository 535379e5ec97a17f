/* Groups by state. There are none in REST, and no mutation deletes one. */
import type { TestApp } from '../app.ts';
import { globalId } from '../global-ids.ts';
import { HOLDERS, holds, PEOPLE_RULES, type PersonRole } from './state-roles.ts';
import { listRow, mutationRow, nodeOf, nodeRow, refused, type StateRule, type StateTable } from './state-table.ts';

interface GroupFacts {
  exists: boolean;
  /** Who may give and take its rules: those who hold them, and of wildcards only holders of `*:*` (createGroup). */
  grantedBy: readonly PersonRole[];
  /** Whether no rule of it has the form of one: no input can have them. */
  isMistaken?: true;
}

interface MadeGroup {
  id: string;
  name: string;
  rules: readonly string[];
  /** An account that is no member, of this group alone: a member has its rules. */
  account: string;
}

const granted = (...grantedBy: PersonRole[]): GroupFacts => ({ exists: true, grantedBy });
const ROOT = granted('root');

const STATES = {
  withoutRules: granted(...HOLDERS['Admin:Groups']),
  withMembers: granted(...HOLDERS['Admin:Groups']),
  withDeletedMember: granted(...HOLDERS['Admin:Groups']),
  withDisabledMember: granted(...HOLDERS['Admin:Groups']),
  // The groups of the viewers themselves.
  ofStranger: granted(...HOLDERS['Admin:Groups']),
  ofGroupAdmin: granted('groupAdmin', 'registrar', 'everyAdmin', 'root'),
  ofRegistrar: granted('registrar', 'root'),
  ofMailKeeper: granted('everyAdmin', 'root'),
  ofEveryAdmin: ROOT,
  // With its last member.
  administrators: ROOT,
  everyEdit: ROOT,
  partlyHeld: granted('everyAdmin', 'root'),
  ofUnknownApp: ROOT,
  mistaken: { ...ROOT, isMistaken: true },
  unknown: { exists: false, grantedBy: [] },
} as const satisfies Record<string, GroupFacts>;

type Rule = StateRule<GroupFacts, PersonRole>;

const isKeeper = (role: PersonRole) => holds(role, 'Admin:Groups');

const read: Rule = ({ exists }, role) => (exists && (isKeeper(role) || holds(role, 'Users:Edit')) ? 200 : 404);
const list: Rule = ({ exists }, role) => (!isKeeper(role) ? refused(role) : exists ? 200 : 404);
const change: Rule = ({ exists, grantedBy }, role) => {
  if (!isKeeper(role)) return refused(role);
  if (!exists) return 404;
  return grantedBy.includes(role) ? 200 : 403;
};

async function make(app: TestApp, ids: Record<PersonRole, number>): Promise<Record<string, MadeGroup>> {
  const own = await app.sql<{ name: string; id: number; rules: string[] }>(
    'SELECT name::text, id, rules FROM permission_group WHERE name = ANY($1)',
    [Object.keys(PEOPLE_RULES)],
  );
  const [deleted, disabled, ...strangers] = await app.sql<{ id: number }>(
    `INSERT INTO account (username, deleted_at, disabled_at)
     SELECT 'member-' || n, CASE n WHEN 1 THEN now() END, CASE n WHEN 2 THEN now() END FROM generate_series(1, 17) AS n
     RETURNING id`,
  );
  const nextAccount = () => globalId('Account', strangers.pop()?.id);
  const add = async (name: string, rules: string[], members: (number | undefined)[] = []): Promise<MadeGroup> => {
    const [row] = await app.sql<{ id: number }>(
      'INSERT INTO permission_group (name, rules) VALUES ($1, $2) RETURNING id',
      [name, rules],
    );
    await app.sql('INSERT INTO group_member (group_id, account_id) SELECT $1, unnest($2::int[])', [row?.id, members]);
    return { id: globalId('Group', row?.id), name, rules, account: nextAccount() };
  };
  const ownOf = (role: PersonRole): MadeGroup => {
    const found = own.find(({ name }) => name === role);
    return { id: globalId('Group', found?.id), name: role, rules: found?.rules ?? [], account: nextAccount() };
  };
  return {
    withoutRules: await add('without rules', []),
    withMembers: await add('with members', [], [ids.stranger, ids.party]),
    withDeletedMember: await add('with a deleted member', [], [deleted?.id]),
    withDisabledMember: await add('with a disabled member', [], [disabled?.id]),
    ...{ ofStranger: ownOf('stranger'), ofGroupAdmin: ownOf('groupAdmin'), ofRegistrar: ownOf('registrar') },
    ...{ ofMailKeeper: ownOf('mailKeeper'), ofEveryAdmin: ownOf('everyAdmin'), administrators: ownOf('root') },
    everyEdit: ownOf('everyEdit'),
    partlyHeld: await add('partly held', ['Admin:Groups', 'Admin:Mail']),
    ofUnknownApp: await add('of an unknown app', ['Forum:Edit']),
    mistaken: ownOf('mistaken'),
    unknown: { id: globalId('Group', 2_000_000_000), name: 'unknown', rules: [], account: nextAccount() },
  };
}

export const GROUP_TABLE: StateTable<GroupFacts, PersonRole, MadeGroup> = {
  ...{ kind: 'a group', roles: PEOPLE_RULES, states: STATES, make },
  actions: [
    nodeRow('Group', read),
    {
      name: 'node, of a Group, with its members',
      rule: read,
      graphql: nodeOf(({ id }) => id, 'Group', 'members { totalCount }'),
    },
    {
      ...{ name: 'node, of a Group, that the viewer may change', covers: ['Group.isGrantable'] },
      rule: (facts, role) => (change(facts, role) === 200 ? 200 : 404),
      graphql: {
        ...nodeOf<MadeGroup>(({ id }) => id, 'Group', 'isGrantable'),
        isShown: (value) => JSON.stringify(value).includes('true'),
      },
    },
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
