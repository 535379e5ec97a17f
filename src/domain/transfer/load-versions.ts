/*
 * Loads staged versions with licences, compatibility and files, by one statement each. Existing versions that the file does not
 * name stay: they may be newer uploads.
 */

import type { BulkSession } from '../../infra/bulk-session.ts';
import { FILE_STATUS } from '../../package/enums.ts';
import { addPersonaVersions } from '../addons/addon-status.ts';
import { FAILED_STAGES, NOT_A_VERSION, stagesSql } from '../addons/stages.ts';
import { catalogueFields } from '../versions/fields.ts';
import { assignIds, reserveIds, updateChanged } from './load-references.ts';

const FAILED = stagesSql(FAILED_STAGES);
/** Stages of failed or unfinished uploads. */
const NO_VERSION = stagesSql(NOT_A_VERSION);

/** Loads versions and their parts. */
export async function loadVersions(session: BulkSession): Promise<void> {
  await identifyVersions(session);
  await noteChosenLicenses(session);
  await findLicenses(session);
  await loadVersionRows(session);
  await loadCompatibility(session);
  await loadFiles(session);
}

/** Adds the versions of personas, and sets the current version of each add-on of the file. */
export async function chooseCurrentVersions(session: BulkSession): Promise<void> {
  await session.query(addPersonaVersions('a.id IN (SELECT addon_id FROM s_identity)'));
  await setCurrentVersions(session);
  await hideUnlisted(session);
  await findWebExtensions(session);
}

/**
 * A version without an id is matched by its number with a version that the file does not name by id. Both sides have at most one
 * active version per number.
 */
async function identifyVersions(session: BulkSession): Promise<void> {
  await reserveIds(session, 'version', 's_version');
  await session.query('UPDATE s_version SET version_id = id WHERE id IS NOT NULL');
  await session.query('CREATE INDEX ON s_version (line, place); ANALYZE s_version');
  await session.query(`UPDATE s_version t SET version_id = here.id FROM (
      SELECT s.line, s.place, v.id FROM s_version s JOIN s_identity d USING (line)
      JOIN version v ON v.addon_id = d.addon_id AND v.version = s.version AND v.stage NOT IN ${FAILED}
      WHERE s.id IS NULL AND s.stage <> 'rejected' AND NOT d.is_new AND ${isFree('s.line')}
    ) AS here WHERE here.line = t.line AND here.place = t.place`);
  await identifyRefused(session);
  await assignIds(session, 'version', 's_version', 'line, place');
  await session.query('ANALYZE s_version');
}

/** SQL: whether no other version of the line is matched with the version `v`. */
const isFree = (line: string): string =>
  `NOT EXISTS (SELECT FROM s_version o WHERE o.line = ${line} AND o.version_id = v.id)`;

/**
 * Matches rejected versions of the file: one with the active version here, which was disabled since, the others with the newest
 * failed ones. Pairs are formed in order, so that importing a file twice gives the same result.
 */
async function identifyRefused(session: BulkSession): Promise<void> {
  await session.query(`WITH given AS (
      SELECT s.line, s.place, s.version, d.addon_id, count(*) OVER (PARTITION BY s.line, s.version) AS wanted,
        row_number() OVER (PARTITION BY s.line, s.version ORDER BY s.place) AS nth
      FROM s_version s JOIN s_identity d USING (line) WHERE s.id IS NULL AND s.stage = 'rejected' AND NOT d.is_new
    ), free AS (
      SELECT g.line, g.version, g.wanted, v.id,
        row_number() OVER (PARTITION BY g.line, g.version ORDER BY v.stage IN ${FAILED}, v.id DESC) AS choice
      FROM given g JOIN version v ON v.addon_id = g.addon_id AND v.version = g.version AND ${isFree('g.line')} WHERE g.nth = 1
    ), here AS (
      SELECT line, version, id, row_number() OVER (PARTITION BY line, version ORDER BY id) AS nth
      FROM free WHERE choice <= wanted
    )
    UPDATE s_version t SET version_id = here.id FROM given JOIN here USING (line, version, nth)
    WHERE t.line = given.line AND t.place = given.place`);
}

