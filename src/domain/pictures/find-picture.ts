import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { withDatabaseErrorsExplained } from '../../infra/database-errors.ts';
import { pool } from '../../infra/db.ts';
import { isPublicAccount } from '../accounts/public-account.ts';

export interface FoundPicture {
  /** Hash of the bytes, hex. */
  sha256: string;
  /** Whether the address contains the hash of the current picture, so that its bytes never change. */
  isExact: boolean;
  /** Whether the add-on or account of the picture is public. */
  isPublic: boolean;
}

/** An address below `/media/` and its statement; $1 is the id, $2 the rendition. */
interface PictureAddress {
  name: string;
  pattern: RegExp;
  /** Rendition names by the second group of the pattern; by default the group is the name. */
  renditions?: Readonly<Record<string, string>>;
  sql: string;
}

const ADDRESSES: readonly PictureAddress[] = [
  {
    name: 'icon',
    pattern: /^\/media\/addons\/(\d{1,10})\/(icon-32|icon-64)\.png$/,
    sql: `SELECT a.icon_sha256 AS source, r.sha256, ${IS_PUBLIC_ADDON} AS "isPublic" FROM addon a
      JOIN picture_rendition r ON r.source_sha256 = a.icon_sha256 AND r.name = $2 WHERE a.id = $1`,
  },
  {
    name: 'preview',
    pattern: /^\/media\/previews\/(\d{1,10})\/(image|thumbnail)\.png$/,
    sql: `SELECT p.sha256 AS source, p.sha256, ${IS_PUBLIC_ADDON} AS "isPublic" FROM (
        SELECT addon_id, CASE $2 WHEN 'image' THEN image_sha256 ELSE thumbnail_sha256 END AS sha256
        FROM preview WHERE id = $1
      ) p JOIN addon a ON a.id = p.addon_id WHERE p.sha256 IS NOT NULL`,
  },
  {
    name: 'persona',
    pattern: /^\/media\/personas\/(\d{1,10})\/(header|footer)\.png$/,
    sql: `SELECT p.sha256 AS source, p.sha256, ${IS_PUBLIC_ADDON} AS "isPublic" FROM (
        SELECT addon_id, CASE $2 WHEN 'header' THEN header_sha256 ELSE footer_sha256 END AS sha256
        FROM persona WHERE addon_id = $1
      ) p JOIN addon a ON a.id = p.addon_id WHERE p.sha256 IS NOT NULL`,
  },
  {
    name: 'persona-rendition',
    pattern: /^\/media\/personas\/(\d{1,10})\/(preview|icon|icon-64)\.png$/,
    renditions: { preview: 'persona-preview', icon: 'persona-icon', 'icon-64': 'persona-icon-64' },
    sql: `SELECT p.header_sha256 AS source, r.sha256, ${IS_PUBLIC_ADDON} AS "isPublic" FROM persona p
      JOIN picture_rendition r ON r.source_sha256 = p.header_sha256 AND r.name = $2
      JOIN addon a ON a.id = p.addon_id WHERE p.addon_id = $1`,
  },
  {
    name: 'account',
    pattern: /^\/media\/accounts\/(\d{1,10})\/(picture)\.png$/,
    sql: `SELECT p.picture_sha256 AS source, p.picture_sha256 AS sha256, $2 = 'picture' AND ${isPublicAccount('p.id')} AS "isPublic" FROM account p WHERE p.id = $1 AND p.picture_sha256 IS NOT NULL AND p.deleted_at IS NULL`,
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
  for (const { name, pattern, renditions, sql } of ADDRESSES) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const [id, part = ''] = [databaseId(match[1] ?? ''), match[2]];
    if (id === 0) return null;
    const query = { name: `picture-${name}`, text: sql, values: [id, renditions?.[part] ?? part] };
    const { rows } = await withDatabaseErrorsExplained(() => pool.query<Row>(query));
    return rows[0] ? found(rows[0], modified) : null;
  }
  return null;
}

function found({ source, sha256, isPublic }: Row, modified: string | null): FoundPicture | null {
  const isExact = modified === source.slice(0, 8);
  return isExact || isPublic ? { sha256, isExact, isPublic } : null;
}
