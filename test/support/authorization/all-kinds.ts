/* The kinds of objects, with the actions that test/authorization has about each. */
import { ACCOUNT, INVITATION } from './kinds/accounts.ts';
import { ADDON } from './kinds/addons.ts';
import { ADDRESS_OF_UPDATES, KEY, SESSION, UPLOAD } from './kinds/credentials.ts';
import { LINE_COMMENT, NOTE, QUEUE } from './kinds/reviewing.ts';
import { CANNED, GROUP, MAIL, REPORT, REPORT_TARGET } from './kinds/staff.ts';
import { COLLECTION, RATING } from './kinds/visitors.ts';
import { WEBHOOK } from './kinds/webhooks.ts';
import type { Act, AnyKind } from './kinds.ts';
import { type ByState, sectionOf } from './read-table.ts';
import { ROLE_SETS, type RoleRules } from './roles.ts';

/** An action on objects of a kind, with the outcomes that the table has. */
export interface Action {
  name: string;
  act: Act;
  outcomes: ByState;
}

/** A kind with its part of the table. */
export interface Table {
  kind: AnyKind;
  roles: RoleRules;
  /** In the order in which they are tried. */
  actions: readonly Action[];
}

function tableOf(kind: AnyKind): Table {
  const { by, states, actions: rows } = sectionOf(kind.kind);
  const [acts, made] = [kind.acts ?? {}, Object.keys(kind.states)];
  const unknown = [
    ...Object.keys(acts).filter((name) => !rows.has(name)),
    ...made.filter((state) => !states.includes(state)),
    ...states.filter((state) => !made.includes(state)),
  ];
  if (unknown.length > 0) throw new Error(`The table and the code about ${kind.kind} do not both have ${unknown}.`);
  const names = [...[...rows.keys()].filter((name) => !(name in acts)), ...Object.keys(acts)];
  const actions = names.map((name) => ({ name, act: acts[name] ?? {}, outcomes: rows.get(name) ?? new Map() }));
  return { kind, roles: ROLE_SETS[by] as RoleRules, actions };
}

export const TABLES: readonly Table[] = [
  ...[
    ADDON,
    ACCOUNT,
    REPORT,
    REPORT_TARGET,
    GROUP,
    MAIL,
    KEY,
    SESSION,
    ADDRESS_OF_UPDATES,
    UPLOAD,
    CANNED,
    NOTE,
    QUEUE,
  ],
  ...[INVITATION, LINE_COMMENT, RATING, WEBHOOK, COLLECTION],
].map(tableOf);
