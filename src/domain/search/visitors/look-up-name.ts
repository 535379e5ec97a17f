import { searchRows } from '../../../infra/db.ts';
import { MAX_INT4 } from '../../../infra/int4.ts';
import { storableText } from '../../../infra/storable-text.ts';

/** What a query names literally. */
export interface Named {
  /** Add-ons whose id, guid or slug is the query. Whether they are public is not checked. */
  addons: readonly { id: number; guid: string }[];
  /** Ids of accounts whose username or display name is the query. */
  accountIds: readonly number[];
}

/** Accounts may share a display name; further ones are ignored. */
const MAX_ACCOUNTS = 20;

/** Finds the add-ons and accounts that a query names: one statement. */
export async function lookUpName(query: string): Promise<Named> {
  const name = storableText(query).trim().replace(/\s+/g, ' ');
  const id = /^\d{1,10}$/.test(name) && Number(name) <= MAX_INT4 ? Number(name) : null;
  const rows = await searchRows<{ kind: 'addon' | 'account'; id: number; guid: string | null }>(
    `SELECT 'addon' AS kind, id, guid FROM addon WHERE guid = $1::citext
    UNION SELECT 'addon', id, guid FROM addon WHERE slug = $1::citext
    UNION SELECT 'addon', id, guid FROM addon WHERE id = $2::int
    UNION SELECT * FROM (SELECT 'account', id, NULL::citext FROM account
      WHERE (username = $1::citext OR lower(display_name) = lower($1::text)) AND deleted_at IS NULL AND disabled_at IS NULL
      ORDER BY id LIMIT ${MAX_ACCOUNTS}) AS accounts`,
    [name, id],
  );
  return {
    addons: rows.flatMap(({ kind, id: addonId, guid }) =>
      kind === 'addon' && guid !== null ? [{ id: addonId, guid }] : [],
    ),
    accountIds: rows.flatMap(({ kind, id: accountId }) => (kind === 'account' ? [accountId] : [])),
  };
}
