/* An add-on in each state, with what every action of its table needs. */
import type { TestApp } from '../app.ts';
import { type AddonFacts, addon, type MadeAddon } from '../factories.ts';
import { xpi } from '../packages.ts';
import { storePackage } from '../store-package.ts';
import { markStored } from '../stored-files.ts';
import { type ObjectState, ROLES, type Role, STATE_NAMES, STATES, type StateName } from './addon-states.ts';

export interface AddonWorld {
  authors: readonly number[];
  /** By version id: a review note, and the `pk` of its upload. */
  notes: ReadonlyMap<number, number>;
  uploads: ReadonlyMap<number, string>;
  /** By add-on id: its previews. By version id: its licence, which no other has. */
  previews: ReadonlyMap<number, readonly number[]>;
  licenses: ReadonlyMap<number, number>;
  /** The `pk` of a valid upload of each signed-in role that is not submitted. */
  waitingUploads: Record<Role, string>;
}

/** A state with its name. */
export interface AddonState extends ObjectState {
  name: StateName;
}

/** The object of an action. `version` is the newest one; 0 without one. */
export interface Target {
  addon: MadeAddon;
  facts: AddonFacts;
  version: number;
  file: number;
  world: AddonWorld;
}

export const ADDON_STATES = Object.fromEntries(
  STATE_NAMES.map((name): [string, AddonState] => [name, { name, ...STATES[name] }]),
);

/** The number of the newest version. */
export const newest = ({ addon: { versions } }: Target): string => `${versions.length}.0`;

/** The parameters in paths. */
export const paramsOf = (target: Target) => {
  const { addon: made, version, file, world } = target;
  return {
    ...{ addon: made.id, guid: made.guid, version_id: version, version_ref: version, file_id: file },
    ...{
      version: newest(target),
      range: `${newest(target)}...${newest(target)}`,
      base_filename: 'x.xpi',
      ref: target.facts.slug === null ? made.id : made.slug,
    },
    ...{ note_id: world.notes.get(version) ?? 0, pk: world.uploads.get(version) ?? '' },
  };
};

function targetOf(made: MadeAddon, facts: AddonFacts, world: AddonWorld): Target {
  const newestVersion = made.versions.at(-1);
  return {
    ...{ addon: made, facts, world },
    ...{ version: newestVersion?.id ?? 0, file: newestVersion?.files[0]?.id ?? 0 },
  };
}

/** A further add-on in this state, for an action that changes it. */
export async function spareAddon(_app: TestApp, { facts }: AddonState, { world }: Target): Promise<Target> {
  return targetOf(await addon({ authors: [...world.authors], ...facts }), facts, world);
}

/** One to look at, and one for each role that may delete one. */
const PREVIEWS = [{}, {}, {}, {}, {}];

/** The add-ons by state. */
export async function makeAddons(app: TestApp, ids: Record<Role, number>): Promise<Record<string, Target>> {
  const authors = [ids.owner, ids.developer];
  const addons = new Map<StateName, MadeAddon>();
  for (const name of STATE_NAMES) {
    addons.set(name, await addon({ authors, previews: PREVIEWS, ...STATES[name].facts }));
  }
  await markStored(app);
  const { originalSha256 } = await storePackage(await xpi());
  await app.sql('UPDATE file SET original_sha256 = $1', [originalSha256]);
  await app.sql(
    `INSERT INTO author_invitation (addon_id, account_id, role, listed, invited_by, expires)
     SELECT id, $1, 'owner', true, $2, now() + interval '1 day' FROM addon`,
    [ids.invited, ids.owner],
  );
  await app.sql(
    `INSERT INTO version_source (version_id, name, size, sha256) SELECT id, 'source.zip', 1, $1 FROM version`,
    [originalSha256],
  );
  const notes = await app.sql<{ key: number; value: number }>(
    `INSERT INTO activity (action, addon_id, version_id, comments, details)
     SELECT 'review-note', addon_id, id, 'x', '{}' FROM version RETURNING version_id AS key, id AS value`,
  );
  const licenses = await addLicenses(app);
  const previews = await app.sql<{ addon: number; id: number }>(
    'SELECT addon_id AS addon, id FROM preview ORDER BY id',
  );
  const uploads = await app.sql<{ key: number; value: string }>(
    `INSERT INTO upload (pk, addon_id, version_id, account_id, file_name, validation)
     SELECT md5(random()::text), addon_id, id, $1, 'x.xpi', '{"errors":0,"notices":0,"warnings":0,"messages":[]}' FROM version RETURNING version_id AS key, pk AS value`,
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
  const world: AddonWorld = {
    ...{ authors, licenses },
    notes: new Map(notes.map(({ key, value }) => [key, value])),
    previews: new Map(
      [...Map.groupBy(previews, ({ addon: id }) => id)].map(([id, rows]) => [id, rows.map((row) => row.id)]),
    ),
    uploads: new Map(uploads.map(({ key, value }) => [key, value])),
    waitingUploads: byRole((role) => pks.get(ids[role]) ?? '0'.repeat(32)),
  };
  return Object.fromEntries([...addons].map(([name, made]) => [name, targetOf(made, STATES[name].facts, world)]));
}

/** Gives each version a licence of its own. */
async function addLicenses(app: TestApp): Promise<ReadonlyMap<number, number>> {
  const { db } = await import('../../../src/infra/db.ts');
  const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
  const versions = await db.version.findMany({ select: { id: true, addonId: true } });
  for (const { id } of versions) {
    await db.version.update({ where: { id }, data: { license: { create: { name: { 'en-US': 'Own terms' } } } } });
  }
  await db.$transaction((tx) => publishAddons(tx, [...new Set(versions.map(({ addonId }) => addonId))]));
  const rows = await app.sql<{ id: number; license: number }>('SELECT id, license_id AS license FROM version');
  return new Map(rows.map(({ id, license }) => [id, license]));
}
