import { AUTOMATIC_REVIEW_ID } from '../../auth/credential-account.ts';
import type { SignedIn } from '../../auth/viewer.ts';
import { NotFoundError, refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import type { UploadedFile } from '../../infra/staging/staging.ts';
import { message } from '../../texts/messages.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { isOneOf, UNUSABLE_STAGES } from '../addons/stages.ts';
import { type ExpectedValues, requireExpected } from '../listing/expected-values.ts';
import { lockEditableAddon } from '../listing/lock-addon.ts';
import { receiveSource, type StoredSource } from './receive-source.ts';

const REVIEWED = message('source.version_reviewed');

/** The version whose source changes, and who changes it. */
interface SourceTarget {
  addonId: number;
  versionId: number;
  accountId: number;
  /** Input field that errors are about. */
  field: string;
}

/**
 * Replaces the source code of a version, or removes it (null), in a transaction that has locked its add-on. Adding it writes a note to
 * the thread of the version. The source that it has already is no change.
 * @throws {InvalidInputError} on `field` once a person has approved or rejected the version.
 */
export async function setSource(tx: Transaction, target: SourceTarget, source: StoredSource | null): Promise<void> {
  const { addonId, versionId, accountId, field } = target;
  const present = await tx.versionSource.findUnique({ where: { versionId } });
  if (present?.sha256 === source?.sha256 && present?.name === source?.name) return;
  if (await isReviewed(tx, versionId)) throw refusedField(field, REVIEWED);
  if (source === null) {
    await tx.versionSource.delete({ where: { versionId } });
  } else {
    const data = { ...source, size: BigInt(source.size), created: new Date() };
    await tx.versionSource.upsert({ where: { versionId }, create: { ...data, versionId }, update: data });
  }
  const action = source === null ? 'source-code-removed' : 'source-code-uploaded';
  const { name, size, sha256 } = source ?? { ...present, size: Number(present?.size) };
  await recordActivity(tx, { action, accountId, addonId, versionId, details: { name, size, sha256 } });
}

/** Whether a person has decided; the service is none. */
async function isReviewed(tx: Transaction, versionId: number): Promise<boolean> {
  const decisions = await tx.activity.count({
    where: { versionId, action: { in: ['approved', 'rejected'] }, accountId: { not: AUTOMATIC_REVIEW_ID } },
  });
  return decisions > 0;
}

/**
 * Attaches source code to a version that the viewer may edit, for its reviewers; null removes it.
 * @throws {NotFoundError} and {NotPermittedError} when that has changed while the file was read; {ThrottledError}; what
 * `receiveSource` and `setSource` throw, and if others have changed it since, on `file`.
 */
export async function attachSource(
  editor: SignedIn,
  { addonId, versionId }: Pick<SourceTarget, 'addonId' | 'versionId'>,
  file: Promise<UploadedFile> | null,
  expected: ExpectedValues = {},
): Promise<void> {
  const source = file && (await receiveSource(editor, await file, 'file'));
  await db.$transaction(async (tx) => {
    const { account } = await lockEditableAddon(tx, editor, addonId, 'releases');
    await requireVersion(tx, versionId);
    const present = await tx.versionSource.findUnique({ where: { versionId }, select: { sha256: true } });
    requireExpected({ expected, present: { file: hashOf(present) }, wanted: { file: hashOf(source) } });
    await setSource(tx, { addonId, versionId, accountId: account.accountId, field: 'file' }, source);
  });
}

const hashOf = (source: { sha256: string } | null): string | null => source && `sha256:${source.sha256}`;

async function requireVersion(tx: Transaction, id: number): Promise<void> {
  const version = await tx.version.findUnique({ where: { id }, select: { stage: true, deletedAt: true } });
  if (version === null || version.deletedAt !== null || isOneOf(UNUSABLE_STAGES, version.stage))
    throw new NotFoundError();
}
