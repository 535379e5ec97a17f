/* An add-on in each state, with what every action of the table of object states needs, and the viewers of all roles. */

import type { Viewer } from '../../../src/auth/viewer.ts';
import type { TestApp } from '../app.ts';
import { addon, type MadeAddon } from '../factories.ts';
import { markStored } from '../stored-files.ts';
import { ROLES, type Role, RULES, STATE_NAMES, STATES, type StateName } from './object-states.ts';

export interface ObjectWorld {
  viewers: Record<Role, Viewer>;
  addons: Record<StateName, MadeAddon>;
  /** By version id: a review note, and the `pk` of its upload. */
  notes: ReadonlyMap<number, number>;
  uploads: ReadonlyMap<number, string>;
  /** The `pk` of a valid upload of each signed-in role that is not submitted. */
  waitingUploads: Record<Role, string>;
}

export async function makeObjectWorld(app: TestApp): Promise<ObjectWorld> {
  const ids = await addAccounts(app);
  const authors = [ids.owner, ids.developer];
  const addons: Partial<Record<StateName, MadeAddon>> = {};
  for (const name of STATE_NAMES) addons[name] = await addon({ authors, ...STATES[name].facts });
  await markStored(app);
  await app.sql(
    `INSERT INTO version_source (version_id, name, size, sha256) SELECT id, 'source.zip', 1, repeat('0', 64) FROM version`,
  );
  const notes = await app.sql<{ key: number; value: number }>(
    `INSERT INTO activity (action, addon_id, version_id, comments, details)
     SELECT 'review-note', addon_id, id, 'x', '{}' FROM version RETURNING version_id AS key, id AS value`,
  );
  const uploads = await app.sql<{ key: number; value: string }>(
    `INSERT INTO upload (pk, addon_id, version_id, account_id, file_name)
     SELECT md5(random()::text), addon_id, id, $1, 'x.xpi' FROM version RETURNING version_id AS key, pk AS value`,
    [ids.owner],
  );
  const waiting = await app.sql<{ key: number; value: string }>(
    `INSERT INTO upload (pk, account_id, file_name, channel, stage, sha256, size, manifest, expires)
     SELECT md5(random()::text), id, 'x.xpi', 'listed', 'valid', repeat('0', 64), 1, $2, now() + interval '1 day'
     FROM unnest($1::int[]) AS id RETURNING account_id AS key, pk AS value`,
    [Object.values(ids), { guid: 'other@example', version: '9.0', isVendorSigned: false }],
  );
  const pks = new Map(waiting.map(({ key, value }) => [key, value]));
  const byRole = <Value>(of: (role: Role) => Value) =>
    Object.fromEntries(ROLES.map((role) => [role, of(role)])) as Record<Role, Value>;
  return {
    viewers: byRole((role) => viewerOf(role, ids[role])),
    addons: addons as Record<StateName, MadeAddon>,
    notes: new Map(notes.map(({ key, value }) => [key, value])),
    uploads: new Map(uploads.map(({ key, value }) => [key, value])),
    waitingUploads: byRole((role) => pks.get(ids[role]) ?? '0'.repeat(32)),
  };
}

/** The ids of the accounts by role; anonymous has one too, which no viewer uses. */
async function addAccounts(app: TestApp): Promise<Record<Role, number>> {
  const accounts = await app.sql<{ role: Role; id: number }>(
    `INSERT INTO account (username, email) SELECT role, role || '@example.org' FROM unnest($1::text[]) AS role
     RETURNING username AS role, id`,
    [ROLES],
  );
  for (const { role, id } of accounts) {
    await app.sql(
      `WITH g AS (INSERT INTO permission_group (name, rules) VALUES ($1, $2) RETURNING id)
       INSERT INTO group_member (group_id, account_id) SELECT id, $3 FROM g`,
      [role, RULES[role] ?? [], id],
    );
  }
  return Object.fromEntries(accounts.map(({ role, id }) => [role, id])) as Record<Role, number>;
}

function viewerOf(role: Role, accountId: number): Viewer {
  const rules = RULES[role];
  if (rules === null) return { kind: 'anonymous' };
  return { kind: 'account', accountId, username: role, rules, via: { scheme: 'bearer', tokenId: 1 } };
}
