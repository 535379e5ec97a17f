import { db, type Prisma } from '../../infra/db.ts';
import type { Channel, Stage } from './stages.ts';

const uploadSelection = {
  id: true,
  pk: true,
  accountId: true,
  versionId: true,
  validation: true,
  created: true,
  updated: true,
  addon: { select: { id: true, guid: true, deletedAt: true, authors: { select: { accountId: true, role: true } } } },
  version: {
    select: {
      id: true,
      version: true,
      channel: true,
      stage: true,
      reason: true,
      files: { orderBy: { id: 'asc' } },
    },
  },
} satisfies Prisma.UploadSelect;

type UploadRow = Prisma.UploadGetPayload<{ select: typeof uploadSelection }>;

/** An upload with what its status is made of. `stage` may be newer or older than the row's in an event about a change. */
export interface UploadState extends Omit<UploadRow, 'version'> {
  version: Omit<UploadRow['version'], 'stage' | 'channel'> & { stage: Stage; channel: Channel };
}

/** The upload that `where` names, or null. */
export async function loadUpload(where: Prisma.UploadWhereUniqueInput): Promise<UploadState | null> {
  return (await db.upload.findUnique({ where, select: uploadSelection })) as UploadState | null;
}

/** The newest upload of a version number of an add-on, or the one with the given `pk` among them; null when there is none. */
export async function loadUploadOf(addonId: number, version: string, pk: string | null): Promise<UploadState | null> {
  return (await db.upload.findFirst({
    where: { addonId, version: { version }, ...(pk === null ? {} : { pk }) },
    orderBy: { id: 'desc' },
    select: uploadSelection,
  })) as UploadState | null;
}

/** The uploads with these public identifiers, in their order. */
export async function loadUploads(pks: readonly string[]): Promise<(UploadState | null)[]> {
  const rows = await db.upload.findMany({ where: { pk: { in: [...pks] } }, select: uploadSelection });
  return pks.map((pk) => (rows.find((row) => row.pk === pk) as UploadState | undefined) ?? null);
}
