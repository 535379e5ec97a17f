/* Canned responses. Nothing about one changes who may use it, so that few states exist. REST has none. */
import type { TestApp } from '../app.ts';
import { globalId } from '../global-ids.ts';
import { holds, PEOPLE_RULES, type PersonRole } from './state-roles.ts';
import { listRow, mutationRow, nodeRow, refused, type StateRule, type StateTable } from './state-table.ts';

interface CannedFacts {
  exists: boolean;
}

interface Canned {
  id: string;
}

const [PRESENT, MISSING] = [{ exists: true }, { exists: false }];
const STATES = {
  inOneLanguage: PRESENT,
  inSeveralLanguages: PRESENT,
  long: PRESENT,
  deleted: MISSING,
  unknown: MISSING,
};

type Rule = StateRule<CannedFacts, PersonRole>;

/** Reviewers of any kind, and keepers. */
const uses = (role: PersonRole) => role === 'reviewer' || holds(role, 'Admin:Review');
const read: Rule = ({ exists }, role) => (exists && uses(role) ? 200 : 404);
const list: Rule = ({ exists }, role) => (!uses(role) ? refused(role) : exists ? 200 : 404);
const change: Rule = ({ exists }, role) => (!holds(role, 'Admin:Review') ? refused(role) : exists ? 200 : 404);

async function add(app: TestApp, text: object = { 'en-US': 'x' }): Promise<number> {
  const [row] = await app.sql<{ id: number }>(
    "INSERT INTO canned_response (name, text) VALUES ('canned ' || gen_random_uuid(), $1) RETURNING id",
    [text],
  );
  return row?.id ?? 0;
}

const canned = (id: number): Canned => ({ id: globalId('CannedResponse', id) });

async function make(app: TestApp): Promise<Record<string, Canned>> {
  const deleted = await add(app);
  await app.sql('DELETE FROM canned_response WHERE id = $1', [deleted]);
  return {
    inOneLanguage: canned(await add(app)),
    inSeveralLanguages: canned(await add(app, { 'en-US': 'x', de: 'x', he: 'x' })),
    long: canned(await add(app, { 'en-US': 'x'.repeat(10_000) })),
    ...{ deleted: canned(deleted), unknown: canned(2_000_000_000) },
  };
}

export const CANNED_TABLE: StateTable<CannedFacts, PersonRole, Canned> = {
  ...{ kind: 'a canned response', roles: PEOPLE_RULES, states: STATES, make },
  actions: [
    nodeRow('CannedResponse', read),
    listRow('cannedResponses', list),
    mutationRow('updateCannedResponse', change),
    mutationRow('deleteCannedResponse', change, undefined, { spare: async (app) => canned(await add(app)) }),
  ],
};
