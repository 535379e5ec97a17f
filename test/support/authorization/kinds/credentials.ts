/* API keys, sessions and update addresses, which REST has not, and uploads. */
import { randomBytes } from 'node:crypto';
import { type AddonFacts, addon } from '../../factories.ts';
import { globalId } from '../../global-ids.ts';
import {
  DELETED,
  DISABLED,
  hasId,
  isTrue,
  kind,
  LATER,
  type Made,
  PAST,
  type Tools,
  UNKNOWN,
  UNLISTED,
  WAITING,
} from '../kinds.ts';
import type { Role } from '../roles.ts';

type Owner = 'party' | 'root' | 'reviewer' | 'accountAdmin' | 'disabled' | 'deleted';

interface Credential {
  of: Owner;
  columns?: Readonly<Record<string, unknown>>;
  isOfPages?: true;
}

const of = (owner: Owner, columns: Credential['columns'] = {}): Credential => ({ of: owner, columns });

/** Adds a row that belongs to a person; no row for an unknown one. */
async function credential(
  { insert, person }: Tools,
  { type, table, columns }: { type: string; table: string; columns: Credential['columns'] },
  facts: Credential | null,
): Promise<Made & { row: number }> {
  const owner = await person(facts?.of ?? 'stranger');
  const row = facts === null ? UNKNOWN : await insert(table, { account_id: owner, ...columns, ...facts.columns });
  return { row, id: globalId(type, row), nodes: { Account: globalId('Account', owner) } };
}

export const KEY = kind<Credential | null>({
  kind: 'an API key',
  states: {
    unused: of('party'),
    used: of('party', { last_used: new Date() }),
    labelled: of('party', { label: 'x' }),
    expiring: of('party', { expires: LATER }),
    expired: of('party', { expires: PAST }),
    revoked: of('party', { revoked_at: PAST }),
    revokedAndExpired: of('party', { revoked_at: PAST, expires: PAST }),
    ofReviewer: of('reviewer'),
    ofAccountAdministrator: of('accountAdmin'),
    ofAdministrator: of('root'),
    ofDisabledAccount: of('disabled'),
    // Deletion of an account keeps its keys, revoked.
    ofDeletedAccount: of('deleted', { revoked_at: PAST }),
    unknown: null,
  },
  make: (facts, tools, state) => {
    const columns = { key: `key-${state}`, sealed_secret: Buffer.from('x') };
    return credential(tools, { type: 'ApiKey', table: 'api_key', columns }, facts);
  },
  acts: {
    'Account.private, with its keys': { selection: 'private { apiKeys { id } }', isShown: hasId },
    revokeApiKey: {},
  },
});

export const SESSION = kind<Credential | null>({
  kind: 'a session',
  states: {
    unused: of('party'),
    used: of('party', { last_used: new Date() }),
    ofPages: { of: 'party', isOfPages: true },
    madeByOperator: of('party', { label: 'x' }),
    expired: of('party', { expires: PAST }),
    ended: of('party', { revoked_at: PAST }),
    endedAndExpired: of('party', { revoked_at: PAST, expires: PAST }),
    ofReviewer: of('reviewer'),
    ofAccountAdministrator: of('accountAdmin'),
    ofAdministrator: of('root'),
    ofDisabledAccount: of('disabled'),
    ofDisabledAccountOnPages: { of: 'disabled', isOfPages: true },
    unknown: null,
  },
  make: async (facts, tools) => {
    const columns = { hash: randomBytes(32), expires: LATER };
    const made = await credential(tools, { type: 'Session', table: 'access_token', columns }, facts);
    const pages = { access_token_id: made.row, hash: randomBytes(32), expires: LATER };
    if (facts?.isOfPages) await tools.insert('page_session', pages);
    return made;
  },
  acts: {
    'Account.private, with its sessions': { selection: 'private { sessions { id } }', isShown: hasId },
    'Account.private, with its groups': {
      ...{ covers: ['AccountPrivate.groups'], selection: 'private { groups { id } }' },
      isShown: (value) => JSON.stringify(value).includes('"groups":['),
    },
    // Every role that may ends it; the next one ends it once more.
    endSession: {},
  },
});

interface AddressFacts {
  by: 'party' | 'stranger' | 'reviewer';
  /** The add-on with its guid, and whether it was made later. */
  addon?: AddonFacts;
  isLater?: true;
  isEnded?: true;
}

const ofParty = (facts?: AddonFacts): AddressFacts => ({ by: 'party', ...(facts && { addon: facts }) });

