import type { Database, Prisma } from '../../infra/db.ts';
import { FAILED_STAGES } from './stages.ts';

/** Prisma order: by date, because imported versions keep dates and ids that need not ascend together. */
const NEWEST_FIRST = [{ created: 'desc' }, { id: 'desc' }] satisfies Prisma.VersionOrderByWithRelationInput[];

/** Prisma filter: listed versions of an add-on that are not failed or deleted. */
export const acceptedListedVersions = (addonId: number) => ({
  addonId,
  channel: 'listed',
  deletedAt: null,
  stage: { notIn: [...FAILED_STAGES] },
});

/** The newest listed version that is not failed or deleted, or null. */
export async function newestListedVersion(tx: Database, addonId: number): Promise<{ id: number } | null> {
  return tx.version.findFirst({ where: acceptedListedVersions(addonId), orderBy: NEWEST_FIRST, select: { id: true } });
}

/** The version number of the newest version that has not failed, including deleted ones, or null. */
export async function newestVersion(tx: Database, addonId: number): Promise<string | null> {
  const newest = await tx.version.findFirst({
    where: { addonId, stage: { notIn: [...FAILED_STAGES] } },
    orderBy: NEWEST_FIRST,
    select: { version: true },
  });
  return newest?.version ?? null;
}
