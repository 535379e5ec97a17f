/*
 * Loads staged add-ons and their parts except versions, by one statement each. The file decides about authors, categories, tags and
 * previews of an add-on; others are removed.
 */
import type { BulkSession } from '../../infra/bulk-session.ts';
import { listingFields } from '../listing/fields.ts';
import { assignIds, reserveIds, updateChanged } from './load-references.ts';

/** Columns with the same name in both tables. */
const COLUMNS = `guid slug type status default_locale average_daily_users weekly_downloads hotness rating_count
  rating_text_count rating_average rating_bayesian`
  .split(/\s+/)
  .concat(listingFields.map(({ column }) => column));

/**
 * Assigns an id to every add-on of the file and locks the existing ones, so that concurrent changes wait. If another session has
 * created an add-on with the same guid since the check, the insert fails.
 * `s_identity` maps lines to add-ons and holds the columns that parts are joined by, because rows of `s_addon` are wide.
 */
export async function identifyAddons(session: BulkSession): Promise<void> {
  await reserveIds(session, 'addon', 's_addon');
  await session.query(`SELECT count(*) FROM (
    SELECT FROM addon a WHERE a.guid IN (SELECT guid FROM s_addon) ORDER BY a.id FOR NO KEY UPDATE) AS locked`);
  await session.query(`CREATE TEMPORARY TABLE s_identity ON COMMIT DROP AS
    SELECT line, coalesce(known_id, nextval('addon_id_seq')::int) AS addon_id, is_new, type, e10s, is_deleted, created FROM (
      SELECT s.line, coalesce(s.id, a.id) AS known_id, coalesce(s.id <> a.id, a.id IS NULL) AS is_new,
        s.type, s.e10s, s.is_deleted, s.created
      FROM s_addon s LEFT JOIN addon a USING (guid) ORDER BY s.line
    ) AS given`);
  await session.query('ALTER TABLE s_identity ADD PRIMARY KEY (line); ANALYZE s_identity');
}

/**
 * The status to restore when a disabling by the file is lifted, as if the operator had disabled the add-on here. The status
 * `deleted` is not restored.
 */
const BEFORE_DISABLING = `CASE WHEN s.status = 'disabled' THEN
  CASE WHEN t.status = 'disabled' THEN t.status_before_disabling ELSE nullif(t.status, 'deleted') END END`;

/** Loads the rows of add-ons. Slugs may move between add-ons, so changed ones are cleared first. */
export async function loadAddons(session: BulkSession): Promise<void> {
  await session.query(`UPDATE addon t SET slug = NULL FROM s_addon s JOIN s_identity d USING (line)
    WHERE t.id = d.addon_id AND NOT d.is_new AND t.slug IS DISTINCT FROM s.slug AND EXISTS (SELECT FROM s_addon o WHERE o.slug = t.slug)`);
  await session.query(
    updateChanged('addon', 's_addon s JOIN s_identity d USING (line)', 't.id = d.addon_id AND NOT d.is_new', {
      ...Object.fromEntries(COLUMNS.map((column) => [column, `s.${column}`])),
      // Absent values are derived from the versions after these are loaded.
      e10s: 'coalesce(s.e10s, t.e10s)',
      icon_sha256: 'coalesce(s.icon_sha256, t.icon_sha256)',
      created: 'coalesce(s.created, t.created)',
      last_updated: 'coalesce(s.last_updated, t.last_updated)',
      deleted_at: 'CASE WHEN s.is_deleted THEN coalesce(t.deleted_at, now()) END',
      status_before_disabling: BEFORE_DISABLING,
    }),
  );
  await session.query(`INSERT INTO addon (id, ${COLUMNS.join(', ')}, e10s, icon_sha256, created, last_updated, deleted_at)
    SELECT d.addon_id, ${COLUMNS.map((column) => `s.${column}`).join(', ')}, coalesce(s.e10s, 'unknown'),
      s.icon_sha256, coalesce(s.created, date_trunc('second', now())),
      coalesce(s.last_updated, s.created, date_trunc('second', now())),
      CASE WHEN s.is_deleted THEN now() END
    FROM s_addon s JOIN s_identity d USING (line) WHERE d.is_new ORDER BY d.addon_id`);
}

/**
 * SQL: whether a part does not exist yet. New add-ons (`d`) have none, so they need no look-up; existing ones are locked. ON
 * CONFLICT would look up every row again.
 */
const isMissing = (part: string): string => `(d.is_new OR NOT EXISTS (SELECT FROM ${part}))`;

