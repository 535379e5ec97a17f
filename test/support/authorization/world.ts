/* Clients of the roles that administer the service, and what they act on. */
import { Readable } from 'node:stream';
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { TestApp } from '../app.ts';
import type { Client } from '../client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../factories.ts';
import { ROLE_SETS } from './roles.ts';

const RULES = ROLE_SETS.staff;
export type StaffRole = keyof typeof RULES;
export const STAFF_ROLES = Object.keys(RULES) as StaffRole[];

/** The states of an add-on. All are extensions. */
const STATES = {
  public: {},
  waiting: { status: 'nominated', versions: [{ stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] }] },
  deleted: { status: 'deleted', deletedAt: new Date() },
} as const satisfies Record<string, AddonFacts>;

export type State = keyof typeof STATES;

export interface World {
  app: TestApp;
  clients: Record<StaffRole, Client>;
  viewers: Record<StaffRole, Viewer>;
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
  const clients: Partial<Record<StaffRole, Client>> = {};
  for (const role of STAFF_ROLES) {
    const rules = RULES[role];
    clients[role] = rules === null ? app.anonymous : await app.memberWith(...rules);
  }
  const known = clients as Record<StaffRole, Client>;
  const authors = [known.owner.accountId ?? 0, known.developer.accountId ?? 0];
  const make = (state: State) => addon({ authors, ...STATES[state] } as AddonFacts);
  const addons: Partial<Record<State, MadeAddon>> = {};
  for (const state of Object.keys(STATES) as State[]) addons[state] = await make(state);
  const viewers = Object.fromEntries(STAFF_ROLES.map((role) => [role, viewerOf(role, known[role])]));
  return {
    ...{ app, clients: known, viewers: viewers as Record<StaffRole, Viewer> },
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

function viewerOf(role: StaffRole, { accountId }: Client): Viewer {
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

/** A file that no operation accepts. */
export const badFile = async () => ({ fileName: 'x', mimeType: 'x/x', open: () => Readable.from(['x']) });
