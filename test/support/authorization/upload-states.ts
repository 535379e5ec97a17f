/*
 * Uploads by state. In REST an account finds its own ones; in GraphQL the identifier is the permission (the description of Upload), so
 * that the two differ.
 */
import { randomBytes } from 'node:crypto';
import type { TestApp } from '../app.ts';
import { type AddonFacts, addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import { PEOPLE_RULES, type PersonRole } from './state-roles.ts';
import { nodeOf, type StateRule, type StateTable } from './state-table.ts';

interface UploadFacts {
  owner: PersonRole | 'disabled' | null;
  stage?: string;
  isExpired?: true;
  /** The add-on of its version. */
  addon?: AddonFacts;
  /** Who sees the add-on, and who its files. */
  seesAddon: readonly PersonRole[];
  seesFiles: readonly PersonRole[];
}

interface MadeUpload {
  pk: string;
}

const waiting = (stage: string, owner: UploadFacts['owner'] = 'party'): UploadFacts => ({
  ...{ owner, stage, seesAddon: [], seesFiles: [] },
});
const submitted = (
  facts: AddonFacts,
  seesAddon: readonly PersonRole[],
  seesFiles: readonly PersonRole[] = ['party', 'reviewer', ...EDITORS],
): UploadFacts => ({ owner: 'party', addon: facts, seesAddon, seesFiles });

const EVERYONE = Object.keys(PEOPLE_RULES) as PersonRole[];
const EDITORS: readonly PersonRole[] = ['editor', 'everyEdit', 'root'];
const HIDDEN: readonly PersonRole[] = ['party', 'reviewer', ...EDITORS];
const AWAITING = { stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };

const STATES = {
  received: waiting('received'),
  validating: waiting('validating'),
  valid: waiting('valid'),
  invalid: waiting('invalid'),
  failed: waiting('error'),
  expired: { ...waiting('valid'), isExpired: true },
  ofReviewer: waiting('valid', 'reviewer'),
  ofAdministrator: waiting('valid', 'root'),
  ofDisabledAccount: waiting('valid', 'disabled'),
  public: submitted({}, EVERYONE),
  disabled: submitted({ status: 'disabled' }, HIDDEN),
  waiting: submitted({ status: 'nominated', versions: [AWAITING] }, HIDDEN),
  unlisted: submitted(
    { status: 'incomplete', versions: [{ channel: 'unlisted' }] },
    ['party', ...EDITORS],
    ['party', ...EDITORS],
  ),
  unknown: waiting('valid', null),
} as const satisfies Record<string, UploadFacts>;

type Rule = StateRule<UploadFacts, PersonRole>;

const isOwn = ({ owner }: UploadFacts, role: PersonRole) => owner === role;
const byIdentifier: Rule = ({ owner }) => (owner === null ? 404 : 200);
const own: Rule = (facts, role) => (isOwn(facts, role) ? 200 : 404);
const ownByRest: Rule = (facts, role) => (role === 'anonymous' ? 401 : own(facts, role));

async function make(app: TestApp, ids: Record<PersonRole, number>): Promise<Record<string, MadeUpload>> {
  const [disabled] = await app.sql<{ id: number }>(
    "INSERT INTO account (username, disabled_at) VALUES ('silent', now()) RETURNING id",
  );
  const { db } = await import('../../../src/infra/db.ts');
  const uploads: Record<string, MadeUpload> = {};
  const states: Record<string, UploadFacts> = STATES;
  for (const [name, { owner, stage, isExpired, addon: facts }] of Object.entries(states)) {
    const pk = randomBytes(16).toString('hex');
    uploads[name] = { pk };
    if (owner === null) continue;
    const made = facts && (await addon({ authors: [ids.party], ...facts }));
    const expires = new Date(Date.now() + (isExpired ? -1 : 1) * 86_400_000);
    const manifest = { guid: `${name}@example`, version: '1.0', type: 'extension', isVendorSigned: false };
    const place = made
      ? { addonId: made.id, versionId: made.versions[0]?.id ?? 0 }
      : { channel: 'listed', stage: stage ?? '', sha256: '0'.repeat(64), size: 1n, manifest, expires };
    const accountId = owner === 'disabled' ? (disabled?.id ?? 0) : ids[owner];
    await db.upload.create({ data: { pk, accountId, fileName: 'x.xpi', ...place } });
  }
  return uploads;
}

const uploadWith = (selection: string, isShown: (shown: unknown) => boolean) => ({
  field: 'upload',
  args: ({ pk }: MadeUpload) => ({ by: { id: globalId('Upload', pk) } }),
  selection: `{ shown: ${selection} }`,
  isShown: (value: unknown) => isShown((value as { shown?: unknown } | null)?.shown),
});

export const UPLOAD_TABLE: StateTable<UploadFacts, PersonRole, MadeUpload> = {
  ...{ kind: 'an upload', roles: PEOPLE_RULES, states: STATES, make },
  params: ({ pk }) => ({ uuid: pk }),
  actions: [
    { name: 'GET /addons/upload/:uuid/', rule: ownByRest },
    {
      ...{ name: 'GET /addons/upload/', rule: ownByRest },
      rest: { isShown: (json, { pk }) => JSON.stringify(json).includes(pk) },
    },
    { name: 'upload', rule: byIdentifier, graphql: uploadWith('id', (id) => id !== undefined) },
    { name: 'node, of an Upload', rule: byIdentifier, graphql: nodeOf(({ pk }) => globalId('Upload', pk)) },
    {
      ...{ name: 'upload, of the viewer', covers: ['Upload.isOwn'], rule: own },
      graphql: uploadWith('isOwn', (isShown) => isShown === true),
    },
    {
      ...{ name: 'upload, with its add-on', covers: ['Upload.addon'] },
      rule: ({ seesAddon }, role) => (seesAddon.includes(role) ? 200 : 404),
      graphql: uploadWith('addon { id }', (shown) => shown !== null && shown !== undefined),
    },
    {
      ...{ name: 'upload, with its files', covers: ['Upload.files'] },
      rule: ({ seesFiles }, role) => (seesFiles.includes(role) ? 200 : 404),
      graphql: uploadWith('files { id }', (shown) => Array.isArray(shown) && shown.length > 0),
    },
  ],
};
