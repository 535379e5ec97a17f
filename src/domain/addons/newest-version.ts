import type { Database } from '../../infra/db.ts';

/** Stages that do not count as a version of the add-on. */
const FAILED = ['invalid', 'rejected', 'error'];

/** The versions that a listing is about: those that have not failed and are not deleted. */
export const listedVersions = (addonId: number) => ({
  addonId,
  channel: 'listed',
  deletedAt: null,
  stage: { notIn: FAILED },
});

/** The newest of them: what users get or will, or null. */
export async function newestListedVersion(tx: Database, addonId: number): Promise<{ id: number } | null> {
  return tx.version.findFirst({ where: listedVersions(addonId), orderBy: { id: 'desc' }, select: { id: true } });
}

/** The number of the newest version of an add-on that has not failed, deleted ones included, or null. */
export async function newestVersion(tx: Database, addonId: number): Promise<string | null> {
  const newest = await tx.version.findFirst({
    where: { addonId, stage: { notIn: FAILED } },
    orderBy: [{ created: 'desc' }, { id: 'desc' }],
    select: { version: true },
  });
  return newest?.version ?? null;
}
