import { Prisma, type Transaction } from '../../infra/db.ts';
import { storableJson, storableText } from '../../infra/storable-text.ts';
import type { ActivityAction } from './actions.ts';

/** What happened, who did it and why. */
export interface ActivityFacts {
  action: ActivityAction;
  /** The actor; null for commands and the service. */
  accountId?: number | null;
  /** The actor's words for readers of the log. */
  comments?: string;
  details?: Record<string, unknown>;
}

interface ActivityEntry extends ActivityFacts {
  addonId?: number | null;
  versionId?: number | null;
}

/** Appends a row to the activity log in the transaction of the change it describes. Returns the id of the row. */
export async function recordActivity(tx: Transaction, entry: ActivityEntry): Promise<number> {
  const { addonId = null, versionId = null, ...facts } = entry;
  const insert = activityInsert(facts, Prisma.sql`SELECT ${addonId}::int, ${versionId}::int`);
  const [row] = await tx.$queryRaw<{ id: number }[]>`${insert} RETURNING id`;
  if (row === undefined) throw new Error('The statement that records an activity returned no row.');
  return row.id;
}

/**
 * The INSERT of `recordActivity` as SQL, for statements that change a row and log it in one round trip.
 * `targets` is a query of add-on and version ids; each of its rows gets a row in the log.
 */
export function activityInsert(
  { action, accountId = null, comments = '', details = {} }: ActivityFacts,
  targets: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO activity (action, account_id, comments, details, addon_id, version_id)
    SELECT ${action}, ${accountId}::int, ${storableText(comments)}, ${storableJson(details)}::jsonb, addon_id, version_id
    FROM (${targets}) AS target(addon_id, version_id)`;
}
