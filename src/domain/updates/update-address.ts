import { randomBytes } from 'node:crypto';
import { canEditAddon, isAuthor, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError, NotPermittedError, refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { mutation } from '../../graphql/mutation.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { isGuid } from '../../package/manifest/identity.ts';
import { message } from '../../texts/messages.ts';
import { AccountPrivate } from '../accounts/account.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { Addon } from '../addons/addon.ts';
import { updateManifestUrl } from '../addons/addresses.ts';
import { addonRights, NO_ADDON } from '../addons/find-addon.ts';
import { recordAddonDecision } from '../addons/record-addon-act.ts';
import { recordStaffAct } from '../mail/record-staff-act.ts';
import { type AddressRow, addressesById, addressesOfAddons, hashOfKey, unusedAddresses } from './address-rows.ts';

/** Working addresses of one account for one guid. */
const MAX_ADDRESSES = 20;
/** Working addresses of one account for add-ons that do not exist. */
const MAX_UNUSED_ADDRESSES = 100;

const KEY_BYTES = 16;

/** A new address: the only time that its URL is known. */
interface NewAddress {
  id: number;
  url: string;
}

/**
 * Makes an address at which installed copies of an unlisted add-on look for updates. Its key is shown once. Authors make addresses of
 * their add-ons; any account may make one for a guid that does not exist, which works once the account has created the add-on.
 * @throws {NotAuthenticatedError}, {ThrottledError}, {NotPermittedError} for add-ons of others, {InvalidInputError} on `guid` for an
 * invalid guid and above the number of addresses.
 */
async function createUpdateAddress(viewer: Viewer, guid: string): Promise<NewAddress> {
  const account = requireSignedIn(viewer);
  await consumeLimit('update-address-hour', account.accountId);
  const key = randomBytes(KEY_BYTES).toString('hex');
  return db.$transaction(async (tx) => {
    const addon = await ownAddon(tx, viewer, guid);
    await requireRoom(tx, account.accountId, addon);
    const data = { guid: addon.guid, accountId: account.accountId, addonId: addon.id, keyHash: hashOfKey(key) };
    const { id } = await tx.updateAddress.create({ data, select: { id: true } });
    const details = { guid: addon.guid, address: id };
    const action = 'update-address-created';
    await recordActivity(tx, { action, accountId: account.accountId, addonId: addon.id, details });
    await recordAudit(tx, account, action, details);
    return { id, url: updateManifestUrl(guid, key) };
  });
}

interface OwnAddon {
  /** Null if the add-on does not exist. */
  id: number | null;
  guid: string;
}

async function ownAddon(tx: Transaction, viewer: Viewer, guid: string): Promise<OwnAddon> {
  if (!isGuid(guid)) throw refusedField('guid', message('guid.invalid'));
  const addon = await tx.addon.findUnique({
    where: { guid },
    select: { id: true, guid: true, authors: { select: { accountId: true } } },
  });
  if (addon === null) return { id: null, guid };
  if (!isAuthor(viewer, addon.authors)) throw new NotPermittedError(message('addon.not_owner'));
  return addon;
}

/** Counts under a lock on the account, as concurrent requests would exceed the limits. */
async function requireRoom(tx: Transaction, accountId: number, { id, guid }: OwnAddon): Promise<void> {
  await tx.$queryRaw`SELECT FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`;
  const present = await tx.updateAddress.count({ where: { accountId, guid, ended: null } });
  if (present >= MAX_ADDRESSES) {
    throw refusedField('guid', message('address.too_many', { count: MAX_ADDRESSES }));
  }
  if (id !== null) return;
  const unused = await tx.updateAddress.count({ where: { accountId, addonId: null, ended: null } });
  if (unused < MAX_UNUSED_ADDRESSES) return;
  // Those of add-ons that were uploaded since do not count.
  if ((await unusedAddresses([accountId])).length >= MAX_UNUSED_ADDRESSES) {
    throw refusedField('guid', message('address.too_many_unused', { count: MAX_UNUSED_ADDRESSES }));
  }
}

/**
 * Whether a viewer may see and end an address: the authors of its add-on, or the account that made it while there is no add-on, and
 * holders of `Addons:Edit`.
 */
function canManageAddress(
  viewer: Viewer,
  { accountId }: AddressRow,
  authors: readonly { accountId: number }[] | null,
): boolean {
  return canEditAddon(viewer, authors ?? [{ accountId }]);
}

/**
 * Ends an address for good: it then responds as if it had never existed. Idempotent.
 * @throws {NotAuthenticatedError}, {NotFoundError} for unknown addresses and those of others.
 */
async function endUpdateAddress(viewer: Viewer, id: number): Promise<void> {
  const account = requireSignedIn(viewer);
  const [address] = await addressesById([id]);
  // For unknown addresses too: the time does not reveal which exist.
  const authors = await db.addonAuthor.findMany({
    where: { addonId: address?.addonId ?? NO_ADDON },
    select: { accountId: true },
  });
  if (address === undefined) throw new NotFoundError();
  const { addonId, guid } = address;
  if (!canManageAddress(viewer, address, addonId === null ? null : authors)) throw new NotFoundError();
  await db.$transaction(async (tx) => {
    const { count } = await tx.updateAddress.updateMany({ where: { id, ended: null }, data: { ended: new Date() } });
    if (count === 0) return;
    const details = { guid, address: id };
    const action = 'update-address-ended';
    await recordActivity(tx, { action, accountId: account.accountId, addonId, details });
    const notice = 'addon-update-address-ended';
    if (addonId !== null) return recordAddonDecision(tx, account, { id: addonId }, { action, details, notice });
    const values = () => ({ addon: guid });
    await recordStaffAct(tx, account, [address.accountId], { action, details, notice: { name: notice, values } });
  });
}

/** Addresses in the order of the ids, with an error for each one that the viewer may not see. */
async function loadAddresses(ids: readonly number[], context: Context): Promise<(AddressRow | Error)[]> {
  const byId = new Map((await addressesById(ids)).map((row) => [row.id, row]));
  return Promise.all(
    ids.map(async (id) => {
      const row = byId.get(id);
      // For unknown addresses too: the time does not reveal which exist.
      const [addon] = await addonRights(context).loadMany([row?.addonId ?? NO_ADDON]);
      if (row === undefined) return new NotFoundError();
      if (addon instanceof Error && row.addonId !== null) return addon;
      const authors = addon === undefined || addon instanceof Error ? null : addon.authors;
      return canManageAddress(context.viewer, row, authors) ? row : new NotFoundError();
    }),
  );
}

const UpdateAddress = loadableNode<AddressRow>('UpdateAddress', loadAddresses);

builder.objectType(UpdateAddress, {
  description:
    'An address at which installed copies of an unlisted add-on look for updates. Its URL contains a key and is shown once, on creation. Visible to the authors of the add-on, or before it exists to the account that made the address, and to holders of Addons:Edit.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    guid: t.exposeString('guid', { description: 'The guid of the add-on.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was made.' }),
    createdBy: t.field({
      type: AccountSummary,
      description: 'The account that made it.',
      resolve: ({ accountId }, _args, context) => accountSummary(context, accountId),
    }),
    ended: t.expose('ended', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ended; null while it works.',
    }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on; null if the account that made the address has not created it.',
      resolve: ({ addonId }) => addonId,
    }),
  }),
});

