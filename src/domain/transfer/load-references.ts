/* Loads the staged rows that add-ons refer to, by one statement each. Unchanged rows are not written. */
import type { BulkSession } from '../../infra/bulk-session.ts';

/** Columns compared case-insensitively. The spelling of the file is stored. */
const CASE_BLIND: readonly string[] = ['username', 'email', 'guid', 'slug', 'path'];

/** SQL: updates columns of `table` (alias `t`) from staging (alias `s`) where one of them differs. */
export function updateChanged(
  table: string,
  from: string,
  match: string,
  columns: Readonly<Record<string, string>>,
): string {
  const set = Object.entries(columns).map(([name, value]) => `${name} = ${value}`);
  const compared = Object.entries(columns).map(([name, value]) =>
    CASE_BLIND.includes(name) ? [`t.${name}::text`, `(${value})::text`] : [`t.${name}`, value],
  );
  return `UPDATE ${table} t SET ${set.join(', ')} FROM ${from} WHERE ${match}
    AND (${compared.map(([stored]) => stored).join(', ')}) IS DISTINCT FROM (${compared.map(([, staged]) => staged).join(', ')})`;
}

/** Runs an update and records the changed rows, whose documents are published again. */
async function noteChanged(session: BulkSession, what: string, update: string): Promise<void> {
  await session.query(`WITH changed AS (${update} RETURNING t.id)
    INSERT INTO s_changed (what, id) SELECT '${what}', id FROM changed`);
}

/**
 * Moves the id sequence of a table past the ids of the file before anything is written, so that concurrent inserts get other ids.
 */
export async function reserveIds(session: BulkSession, table: string, staged: string): Promise<void> {
  await session.query(`
    SELECT setval('${table}_id_seq', file.last) FROM (SELECT max(id) AS last FROM ${staged}) AS file, ${table}_id_seq AS here
    WHERE file.last > here.last_value OR (file.last = here.last_value AND NOT here.is_called)`);
}

/** Gives new ids to staged rows without one, in the order of the file: rows of a table have no order of their own. */
export async function assignIds(session: BulkSession, table: string, staged: string, order: string): Promise<void> {
  await session.query(`UPDATE ${staged} s SET ${table}_id = given.id FROM (
      SELECT row, nextval('${table}_id_seq') AS id
      FROM (SELECT ctid AS row FROM ${staged} WHERE ${table}_id IS NULL ORDER BY ${order}) AS new
    ) AS given WHERE s.ctid = given.row`);
}

/** Adds the application versions of the staged lines. */
export async function loadApplicationVersions(session: BulkSession): Promise<void> {
  await session.query(`INSERT INTO application_version (app, version, code)
    SELECT app, version, code FROM s_application_version ON CONFLICT DO NOTHING`);
}

const SAME_CATEGORY = 'c.app = s.app AND c.type = s.type AND c.slug = s.slug';

/**
 * Loads categories. The key is application, type and slug; the id comes from the file. Another category with that id gets a new
 * one.
 */
export async function loadCategories(session: BulkSession): Promise<void> {
  await reserveIds(session, 'category', 's_category');
  await noteChanged(
    session,
    'category',
    `UPDATE category t SET id = nextval('category_id_seq') FROM s_category s
     WHERE s.id = t.id AND (s.app, s.type, s.slug) <> (t.app, t.type, t.slug)`,
  );
  await noteChanged(
    session,
    'category',
    updateChanged('category', 's_category s', 't.app = s.app AND t.type = s.type AND t.slug = s.slug', {
      id: 'coalesce(s.id, t.id)',
      name: 's.name',
      weight: 's.weight',
    }),
  );
  await session.query(`INSERT INTO category (id, app, type, slug, name, weight)
    SELECT coalesce(id, nextval('category_id_seq')), app, type, slug, name, weight FROM s_category s
    WHERE NOT EXISTS (SELECT FROM category c WHERE ${SAME_CATEGORY}) ORDER BY line`);
}

/** SQL: whether the username was chosen; others are `anonymous-` and random hex digits. */
const IS_CHOSEN = `s.username !~ '^anonymous-[0-9a-f]{16,32}$'`;

/** Loads accounts with their groups. */
export async function loadAccounts(session: BulkSession): Promise<void> {
  await reserveIds(session, 'account', 's_account');
  await session.query('UPDATE s_account s SET account_id = id WHERE id IS NOT NULL');
  await session.query(
    'UPDATE s_account s SET account_id = a.id FROM account a WHERE s.id IS NULL AND a.username = s.username',
  );
  await assignIds(session, 'account', 's_account', 'line');
  await noteChanged(
    session,
    'account',
    updateChanged('account', 's_account s', 't.id = s.account_id', {
      username: 's.username',
      display_name: 's.display_name',
      email: 's.email',
      biography: 's.biography',
      homepage: 's.homepage',
      location: 's.location',
      occupation: 's.occupation',
      is_verified: 's.is_verified',
      has_chosen_username: `CASE WHEN t.username = s.username THEN t.has_chosen_username ELSE ${IS_CHOSEN} END`,
      read_dev_agreement: 's.read_dev_agreement',
      picture_sha256: 'coalesce(s.picture_sha256, t.picture_sha256)',
      created: 'coalesce(s.created, t.created)',
      deleted_at: 'CASE WHEN s.deleted THEN coalesce(t.deleted_at, now()) END',
    }),
  );
  await session.query(`INSERT INTO account (id, username, display_name, email, biography, homepage, location, occupation,
      is_verified, has_chosen_username, read_dev_agreement, picture_sha256, created, deleted_at)
    SELECT account_id, username, display_name, email, biography, homepage, location, occupation,
      is_verified, ${IS_CHOSEN}, read_dev_agreement, picture_sha256, coalesce(created, date_trunc('second', now())),
      CASE WHEN deleted THEN now() END
    FROM s_account s WHERE NOT EXISTS (SELECT FROM account a WHERE a.id = s.account_id) ORDER BY account_id`);
  await loadGroups(session);
}

/**
 * Loads the groups of accounts, which ends the page sessions of those whose groups change. Missing groups are created without
 * permissions; the check has allowed that.
 */
async function loadGroups(session: BulkSession): Promise<void> {
  await session.query(`INSERT INTO permission_group (name, rules)
    SELECT DISTINCT ON (name) name, '{}'::text[] FROM s_account, unnest(groups) AS name ORDER BY name ON CONFLICT DO NOTHING`);
  await session.query(`WITH removed AS (
      DELETE FROM group_member m USING s_account s WHERE m.account_id = s.account_id AND s.groups IS NOT NULL
        AND NOT EXISTS (SELECT FROM permission_group g WHERE g.id = m.group_id AND g.name = ANY(s.groups))
      RETURNING m.account_id
    ), added AS (
      INSERT INTO group_member (group_id, account_id)
      SELECT g.id, s.account_id FROM s_account s JOIN permission_group g ON g.name = ANY(s.groups) ON CONFLICT DO NOTHING
      RETURNING account_id
    )
    DELETE FROM page_session p USING access_token t WHERE t.id = p.access_token_id
      AND t.account_id IN (SELECT account_id FROM removed UNION ALL SELECT account_id FROM added)`);
}