/** Add-ons whose next licence differs from that of their current version: an author has chosen it. */
async function noteChosenLicenses(session: BulkSession): Promise<void> {
  await session.query(`CREATE TEMPORARY TABLE s_chosen_license ON COMMIT DROP AS
    SELECT d.addon_id FROM s_identity d JOIN addon a ON a.id = d.addon_id LEFT JOIN version v ON v.id = a.current_version_id
    WHERE NOT d.is_new AND a.license_id IS NOT NULL AND v.license_id IS DISTINCT FROM a.license_id`);
  await session.query('ANALYZE s_chosen_license');
}

/** Custom licences are matched by content with those of the add-on. */
async function findLicenses(session: BulkSession): Promise<void> {
  // Operators may have deleted built-in licences that every catalogue may name.
  await session.query(`INSERT INTO license (builtin, name)
    SELECT DISTINCT s.license_builtin, jsonb_build_object('en-US', s.license_builtin) FROM s_version s
    WHERE s.license_builtin IS NOT NULL AND NOT EXISTS (SELECT FROM license l WHERE l.builtin = s.license_builtin)
    ON CONFLICT (builtin) DO NOTHING`);
  await session.query(
    'UPDATE s_version s SET license_id = l.id FROM license l WHERE l.builtin = s.license_builtin AND s.license_builtin IS NOT NULL',
  );
  await session.query(`UPDATE s_version s SET license_id = l.id FROM s_identity d, version v, license l
    WHERE s.license_key IS NOT NULL AND d.line = s.line AND NOT d.is_new AND v.addon_id = d.addon_id AND l.id = v.license_id
      AND l.builtin IS NULL AND l.name = s.license_name AND l.text = s.license_text AND l.url IS NOT DISTINCT FROM s.license_url`);
  await session.query(`CREATE TEMPORARY TABLE s_license ON COMMIT DROP AS
    SELECT new.*, nextval('license_id_seq')::int AS id FROM (
      SELECT DISTINCT ON (line, license_key) line, license_key, license_name, license_text, license_url FROM s_version
      WHERE license_key IS NOT NULL AND license_id IS NULL ORDER BY line, license_key
    ) AS new`);
  await session.query(`INSERT INTO license (id, name, text, url)
    SELECT id, license_name, license_text, license_url FROM s_license ORDER BY id`);
  await session.query(`UPDATE s_version s SET license_id = l.id FROM s_license l
    WHERE l.line = s.line AND l.license_key = s.license_key AND s.license_id IS NULL`);
}

/** SQL: the stage that file statuses imply. A matching stage stays, so that a review can continue. */
const STAGE = `CASE
  WHEN s.stage = 'awaiting_review' AND t.stage IN ('received', 'validating', 'valid', 'awaiting_review', 'signing') THEN t.stage
  WHEN s.stage = 'rejected' AND t.stage IN ('rejected', 'signed') THEN t.stage
  ELSE s.stage END`;

const COLUMNS = catalogueFields.map(({ column }) => column);

