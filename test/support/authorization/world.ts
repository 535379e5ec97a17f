/* The roles and objects that the authorization tables are about. */
import { Readable } from 'node:stream';
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { TestApp } from '../app.ts';
import type { Client } from '../client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../factories.ts';
import { xpi } from '../packages.ts';

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
  disabledByDeveloper: { isDisabledByDeveloper: true },
  waiting: { status: 'nominated', versions: [{ stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] }] },
  unlisted: { status: 'incomplete', versions: [{ channel: 'unlisted' }] },
  deleted: { status: 'deleted', deletedAt: new Date() },
} as const satisfies Record<string, AddonFacts>;

export type State = keyof typeof STATES;

export interface World {
  app: TestApp;
  clients: Record<Role, Client>;
  viewers: Record<Role, Viewer>;
  addons: Record<State, MadeAddon>;
  /** An upload of the owner that waits for validation. */
  upload: { guid: string; pk: string; fileId: number };
  /** A review note of the version of the waiting add-on. */
  noteId: number;
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
  const noteId = await addNote(app, addons.waiting as MadeAddon);
  return {
    ...{ upload: await addUpload(app, known), noteId },
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

async function addUpload(app: TestApp, { owner, developer }: Record<Role, Client>): Promise<World['upload']> {
  const guid = 'uploaded@example';
  const upload = await xpi({ guid, version: '1.0' });
  const { json } = await owner.put(`/api/v4/addons/${guid}/versions/1.0/`, { upload });
  const { db } = await import('../../../src/infra/db.ts');
  const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
  await db.$transaction(async (tx) => {
    const { id } = await tx.addon.findUniqueOrThrow({ where: { guid }, select: { id: true } });
    const data = { addonId: id, accountId: developer.accountId ?? 0, role: 'developer', position: 1 };
    await tx.addonAuthor.create({ data });
    await publishAddons(tx, [id]);
  });
  const [file] = await app.sql<{ id: number }>(
    'select f.id from file f join version v on v.id = f.version_id join addon a on a.id = v.addon_id where a.guid = $1',
    [guid],
  );
  return { guid, pk: (json as { pk: string }).pk, fileId: file?.id ?? 0 };
}

async function addNote(app: TestApp, { id, versions: [version] }: MadeAddon): Promise<number> {
  const [note] = await app.sql<{ id: string }>(
    `insert into activity (action, addon_id, version_id, comments, details)
     select 'review-note', $1, $2, 'x', '{}' returning id`,
    [id, version?.id],
  );
  return Number(note?.id);
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
export const AUTHORS: Role[] = ['owner', 'developer'];
export const EDITORS: Role[] = [...AUTHORS, 'editor', 'root'];
/** Who sees what is not public of listed versions of extensions. */
export const INSPECTORS: Role[] = ['reviewer', 'contentReviewer', 'archivist', 'root'];

/** A file that no operation accepts. */
export const badFile = async () => ({ fileName: 'x', mimeType: 'x/x', open: () => Readable.from(['x']) });
