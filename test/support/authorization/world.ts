/* The roles and objects that the authorization tables are about. */
import { Readable } from 'node:stream';
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { TestApp } from '../app.ts';
import type { Client } from '../client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../factories.ts';

/** The permission rules of each role; null for anonymous clients. `owner` and `developer` are authors of every add-on. */
export const RULES = {
  anonymous: null,
  stranger: [],
  owner: [],
  developer: [],
  reviewer: ['Addons:Review'],
  contentReviewer: ['Addons:ContentReview'],
  themeReviewer: ['Addons:ThemeReview'],
  personaReviewer: ['Personas:Review'],
  unlistedReviewer: ['Addons:ReviewUnlisted'],
  archivist: ['Addons:Review', 'Addons:ViewDeleted'],
  editor: ['Addons:Edit'],
  accountAdmin: ['Users:Edit'],
  creator: ['Accounts:SuperCreate'],
  moderator: ['AbuseReports:Edit'],
  curator: ['Admin:Curation'],
  catalogueKeeper: ['Admin:Catalogue'],
  groupAdmin: ['Admin:Groups'],
  auditor: ['Admin:Audit'],
  mailKeeper: ['Admin:Mail'],
  operator: ['Admin:Service'],
  chief: ['Admin:Review'],
  root: ['*:*'],
} as const;

export type Role = keyof typeof RULES;
export const ROLE_NAMES = Object.keys(RULES) as Role[];

/** The states of an add-on. All are extensions. */
const STATES = {
  public: {},
  waiting: { status: 'nominated', versions: [{ stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] }] },
  deleted: { status: 'deleted', deletedAt: new Date() },
} as const satisfies Record<string, AddonFacts>;

export type State = keyof typeof STATES;

export interface World {
  app: TestApp;
  clients: Record<Role, Client>;
  viewers: Record<Role, Viewer>;
  addons: Record<State, MadeAddon>;
  /** A further add-on in this state. */
  addon(state: State): Promise<MadeAddon>;
  /** The id of a further account without public add-ons. */
  account(): Promise<number>;
  /** The id of a further group with these rules. */
  group(...rules: string[]): Promise<number>;
  /** The id of a further abuse report. */
  report(): Promise<number>;
}

export async function makeWorld(app: TestApp): Promise<World> {
  const clients: Partial<Record<Role, Client>> = {};
  for (const role of ROLE_NAMES) {
    const rules = RULES[role];
    clients[role] = rules === null ? app.anonymous : await app.memberWith(...rules);
  }
  const known = clients as Record<Role, Client>;
  const authors = [known.owner.accountId ?? 0, known.developer.accountId ?? 0];
  const make = (state: State) => addon({ authors, ...STATES[state] } as AddonFacts);
  const addons: Partial<Record<State, MadeAddon>> = {};
  for (const state of Object.keys(STATES) as State[]) addons[state] = await make(state);
  const viewers = Object.fromEntries(ROLE_NAMES.map((role) => [role, viewerOf(role, known[role])]));
  return {
    ...{ app, clients: known, viewers: viewers as Record<Role, Viewer> },
    ...{ addons: addons as Record<State, MadeAddon>, addon: make },
    account: async () => (await app.developer()).accountId ?? 0,
    group: (...rules) =>
      newId(app, `insert into permission_group (name, rules) values ('group ' || gen_random_uuid(), $1) returning id`, [
        rules,
      ]),
    report: () =>
      newId(app, `insert into abuse_report (addon_guid, message) values ('x@example', 'x') returning id`, []),
  };
}

async function newId(app: TestApp, insert: string, values: unknown[]): Promise<number> {
  const [row] = await app.sql<{ id: number }>(insert, values);
  return Number(row?.id);
}

function viewerOf(role: Role, { accountId }: Client): Viewer {
  const rules = RULES[role];
  if (rules === null || accountId === null) return { kind: 'anonymous' };
  return {
    kind: 'account',
    accountId,
    username: role,
    rules,
    via: { scheme: 'bearer', tokenId: 1, signedInAt: new Date() },
  };
}

/** Every role but these. */
const except = (...roles: Role[]): Role[] => ROLE_NAMES.filter((role) => !roles.includes(role));

export const EVERYONE = ROLE_NAMES;
export const SIGNED_IN = except('anonymous');

/** A file that no operation accepts. */
export const badFile = async () => ({ fileName: 'x', mimeType: 'x/x', open: () => Readable.from(['x']) });