/** Loads the rows of versions. Rejected ones first release their numbers, which other versions of the file may use. */
async function loadVersionRows(session: BulkSession): Promise<void> {
  await session.query(`UPDATE version t SET stage = s.stage FROM s_version s
    WHERE t.id = s.version_id AND s.stage = 'rejected' AND t.stage NOT IN ('rejected', 'signed')`);
  await session.query(
    updateChanged('version', 's_version s', 't.id = s.version_id', {
      channel: 's.channel',
      stage: STAGE,
      ...Object.fromEntries(COLUMNS.map((column) => [column, `s.${column}`])),
      license_id: 's.license_id',
      manifest_compatibility: 'coalesce(s.manifest_compatibility, t.manifest_compatibility)',
      reviewed: 's.reviewed',
      deleted_at: 'CASE WHEN s.deleted THEN coalesce(t.deleted_at, now()) END',
      created: 'coalesce(s.created, t.created)',
    }),
  );
  await session.query(`INSERT INTO version (id, addon_id, version, channel, stage, ${COLUMNS.join(', ')}, license_id,
      manifest_compatibility, reviewed, deleted_at, created)
    SELECT s.version_id, d.addon_id, s.version, s.channel, s.stage, ${COLUMNS.map((column) => `s.${column}`).join(', ')}, s.license_id,
      s.manifest_compatibility, s.reviewed, CASE WHEN s.deleted THEN now() END,
      coalesce(s.created, s.reviewed, d.created, date_trunc('second', now()))
    FROM s_version s JOIN s_identity d USING (line)
    WHERE NOT EXISTS (SELECT FROM version v WHERE v.id = s.version_id) ORDER BY s.version_id`);
}

async function loadCompatibility(session: BulkSession): Promise<void> {
  await session.query(`DELETE FROM version_compatibility t USING s_version v, s_identity d
    WHERE t.version_id = v.version_id AND d.line = v.line AND NOT d.is_new AND NOT EXISTS (
      SELECT FROM s_compatibility s WHERE s.line = v.line AND s.place = v.place AND (s.app, s.min, s.max) = (t.app, t.min, t.max))`);
  await session.query(`INSERT INTO version_compatibility (version_id, app, min, max, min_code, max_code)
    SELECT v.version_id, s.app, s.min, s.max, s.min_code, s.max_code
    FROM s_compatibility s JOIN s_version v USING (line, place)
    WHERE NOT EXISTS (SELECT FROM version_compatibility t WHERE t.version_id = v.version_id AND t.app = s.app) ORDER BY v.version_id`);
}

/** Columns of files that always have the value of the catalogue. */
const FILE_COLUMNS = `platform status permissions optional_permissions host_permissions data_collection_permissions
  optional_data_collection_permissions status_when_enabled is_webextension is_restart_required is_vendor_signed_extension`.split(
  /\s+/,
);

/** A file without an id is matched by position. Stored bytes stay while the hash is the same. */
async function loadFiles(session: BulkSession): Promise<void> {
  await reserveIds(session, 'file', 's_file');
  await session.query(`UPDATE s_file s SET version_id = v.version_id, file_id = s.id FROM s_version v
    WHERE v.line = s.line AND v.place = s.version_place`);
  await session.query(`UPDATE s_file s SET file_id = here.id FROM (
      SELECT f.id, f.version_id, row_number() OVER (PARTITION BY f.version_id ORDER BY f.id) - 1 AS place
      FROM file f WHERE f.version_id IN (SELECT version_id FROM s_file WHERE id IS NULL)
    ) AS here WHERE s.id IS NULL AND here.version_id = s.version_id AND here.place = s.place
      AND NOT EXISTS (SELECT FROM s_file o WHERE o.id = here.id)`);
  await assignIds(session, 'file', 's_file', 'line, version_place, place');
  const unlessSame = (column: string, given = `s.${column}`) =>
    `CASE WHEN t.sha256 = s.sha256 OR t.signed_sha256 IS NOT NULL THEN t.${column} ELSE ${given} END`;
  await session.query(
    updateChanged('file', 's_file s', 't.id = s.file_id', {
      name: unlessSame('name'),
      sha256: unlessSame('sha256'),
      original_sha256: unlessSame('original_sha256', 's.sha256'),
      format: unlessSame('format'),
      size: 'CASE WHEN t.is_stored AND t.sha256 = s.sha256 OR t.signed_sha256 IS NOT NULL THEN t.size ELSE s.size END',
      is_stored: 's.is_stored OR t.is_stored AND (t.sha256 = s.sha256 OR t.signed_sha256 IS NOT NULL)',
      ...Object.fromEntries(FILE_COLUMNS.map((column) => [column, `s.${column}`])),
      created: 'coalesce(s.created, t.created)',
    }),
  );
  await session.query(`INSERT INTO file (id, version_id, name, size, sha256, original_sha256, is_stored, format, created, ${FILE_COLUMNS.join(', ')})
    SELECT s.file_id, s.version_id, s.name, s.size, s.sha256, s.sha256, s.is_stored, s.format, coalesce(s.created, v.created),
      ${FILE_COLUMNS.map((column) => `s.${column}`).join(', ')}
    FROM s_file s JOIN version v ON v.id = s.version_id
    WHERE NOT EXISTS (SELECT FROM file f WHERE f.id = s.file_id) ORDER BY s.file_id`);
}