const ofAddons = perRequest<number, AddressRow[]>(async (ids) => {
  const rows = await addressesOfAddons(ids);
  return ids.map((id) => rows.filter(({ addonId }) => addonId === id));
});

const unusedOf = perRequest<number, AddressRow[]>(async (ids) => {
  const rows = await unusedAddresses(ids);
  return ids.map((id) => rows.filter(({ accountId }) => accountId === id));
});

builder.objectField(Addon, 'updateAddresses', (t) =>
  t.field({
    type: [UpdateAddress],
    nullable: true,
    description:
      'The working update addresses, newest first. Null unless the viewer is an author or holds Addons:Edit.',
    resolve: async ({ id }, _args, context) => {
      if (context.viewer.kind === 'anonymous') return null;
      const { authors } = await addonRights(context).load(id);
      return canEditAddon(context.viewer, authors) ? ofAddons(context).load(id) : null;
    },
  }),
);

builder.objectField(AccountPrivate, 'updateAddresses', (t) =>
  t.field({
    type: [UpdateAddress],
    description: 'The working update addresses of the account that are for no add-on yet, newest first.',
    resolve: ({ id }, _args, context) => unusedOf(context).load(id),
  }),
);

mutation('createUpdateAddress', {
  description:
    'Makes an address for `update_url` in the manifest of an unlisted add-on, at which its installed copies look for updates. For the authors of the add-on. For a guid that does not exist, any signed-in viewer may make one; it works once the viewer has created the add-on.',
  input: 'A new update address.',
  inputFields: (t) => ({
    guid: t.string({ required: true, description: 'The guid of the add-on, spelled exactly as in its manifest.' }),
  }),
  resolve: async ({ guid }, context) => {
    const created = await createUpdateAddress(context.viewer, guid);
    return created;
  },
  payloadFields: (t) => ({
    url: t.exposeString('url', { description: 'The address. It cannot be shown again.' }),
    updateAddress: t.field({ type: UpdateAddress, description: 'What is stored of it.', resolve: ({ id }) => id }),
  }),
});

mutation('endUpdateAddress', {
  description:
    'Ends an update address for good. For the authors of its add-on, or before it exists for the account that made the address, and for holders of Addons:Edit.',
  input: 'The update address to end.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the update address.' }) }),
  resolve: async ({ id }, context) => {
    const addressId = idOf('UpdateAddress', id);
    await endUpdateAddress(context.viewer, addressId);
    return { id: addressId };
  },
  payloadFields: (t) => ({
    updateAddress: t.field({ type: UpdateAddress, description: 'The ended address.', resolve: ({ id }) => id }),
  }),
});
