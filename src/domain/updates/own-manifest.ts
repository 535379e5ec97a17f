import { withDatabaseErrorsExplained } from '../../infra/database-errors.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import type { AddonType } from '../../package/enums.ts';
import { updateFileUrl } from '../addons/addresses.ts';
import { IS_PUBLIC_VERSION } from '../versions/find-version.ts';
import { hasStrictMax } from '../versions/manifest-limits.ts';
import { hashOfKey, IS_ADDRESS_OF } from './address-rows.ts';
import { LOWEST_VERSION } from './find-updates.ts';
import { type UpdateEntry, updateEntry } from './update-entry.ts';

/** Number of versions in the manifest, the newest ones. */
const VERSIONS = 10;

/** An update manifest, as browsers read it. */
interface UpdateManifest {
  addons?: Record<string, { updates: UpdateEntry[] }>;
}

/** A file of an update. `size` is in bytes. */
interface UpdateFile {
  sha256: string;
  size: number;
  name: string;
}

/** SQL: the address that a key ($1) and a guid ($2) name, and its add-on, which is not disabled. */
const FOUND = `update_address u JOIN addon a ON ${IS_ADDRESS_OF}
  WHERE u.key_hash = $1 AND u.guid = $2::citext AND u.ended IS NULL
    AND a.deleted_at IS NULL AND a.status <> 'disabled' AND NOT a.is_disabled_by_developer`;

/** SQL: whether a version `v` and its file `f` are offered. Browsers do not update search engines. */
const IS_UNLISTED_UPDATE = `v.channel = 'unlisted' AND ${IS_PUBLIC_VERSION}
  AND f.is_stored AND f.format <> 'opensearch'`;

interface Row {
  type: AddonType;
  /** Null when the add-on offers no version, as all below. */
  version: string | null;
  min: string | null;
  max: string | null;
  isStrict: boolean;
  fileId: number;
  fileName: string;
  sha256: string;
  isWebextension: boolean;
}

/** SQL: an end of the range of a version `v`: that of desktop browsers, of the version or else of its manifest, or else of `r`. */
const endOf = (end: 'min' | 'max'): string => `CASE r.app WHEN 'desktop_browser' THEN r.${end}
  ELSE coalesce(v.manifest_compatibility #>> '{ranges,desktop_browser,${end}}', r.${end}) END AS ${end}`;

const newestVersions = prepared<Row>(
  lookupPool,
  'unlisted-updates',
  `SELECT found.type, newest.* FROM (SELECT a.id, a.type FROM ${FOUND}) found
  LEFT JOIN LATERAL (
    SELECT v.version, v.is_strict_compatibility_enabled AS "isStrict", ${endOf('min')}, ${endOf('max')}, f.id AS "fileId", f.name AS "fileName", f.sha256,
      f.is_webextension AS "isWebextension"
    FROM version v
    JOIN LATERAL (SELECT * FROM file WHERE version_id = v.id ORDER BY platform <> 'all', id LIMIT 1) f ON true
    LEFT JOIN LATERAL (
      SELECT * FROM version_compatibility WHERE version_id = v.id ORDER BY app <> 'desktop_browser', app LIMIT 1
    ) r ON true
    WHERE v.addon_id = found.id AND ${IS_UNLISTED_UPDATE} AND (r.min IS NOT NULL OR found.type = 'dictionary')
    ORDER BY v.created DESC, v.id DESC LIMIT ${VERSIONS}
  ) newest ON true`,
);

const offeredFile = prepared<UpdateFile>(
  lookupPool,
  'unlisted-update-file',
  `SELECT f.sha256, f.size::float8 AS size, f.name FROM (SELECT a.id FROM ${FOUND}) found
  JOIN version v ON v.addon_id = found.id JOIN file f ON f.version_id = v.id
  WHERE f.id = $3 AND ${IS_UNLISTED_UPDATE}`,
);

/** Other texts are no guid or key, and the database may refuse them. */
const isPossible = (guid: string, key: string): boolean =>
  guid.length <= 255 && guid.isWellFormed() && !guid.includes('\0') && key.length <= 255;

/**
 * The update manifest of an address: the newest signed unlisted versions of the add-on, its id spelled as in `guid`. Empty for a
 * guid or key that is unknown or ended, and for disabled and deleted add-ons. One statement.
 * @throws {UnavailableError} during an outage of the database.
 */
export async function readOwnManifest(guid: string, key: string): Promise<UpdateManifest> {
  if (!isPossible(guid, key)) return {};
  const rows = await withDatabaseErrorsExplained(() => newestVersions(hashOfKey(key), guid));
  if (rows.length === 0) return {};
  return { addons: { [guid]: { updates: rows.flatMap((row) => entryOf(row, guid, key)) } } };
}

function entryOf({ version, isStrict, ...row }: Row, guid: string, key: string): UpdateEntry[] {
  if (version === null) return [];
  const { type, isWebextension, sha256 } = row;
  const entry = {
    version,
    min: row.min ?? LOWEST_VERSION,
    max: row.max ?? '*',
    isMaxStrict: hasStrictMax({ type, isWebextension, isStrict }),
    link: updateFileUrl(guid, key, row.fileId, row.fileName),
    sha256,
    infoLink: null,
  };
  return [updateEntry(entry)];
}

/** The file of this id of an update, for the holder of the key; null for others, and when `readOwnManifest` is empty. */
export async function findOwnUpdate(guid: string, key: string, fileId: number): Promise<UpdateFile | null> {
  if (!isPossible(guid, key) || fileId > MAX_INT4) return null;
  const [file] = await withDatabaseErrorsExplained(() => offeredFile(hashOfKey(key), guid, fileId));
  return file ?? null;
}
