import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { pool, prepared } from '../../infra/db.ts';
import { type DocumentKey, KEY_COLUMNS, KEY_JOIN } from '../addons/load-documents.ts';

/** Public add-ons among these guids, each once, in their order, without some types. */
export const findPublicByGuids = prepared<DocumentKey>(
  pool,
  'public-addons-by-guid',
  `SELECT ${KEY_COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY w(guid, position)
    JOIN addon a ON a.guid = w.guid::citext ${KEY_JOIN}
    WHERE ${IS_PUBLIC_ADDON} AND NOT a.type = ANY($2) GROUP BY a.id, d.row_version ORDER BY min(w.position)`,
);
