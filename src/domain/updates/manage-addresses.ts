import { randomBytes } from 'node:crypto';
import { canEditAddon, isAuthor, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError, NotPermittedError, refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { isGuid } from '../../package/manifest/identity.ts';
import { message } from '../../texts/messages.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { updateManifest } from '../addons/addresses.ts';
import { NO_ADDON } from '../addons/find-addon.ts';
import { recordAddonDecision } from '../addons/record-addon-act.ts';
import { recordStaffAct } from '../mail/record-staff-act.ts';
import { type AddressRow, addressesById, hashOfKey, unusedAddresses } from './address-rows.ts';

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
export async function createUpdateAddress(viewer: Viewer, guid: string): Promise<NewAddress> {
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
    return { id, url: updateManifest(guid, key) };
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
export function canManageAddress(
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
export async function endUpdateAddress(viewer: Viewer, id: number): Promise<void> {
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
