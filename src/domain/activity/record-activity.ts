import type { Prisma, Transaction } from '../../infra/db.ts';

/** One change of state: what happened, who did it (null: the service itself), to what, and why. */
export interface ActivityEntry {
  /** Verb in the past, lower case with hyphens: `upload-received`, `approved`. */
  action: string;
  accountId?: number | null;
  addonId?: number | null;
  versionId?: number | null;
  /** Words of the one who did it, for others to read. */
  comments?: string;
  details?: Record<string, unknown>;
}

/** Appends a row to the activity log, in the transaction of the change that it tells of. Returns its id. */
export async function recordActivity(tx: Transaction, entry: ActivityEntry): Promise<number> {
  const { id } = await tx.activity.create({
    data: {
      action: entry.action,
      accountId: entry.accountId ?? null,
      addonId: entry.addonId ?? null,
      versionId: entry.versionId ?? null,
      // The database's texts hold every character but this one.
      comments: (entry.comments ?? '').replaceAll('\0', ''),
      details: (entry.details ?? {}) as Prisma.InputJsonObject,
    },
    select: { id: true },
  });
  return id;
}
