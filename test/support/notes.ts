import type { TestApp } from './app.ts';

/** A row of the activity log about a version. */
export interface NoteFacts {
  action: string;
  accountId?: number | null;
  comments?: string;
  created?: string;
  by?: 'developer' | 'reviewer';
}

/** Adds rows to the activity log of a version, as the service writes them. Returns their ids. */
export async function addNotes(app: TestApp, versionId: number, notes: readonly NoteFacts[]): Promise<number[]> {
  const rows = await app.sql<{ id: number }>(
    `INSERT INTO activity (action, account_id, addon_id, version_id, comments, created, details)
     SELECT n.action, n."accountId", v.addon_id, v.id, coalesce(n.comments, ''), coalesce(n.created, now()),
       CASE WHEN n.by IS NULL THEN '{}' ELSE jsonb_build_object('by', n.by) END
     FROM version v, json_to_recordset($2::json)
       AS n(action text, "accountId" int, comments text, created timestamptz, by text)
     WHERE v.id = $1 RETURNING id`,
    [versionId, JSON.stringify(notes)],
  );
  return rows.map(({ id }) => id);
}