/** Loads authors, categories, tags, previews and persona rows. */
export async function loadAddonParts(session: BulkSession): Promise<void> {
  await loadAuthors(session);
  await loadCategoriesAndTags(session);
  await loadPreviews(session);
  await session.query(
    updateChanged('persona', 's_persona s JOIN s_identity d USING (line)', 't.addon_id = d.addon_id', {
      accent_color: 's.accent_color',
      text_color: 's.text_color',
      header_sha256: 'coalesce(s.header_sha256, t.header_sha256)',
      footer_sha256: 'coalesce(s.footer_sha256, t.footer_sha256)',
    }),
  );
  await session.query(`INSERT INTO persona (addon_id, accent_color, text_color, header_sha256, footer_sha256)
    SELECT d.addon_id, s.accent_color, s.text_color, s.header_sha256, s.footer_sha256 FROM s_persona s JOIN s_identity d USING (line)
    WHERE ${isMissing('persona t WHERE t.addon_id = d.addon_id')} ORDER BY d.addon_id`);
}

async function loadAuthors(session: BulkSession): Promise<void> {
  await session.query(
    'UPDATE s_author s SET account_id = a.id FROM account a WHERE a.username = s.username AND a.id > 0',
  );
  await session.query(`DELETE FROM addon_author t USING s_identity d WHERE t.addon_id = d.addon_id AND NOT d.is_new
    AND NOT EXISTS (SELECT FROM s_author s WHERE s.line = d.line AND s.account_id = t.account_id)`);
  await session.query(
    updateChanged(
      'addon_author',
      's_author s JOIN s_identity d USING (line)',
      't.addon_id = d.addon_id AND t.account_id = s.account_id AND NOT d.is_new',
      { role: 's.role', listed: 's.listed', position: 's.position' },
    ),
  );
  await session.query(`INSERT INTO addon_author (addon_id, account_id, role, listed, position)
    SELECT d.addon_id, s.account_id, s.role, s.listed, s.position FROM s_author s JOIN s_identity d USING (line)
    ORDER BY d.addon_id ON CONFLICT DO NOTHING`);
}

async function loadCategoriesAndTags(session: BulkSession): Promise<void> {
  await session.query(`UPDATE s_addon_category s SET category_id = c.id FROM s_identity d, category c
    WHERE d.line = s.line AND c.app = s.app AND c.type = d.type AND c.slug = s.slug`);
  await replaceLinks(session, 'addon_category', 's_addon_category', 'category_id');
  await replaceLinks(session, 'addon_tag', 's_tag', 'tag');
}

/** Replaces the rows that link add-ons with values of a column. */
async function replaceLinks(session: BulkSession, table: string, staged: string, column: string): Promise<void> {
  await session.query(`DELETE FROM ${table} t USING s_identity d WHERE t.addon_id = d.addon_id AND NOT d.is_new
    AND NOT EXISTS (SELECT FROM ${staged} s WHERE s.line = d.line AND s.${column} = t.${column})`);
  await session.query(`INSERT INTO ${table} (addon_id, ${column})
    SELECT d.addon_id, s.${column} FROM ${staged} s JOIN s_identity d USING (line)
    WHERE ${isMissing(`${table} t WHERE t.addon_id = d.addon_id AND t.${column} = s.${column}`)} ORDER BY d.addon_id`);
}

/** A preview without an id is matched by position. Without a new picture the stored one stays. */
async function loadPreviews(session: BulkSession): Promise<void> {
  await reserveIds(session, 'preview', 's_preview');
  await session.query('UPDATE s_preview SET preview_id = id WHERE id IS NOT NULL');
  await session.query(`UPDATE s_preview s SET preview_id = p.id FROM s_identity d, preview p
    WHERE s.id IS NULL AND d.line = s.line AND p.addon_id = d.addon_id AND p.position = s.place
      AND NOT EXISTS (SELECT FROM s_preview o WHERE o.id = p.id)`);
  await assignIds(session, 'preview', 's_preview', 'line, place');
  await session.query(`DELETE FROM preview t USING s_identity d WHERE t.addon_id = d.addon_id AND NOT d.is_new
    AND NOT EXISTS (SELECT FROM s_preview s WHERE s.preview_id = t.id)`);
  const kept = (column: string) =>
    `CASE WHEN s.image_sha256 IS NULL AND t.image_sha256 IS NOT NULL THEN t.${column} ELSE s.${column} END`;
  const columns = [
    'image_width',
    'image_height',
    'thumbnail_width',
    'thumbnail_height',
    'image_sha256',
    'thumbnail_sha256',
  ];
  await session.query(
    updateChanged('preview', 's_preview s', 't.id = s.preview_id', {
      position: 's.place',
      caption: 's.caption',
      ...Object.fromEntries(columns.map((column) => [column, kept(column)])),
    }),
  );
  await session.query(`INSERT INTO preview (id, addon_id, position, caption, ${columns.join(', ')})
    SELECT s.preview_id, d.addon_id, s.place, s.caption, ${columns.map((column) => `s.${column}`).join(', ')}
    FROM s_preview s JOIN s_identity d USING (line) ORDER BY s.preview_id ON CONFLICT DO NOTHING`);
}
