import type { Database } from '../../infra/db.ts';

/** Stages that do not count as a version of the add-on. */
const FAILED = ['invalid', 'rejected', 'error'];

/** The newest version of an add-on that has not failed, deleted ones included, or null. */
export async function newestVersion(
  tx: Database,
  addonId: number,
): Promise<{ version: string; channel: string } | null> {
  return tx.version.findFirst({
    where: { addonId, stage: { notIn: FAILED } },
    orderBy: [{ created: 'desc' }, { id: 'desc' }],
    select: { version: true, channel: true },
  });
}

/** The channel of the newest upload of any state: what a further one gets when it names none (contract, States). */
export async function newestChannel(tx: Database, addonId: number): Promise<'listed' | 'unlisted'> {
  const newest = await tx.version.findFirst({
    where: { addonId },
    orderBy: [{ created: 'desc' }, { id: 'desc' }],
    select: { channel: true },
  });
  return newest?.channel === 'listed' ? 'listed' : 'unlisted';
}

/** Whether a version number of the add-on is taken: by one in progress, one that succeeded, or a deleted one. */
export async function isVersionTaken(tx: Database, addonId: number, version: string): Promise<boolean> {
  return (await tx.version.count({ where: { addonId, version, stage: { notIn: FAILED } } })) > 0;
}
