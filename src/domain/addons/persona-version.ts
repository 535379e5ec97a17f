import { APPLICATIONS, FILE_STATUS } from '../../package/enums.ts';
import { encodeApplicationVersion } from '../../package/versions/application-version.ts';
import { NOT_A_VERSION, stagesSql } from './stages.ts';

const CODES = ['1.0', '*'].map(encodeApplicationVersion).join(', ');

/** A listed version `v` that is neither deleted, failed, unfinished nor rejected. */
const IS_PERSONA_VERSION = `v.channel = 'listed' AND v.deleted_at IS NULL AND v.stage NOT IN ${stagesSql(NOT_A_VERSION)}
  AND NOT EXISTS (SELECT FROM file f WHERE f.version_id = v.id AND f.status = ${FILE_STATUS.disabled})`;

/**
 * SQL that adds a listed version to the public personas without one among the add-ons `a` that match `condition` (SQL), so
 * that `current_version` is an object (contract, Add-on). The version is compatible with all applications, because clients
 * expect a range for theirs. Its number is 1.0, or the first free one after it. It has no file.
 */
export const addPersonaVersions = (condition: string): string => `
  WITH made AS (
    INSERT INTO version (addon_id, version, channel, stage, license_id, reviewed, created)
    SELECT a.id, (
        SELECT '1.' || n FROM generate_series(0, (SELECT count(*) FROM version WHERE addon_id = a.id)) AS n
        WHERE NOT EXISTS (SELECT FROM version v WHERE v.addon_id = a.id AND v.version = '1.' || n) ORDER BY n LIMIT 1
      ), 'listed', 'signed', a.license_id, a.last_updated, a.last_updated
    FROM addon a WHERE ${condition} AND a.type = 'persona' AND a.status = 'public'
      AND NOT EXISTS (SELECT FROM version v WHERE v.addon_id = a.id AND ${IS_PERSONA_VERSION})
    ORDER BY a.id RETURNING id
  )
  INSERT INTO version_compatibility (version_id, app, min, max, min_code, max_code)
  SELECT id, app, '1.0', '*', ${CODES}
  FROM made, unnest(ARRAY[${APPLICATIONS.map((app) => `'${app}'`).join(', ')}]) AS app`;