export const ADDRESS_OF_UPDATES = kind<AddressFacts | null>({
  kind: 'an update address',
  states: {
    ofUnlisted: ofParty(UNLISTED),
    ofListed: ofParty({}),
    ofDisabled: ofParty({ ...UNLISTED, status: 'disabled' }),
    ofDisabledByDevelopers: ofParty({ isDisabledByDeveloper: true }),
    ofDeleted: ofParty(DELETED),
    ofOtherAuthor: { by: 'reviewer', addon: UNLISTED },
    ofFormerAuthor: { by: 'stranger', addon: UNLISTED },
    madeBeforeOwnAddon: { ...ofParty(UNLISTED), isLater: true },
    // Another account was the first to create the add-on.
    madeBeforeOtherAddon: { by: 'stranger', addon: UNLISTED, isLater: true },
    withoutAddon: ofParty(),
    ended: { ...ofParty(UNLISTED), isEnded: true },
    endedWithoutAddon: { ...ofParty(), isEnded: true },
    unknown: null,
  },
  make: async (facts, { insert, idOf }, state) => {
    const { by = 'party', addon: of, isLater, isEnded } = facts ?? {};
    const authors = [idOf('party'), ...(by === 'reviewer' ? [idOf('reviewer')] : [])];
    const made = of && (await addon({ authors, ...of }));
    const account_id = idOf(by);
    const addon_id = isLater ? null : (made?.id ?? null);
    const columns = {
      guid: made?.guid ?? `${state}@example`,
      account_id,
      addon_id,
      ended: isEnded ? new Date() : null,
    };
    const key = { key_hash: randomBytes(32).toString('hex') };
    return {
      id: globalId('UpdateAddress', facts === null ? UNKNOWN : await insert('update_address', { ...columns, ...key })),
      nodes: { Account: globalId('Account', account_id), Addon: globalId('Addon', made?.id ?? UNKNOWN) },
    };
  },
  acts: {
    'Addon.updateAddresses, with the address': { isShown: hasId },
    'Account.private, with its addresses': { selection: 'private { updateAddresses { id } }', isShown: hasId },
    endUpdateAddress: {},
  },
});

interface UploadFacts {
  of: Role | 'disabled';
  stage?: string;
  isExpired?: true;
  /** The add-on of its version. */
  addon?: AddonFacts;
}

interface Upload extends Made {
  pk: string;
}

const submitted = (facts: AddonFacts): UploadFacts => ({ of: 'party', addon: facts });
const uploadOf = ({ pk }: Upload) => ({ by: { id: globalId('Upload', pk) } });
const shownOf = (value: unknown): unknown => (value as { shown?: unknown } | null)?.shown ?? null;

export const UPLOAD = kind<UploadFacts | null, Upload>({
  kind: 'an upload',
  states: {
    received: { of: 'party', stage: 'received' },
    validating: { of: 'party', stage: 'validating' },
    valid: { of: 'party' },
    invalid: { of: 'party', stage: 'invalid' },
    failed: { of: 'party', stage: 'error' },
    expired: { of: 'party', isExpired: true },
    ofReviewer: { of: 'reviewer' },
    ofAdministrator: { of: 'root' },
    ofDisabledAccount: { of: 'disabled' },
    public: submitted({}),
    disabled: submitted(DISABLED),
    waiting: submitted(WAITING),
    unlisted: submitted(UNLISTED),
    unknown: null,
  },
  make: async (facts, { insert, person, idOf }, state) => {
    const pk = randomBytes(16).toString('hex');
    const made = { pk, id: globalId('Upload', pk), params: { uuid: pk } };
    if (facts === null) return made;
    const { of: owner, stage = 'valid', isExpired, addon: of } = facts;
    const submission = of && (await addon({ authors: [idOf('party')], ...of }));
    const expires = new Date(Date.now() + (isExpired ? -1 : 1) * 86_400_000);
    const manifest = { guid: `${state}@example`, version: '1.0', type: 'extension', isVendorSigned: false };
    const place = submission
      ? { addon_id: submission.id, version_id: submission.versions[0]?.id }
      : { channel: 'listed', stage, sha256: '0'.repeat(64), size: 1, manifest, expires };
    await insert('upload', { pk, account_id: await person(owner), file_name: 'x.xpi', ...place });
    return made;
  },
  acts: {
    'GET /addons/upload/': { isShown: (json, { pk }) => JSON.stringify(json).includes(pk) },
    upload: { args: uploadOf, selection: '{ id }' },
    'upload, of the viewer': {
      ...{ covers: ['Upload.isOwn'], args: uploadOf, selection: '{ shown: isOwn }' },
      isShown: (value) => isTrue(shownOf(value)),
    },
    'upload, with its add-on': {
      ...{ covers: ['Upload.addon'], args: uploadOf, selection: '{ shown: addon { id } }' },
      isShown: (value) => shownOf(value) !== null,
    },
    'upload, with its files': {
      ...{ covers: ['Upload.files'], args: uploadOf, selection: '{ shown: files { id } }' },
      isShown: (value) => ((shownOf(value) ?? []) as unknown[]).length > 0,
    },
  },
});
