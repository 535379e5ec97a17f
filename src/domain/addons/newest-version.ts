import type { Database } from '../../infra/db.ts';

/** Stages of versions that have failed. */
const FAILED = ['invalid', 'rejected', 'error'];

/** Prisma filter: listed versions of an add-on that are not failed or deleted. */
export const listedVersions = (addonId: number) => ({
  addonId,
  channel: 'listed',
  deletedAt: null,
  stage: { notIn: FAILED },
});

/** The newest listed version that is not failed or deleted, or null. */
export async function newestListedVersion(tx: Database, addonId: number): Promise<{ id: number } | null> {
  return tx.version.findFirst({ where: listedVersions(addonId), orderBy: { id: 'desc' }, select: { id: true } });
}

/** The version number of the newest version that has not failed, including deleted ones, or null. */
export async function newestVersion(tx: Database, addonId: number): Promise<string | null> {
  const newest = await tx.version.findFirst({
    where: { addonId, stage: { notIn: FAILED } },
    orderBy: [{ created: 'desc' }, { id: 'desc' }],
    select: { version: true },
  });
  return newest?.version ?? null;
}
