import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { withDatabaseErrorsExplained } from '../../infra/database-errors.ts';
import { pool } from '../../infra/db.ts';
import { isPublicAccount } from '../accounts/public-account.ts';

interface FoundPicture {
  /** Hash of the bytes, hex. */
  sha256: string;
  /** Whether the address contains the hash of the current picture, so that its bytes never change. */
  isExact: boolean;
  /** Whether the add-on or account of the picture is public. */
  isPublic: boolean;
}

/** An address below `/media/` and its statement; $1 is the id, $2 the second group of the pattern. */
interface PictureAddress {
  name: string;
  pattern: RegExp;
  sql: string;
}

/** SQL: a stored picture of an add-on. `columns` selects `addon_id` and `sha256` from a table. */
const ofAddon = (columns: string): string => `
  SELECT p.sha256 AS source, p.sha256, ${IS_PUBLIC_ADDON} AS "isPublic"
  FROM (SELECT ${columns}) p(addon_id, sha256) JOIN addon a ON a.id = p.addon_id WHERE p.sha256 IS NOT NULL`;

/** SQL: a rendition of a picture of an add-on. */
const rendition = (table: string, source: string, addonId: string, name: string): string => `
  SELECT p.${source} AS source, r.sha256, ${IS_PUBLIC_ADDON} AS "isPublic" FROM ${table} p JOIN addon a ON a.id = p.${addonId}
  JOIN picture_rendition r ON r.source_sha256 = p.${source} AND r.name = ${name} WHERE a.id = $1`;

const ADDRESSES: readonly PictureAddress[] = [
  {
    name: 'icon',
    pattern: /^\/media\/addons\/(\d{1,10})\/(icon-32|icon-64)\.png$/,
    sql: rendition('addon', 'icon_sha256', 'id', '$2'),
  },
  {
    name: 'preview',
    pattern: /^\/media\/previews\/(\d{1,10})\/(image|thumbnail)\.png$/,
    sql: ofAddon(
      `addon_id, CASE $2 WHEN 'image' THEN image_sha256 ELSE thumbnail_sha256 END FROM preview WHERE id = $1`,
    ),
  },
  {
    name: 'persona',
    pattern: /^\/media\/personas\/(\d{1,10})\/(header|footer)\.png$/,
    sql: ofAddon(
      `addon_id, CASE $2 WHEN 'header' THEN header_sha256 ELSE footer_sha256 END FROM persona WHERE addon_id = $1`,
    ),
  },
  {
    name: 'persona-rendition',
    pattern: /^\/media\/personas\/(\d{1,10})\/(preview|icon|icon-64)\.png$/,
    sql: rendition('persona', 'header_sha256', 'addon_id', `'persona-' || $2`),
  },
  {
    name: 'account',
    pattern: /^\/media\/accounts\/(\d{1,10})\/(picture)\.png$/,
    sql: `SELECT p.picture_sha256 AS source, p.picture_sha256 AS sha256, $2 = 'picture' AND ${isPublicAccount('p.id')} AS "isPublic"
      FROM account p WHERE p.id = $1 AND p.picture_sha256 IS NOT NULL AND p.deleted_at IS NULL`,
  },
];

interface Row {
  /** Hash of the picture that `modified` refers to. */
  source: string;
  sha256: string;
  isPublic: boolean;
}

/**
 * The picture at an address, by one statement; null when there is none. `modified` is the parameter of the address, the start
 * of the hash. Picture requests carry no credentials, so pictures of non-public objects require the correct `modified`, which
 * only responses to permitted viewers contain.
 */
export async function findPicture(path: string, modified: string | null): Promise<FoundPicture | null> {
  for (const { name, pattern, sql } of ADDRESSES) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const id = databaseId(match[1] ?? '');
    if (id === 0) return null;
    const query = { name: `picture-${name}`, text: sql, values: [id, match[2]] };
    const { rows } = await withDatabaseErrorsExplained(() => pool.query<Row>(query));
    return rows[0] ? found(rows[0], modified) : null;
  }
  return null;
}

function found({ source, sha256, isPublic }: Row, modified: string | null): FoundPicture | null {
  const isExact = modified === source.slice(0, 8);
  return isExact || isPublic ? { sha256, isExact, isPublic } : null;
}