/**
 * The current version is the newest listed one whose files are all public, else the newest that is not rejected; versions
 * without files count for personas only. The licence of the next version is that of the current one, unless an author has
 * chosen another.
 */
async function setCurrentVersions(session: BulkSession): Promise<void> {
  const current = `(
      SELECT d.addon_id, v.id, v.license_id, v.id IS NULL OR own.addon_id IS NOT NULL AS keeps_license
      FROM s_identity d LEFT JOIN s_chosen_license own USING (addon_id) LEFT JOIN LATERAL (
        SELECT v.id, v.license_id FROM version v
        JOIN LATERAL (
          SELECT coalesce(bool_and(f.status = ${FILE_STATUS.public}), d.type = 'persona') AS is_public,
            coalesce(bool_and(f.status <> ${FILE_STATUS.disabled}), d.type = 'persona') AS is_alive
          FROM file f WHERE f.version_id = v.id
        ) AS files ON files.is_alive
        WHERE v.addon_id = d.addon_id AND v.channel = 'listed' AND v.deleted_at IS NULL AND NOT d.is_deleted
          AND v.stage NOT IN ${NO_VERSION}
        ORDER BY files.is_public DESC, v.created DESC, v.id DESC LIMIT 1
      ) AS v ON true
    ) AS s`;
  await session.query(
    updateChanged('addon', current, 't.id = s.addon_id', {
      current_version_id: 's.id',
      license_id: 'CASE WHEN s.keeps_license THEN t.license_id ELSE s.license_id END',
    }),
  );
}

/**
 * An add-on with unlisted versions only is not part of the public catalogue, whatever status the file has. One without versions
 * keeps its status. Only add-ons without a current version need the check.
 */
async function hideUnlisted(session: BulkSession): Promise<void> {
  const has = (condition: string) => `EXISTS (SELECT FROM version v WHERE v.addon_id = t.id AND v.deleted_at IS NULL
    AND v.stage NOT IN ${NO_VERSION} AND ${condition})`;
  await session.query(`UPDATE addon t SET status = 'incomplete' FROM s_identity d
    WHERE t.id = d.addon_id AND t.type <> 'persona' AND t.status IN ('public', 'nominated') AND t.current_version_id IS NULL
      AND ${has(`v.channel = 'unlisted'`)} AND NOT ${has(`v.channel = 'listed'`)}`);
}

/** Derives `e10s` of existing add-ons from their versions when the file does not state it. */
async function findWebExtensions(session: BulkSession): Promise<void> {
  const isWebExtension = `EXISTS (SELECT FROM version v JOIN file f ON f.version_id = v.id
    WHERE v.addon_id = t.id AND v.stage NOT IN ${NO_VERSION} AND f.is_webextension)`;
  await session.query(
    updateChanged('addon', 's_identity d', 't.id = d.addon_id AND NOT d.is_new AND d.e10s IS NULL', {
      e10s: `CASE WHEN ${isWebExtension} THEN 'compatible-webextension' ELSE 'unknown' END`,
    }),
  );
}
