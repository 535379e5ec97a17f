import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { Batcher } from '../../infra/batcher.ts';
import { withDatabaseErrorsExplained } from '../../infra/database-errors.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import type { AddonType } from '../../package/enums.ts';
import { fileDownloadUrl, releaseNotesUrl } from '../addons/addresses.ts';
import { IS_PUBLIC_VERSION } from '../versions/find-version.ts';
import { hasStrictMax } from '../versions/manifest-limits.ts';
import type { UpdateCheck } from './read-check.ts';
import { type UpdateEntry, updateEntry } from './update-entry.ts';

/** Result of an update check. */
export interface FoundUpdate {
  addonId: number;
  /** The newest version that fits; null when none fits. */
  entry: UpdateEntry | null;
}

/** Checks that wait for the database. */
export const MAX_WAITING = 20_000;

/** The lower bound of dictionaries without compatibility data, which fit every version. */
export const LOWEST_VERSION = '1.0';

/** SQL: whether a version `v` is public and listed. */
export const IS_LISTED_UPDATE = `v.channel = 'listed' AND ${IS_PUBLIC_VERSION}`;

/** SQL: whether a version `v` with the file `f` and the range `r` fits the check `c` of the add-on `a`. */
const FITS = `(a.type = 'dictionary' OR (r.min_code <= c.code AND (c.mode = 'other' OR r.max_code >= c.code
  OR (c.mode = 'normal' AND NOT v.is_strict_compatibility_enabled AND NOT f.is_webextension))))`;

interface Row {
  position: number;
  id: number;
  slug: string | null;
  type: AddonType;
  /** Null when no version fits, as all below. */
  version: string | null;
  min: string | null;
  max: string | null;
  isStrict: boolean;
  hasNotes: boolean;
  fileId: number;
  fileName: string;
  sha256: string;
  isWebextension: boolean;
}

/**
 * SQL: an end of the range of a version `v`: that of the application, else that which the manifest of a WebExtension sets for all. Only
 * dictionaries fit without a range of the application.
 */
const endOf = (end: 'min' | 'max'): string => `coalesce(r.${end}, CASE WHEN f.is_webextension
  THEN v.manifest_compatibility #>> '{ranges,desktop_browser,${end}}' END) AS ${end}`;

const newestThatFit = prepared<Row>(
  lookupPool,
  'newest-updates',
  `SELECT c.position::int, a.id, a.slug, a.type, newest.*
  FROM unnest($1::citext[], $2::text[], $3::int8[], $4::text[]) WITH ORDINALITY AS c(guid, app, code, mode, position)
  JOIN addon a ON a.guid = c.guid AND ${IS_PUBLIC_ADDON}
    AND EXISTS (SELECT FROM version v WHERE v.addon_id = a.id AND ${IS_LISTED_UPDATE})
  LEFT JOIN LATERAL (
    SELECT v.version, v.is_strict_compatibility_enabled AS "isStrict", v.release_notes <> '{}' AS "hasNotes", ${endOf('min')}, ${endOf('max')},
      f.id AS "fileId", f.name AS "fileName", f.sha256, f.is_webextension AS "isWebextension"
    FROM version v
    JOIN LATERAL (
      SELECT * FROM file WHERE version_id = v.id AND is_stored ORDER BY platform <> 'all', id LIMIT 1
    ) f ON true
    LEFT JOIN version_compatibility r ON r.version_id = v.id AND r.app = c.app
    WHERE v.addon_id = a.id AND ${IS_LISTED_UPDATE} AND ${FITS}
    ORDER BY v.created DESC, v.id DESC LIMIT 1
  ) newest ON true`,
);

/**
 * Finds the newest public listed version that fits a check. Null for an add-on that is unknown, not public, or has no public
 * listed version. Concurrent checks share one statement.
 * @throws {UnavailableError} during an outage of the database.
 */
export const findUpdate = (check: UpdateCheck): Promise<FoundUpdate | null> => lookup.load(check);

const lookup = new Batcher<UpdateCheck, FoundUpdate | null>(
  (checks) => withDatabaseErrorsExplained(() => findUpdates(checks)),
  { maxKeys: 500, waiting: MAX_WAITING },
);

async function findUpdates(checks: readonly UpdateCheck[]): Promise<(FoundUpdate | null)[]> {
  const rows = await newestThatFit(
    checks.map(({ id }) => id),
    checks.map(({ app }) => app),
    checks.map(({ code }) => code),
    checks.map(({ mode }) => mode),
  );
  const found = new Map(rows.map((row) => [row.position, { addonId: row.id, entry: entryOf(row) }]));
  return checks.map((_check, index) => found.get(index + 1) ?? null);
}

function entryOf({ version, isStrict, isWebextension, ...row }: Row): UpdateEntry | null {
  if (version === null) return null;
  return updateEntry({
    version,
    min: row.min ?? LOWEST_VERSION,
    max: row.max ?? '*',
    isMaxStrict: hasStrictMax({ type: row.type, isWebextension, isStrict }),
    link: fileDownloadUrl(row.fileId, row.fileName),
    sha256: row.sha256,
    infoLink: row.hasNotes ? releaseNotesUrl(row, version) : null,
  });
}
