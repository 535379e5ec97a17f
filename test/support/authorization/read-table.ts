/* Reads the tables of test/authorization. Their notation is explained in the README.md of that folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROLE_SETS, type RoleSet } from './roles.ts';

/** A status of REST or pages, or the same as a code of GraphQL; 200 for all that is allowed, invalid input included. */
export type Outcome = 200 | 302 | 401 | 403 | 404;

/** What each role gets, by the name of the state of the object. */
export type ByState = ReadonlyMap<string, Readonly<Record<string, Outcome>>>;

/** The rows about objects of one kind. */
export interface Section {
  kind: string;
  by: RoleSet;
  states: readonly string[];
  actions: ReadonlyMap<string, ByState>;
}

type Names = readonly string[];

interface Draft {
  kind: string;
  by: RoleSet;
  /** Sets of states, and those of roles for a state, by name. */
  states: Map<string, Names>;
  roles: Map<string, (state: string) => Names>;
  actions: Map<string, Map<string, Record<string, Outcome>>>;
  /** What rows that are read next belong to: a set of roles by state, or the actions of a heading. */
  target: Map<string, Names> | string[];
}

const FOLDER = join(import.meta.dirname, '../../authorization');
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** The members of an expression: names of members and sets, from left to right; a minus removes. */
function membersOf(expression: string, known: (name: string) => Names): string[] {
  let members: string[] = [];
  for (const word of words(expression)) {
    const names = known(word.replace(/^-/, ''));
    members = members.filter((each) => !names.includes(each));
    if (!word.startsWith('-')) members.push(...names);
  }
  return members;
}

function statesOf({ states, kind }: Draft, expression: string): string[] {
  const all = states.get('all');
  return membersOf(expression, (name) => {
    const set = states.get(name);
    if (set === undefined && all && !all.includes(name)) throw new Error(`${kind} has no state ${name}.`);
    return set ?? [name];
  });
}

const rolesOf = ({ roles, by, kind }: Draft, expression: string, state: string): string[] =>
  membersOf(expression, (name) => {
    const set = roles.get(name)?.(state);
    if (set === undefined && !(name in ROLE_SETS[by])) throw new Error(`${kind} has no role ${name}.`);
    return set ?? [name];
  });

function draftOf(kind: string, by: string): Draft {
  if (!(by in ROLE_SETS)) throw new Error(`There are no roles ${by}.`);
  const everyone = Object.keys(ROLE_SETS[by as RoleSet]);
  const roles: [string, Names][] = [
    ['everyone', everyone],
    ['signedIn', everyone.filter((role) => role !== 'anonymous')],
    ['none', []],
  ];
  return {
    ...{ kind, by: by as RoleSet, states: new Map(), actions: new Map(), target: [] },
    roles: new Map(roles.map(([name, members]) => [name, () => members])),
  };
}

/** `roles NAME = …`, `roles NAME, by state` or `states NAME = …`. Returns whether the line is one of them. */
function readSet(draft: Draft, line: string): boolean {
  const [, of, name = '', expression] = /^(roles|states) (\w+)(?: = (.+)|, by state)$/.exec(line) ?? [];
  if (of === undefined) return false;
  if (of === 'states') draft.states.set(name, statesOf(draft, expression ?? ''));
  else if (expression !== undefined) draft.roles.set(name, (state) => rolesOf(draft, expression, state));
  else {
    const members = new Map<string, Names>();
    draft.target = members;
    draft.roles.set(name, (state) => members.get(state) ?? []);
  }
  return true;
}

const NUMBERS: readonly string[] = ['302', '401', '403', '404'];

/** What roles that are not allowed get: the first exception that has the role, or the outcome of all others. */
function refusalsOf(draft: Draft, text: string, state: string): (role: string) => Outcome {
  const [general = '', ...exceptions] = text.split(',').map((part) => part.trim());
  const special = exceptions.map((each) => {
    const [number = '', expression = ''] = each.split(': ');
    return { number, roles: rolesOf(draft, expression, state) };
  });
  return (role) => {
    const number = special.find(({ roles }) => roles.includes(role))?.number ?? general;
    if (number === '403 all') return 403;
    if (role === 'anonymous' && (number === '403' || number === '401/404')) return 401;
    const outcome = number === '401/404' ? '404' : number;
    if (!NUMBERS.includes(outcome)) throw new Error(`${draft.kind}, ${state}, ${role}: there is no outcome “${text}”.`);
    return Number(outcome) as Outcome;
  };
}

/** `states | roles that may | what others get` of actions, or `states | roles` of a set by state. */
function readRow(draft: Draft, line: string): void {
  const [stateText = '', allowedText = '', otherText = ''] = line.split('|').map((cell) => cell.trim());
  for (const state of statesOf(draft, stateText)) {
    const allowed = rolesOf(draft, allowedText, state);
    if (draft.target instanceof Map) {
      draft.target.set(state, allowed);
      continue;
    }
    const refusal = refusalsOf(draft, otherText, state);
    const outcomes = Object.keys(ROLE_SETS[draft.by]).map((role): [string, Outcome] => [
      role,
      allowed.includes(role) ? 200 : refusal(role),
    ]);
    for (const name of draft.target) {
      const action = draft.actions.get(name) ?? new Map<string, Record<string, Outcome>>();
      if (action.has(state)) throw new Error(`${draft.kind}: ${name} has two rows for ${state}.`);
      draft.actions.set(name, action.set(state, Object.fromEntries(outcomes)));
    }
  }
}

/** Adds the sections of a file. The only row of an action is on the line of its heading. A line that starts with four spaces continues the one before, a heading its semicolon. */
function readFile(text: string, drafts: Map<string, Draft>): void {
  let draft: Draft | undefined;
  const whole = text
    .replaceAll(/^--.*\n/gm, '')
    .replaceAll(/\n {4,}(?! )| *;\n/g, (end) => (end.includes(';') ? '; ' : ' '));
  for (const line of whole.split('\n')) {
    const [, kind, by] = /^# (.+), by (\w+)$/.exec(line) ?? [];
    if (kind !== undefined && by !== undefined) {
      draft = drafts.get(kind) ?? draftOf(kind, by);
      drafts.set(kind, draft);
    } else if (line !== '') {
      if (draft === undefined) throw new Error(`“${line}” is before the first section.`);
      const [heading = '', ...cells] = line.startsWith('  ') ? ['', line] : line.split(/ *\| */);
      if (heading !== '' && !readSet(draft, heading)) draft.target = heading.split('; ');
      if (cells.length > 0) readRow(draft, cells.join('|'));
    }
  }
}

function readSections(): Section[] {
  const drafts = new Map<string, Draft>();
  for (const name of readdirSync(FOLDER).sort()) {
    if (name.endsWith('.txt')) readFile(readFileSync(join(FOLDER, name), 'utf8'), drafts);
  }
  return [...drafts.values()].map((draft) => ({ ...draft, states: draft.states.get('all') ?? [] }));
}

/** The whole table. */
export const SECTIONS: readonly Section[] = readSections();

/** The rows about one kind of object. */
export function sectionOf(kind: string): Section {
  const section = SECTIONS.find((each) => each.kind === kind);
  if (section === undefined) throw new Error(`test/authorization has nothing about ${kind}.`);
  return section;
}
