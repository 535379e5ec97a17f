import { createHash } from 'node:crypto';
import { lookupPool, prepared } from '../../infra/db.ts';

/** An update address, without its key. */
export interface AddressRow {
  id: number;
  guid: string;
  /** The account that made it. */
  accountId: number;
  created: Date;
  /** Null while it works. */
  ended: Date | null;
  /** The add-on that it is for; null if there is none with the guid, or another account created it. */
  addonId: number | null;
}

/** What the database stores of a key, so that no copy of it reveals working addresses. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * SQL: whether the address `u` is for the add-on `a`. One that was made before the add-on is only for an add-on that its maker owns
 * or created, so that no account gets an address of another one's add-on.
 */
export const IS_ADDRESS_OF = `a.guid = u.guid AND (u.addon_id = a.id OR u.addon_id IS NULL AND (
  EXISTS (SELECT FROM addon_author w WHERE w.addon_id = a.id AND w.account_id = u.account_id AND w.role = 'owner')
  OR (SELECT e.account_id FROM activity e WHERE e.addon_id = a.id AND e.action = 'addon-created' ORDER BY e.id LIMIT 1)
    = u.account_id))`;

const SELECTED = `SELECT u.id, u.guid::text, u.account_id AS "accountId", u.created, u.ended, a.id AS "addonId"
  FROM update_address u LEFT JOIN addon a ON ${IS_ADDRESS_OF}`;

/** Addresses by id. */
export const addressesById = prepared<AddressRow>(
  lookupPool,
  'update-addresses-by-id',
  `${SELECTED} WHERE u.id = ANY($1)`,
);

/** The working addresses of add-ons, newest first. */
export const addressesOfAddons = prepared<AddressRow>(
  lookupPool,
  'update-addresses-of-addons',
  `${SELECTED} WHERE u.ended IS NULL AND u.guid IN (SELECT guid FROM addon WHERE id = ANY($1)) AND a.id = ANY($1)
    ORDER BY u.id DESC`,
);

/** The working addresses of accounts that are for no add-on yet, newest first. */
export const unusedAddresses = prepared<AddressRow>(
  lookupPool,
  'unused-update-addresses',
  `${SELECTED} WHERE u.ended IS NULL AND u.account_id = ANY($1) AND u.addon_id IS NULL AND a.id IS NULL ORDER BY u.id DESC`,
);
