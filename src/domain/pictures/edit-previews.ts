import { requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import type { UploadedFile } from '../../infra/staging/staging.ts';
import { message } from '../../texts/messages.ts';
import type { ActivityAction } from '../activity/actions.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { NO_ADDON } from '../addons/find-addon.ts';
import { mergeTranslations, storedTexts, type TranslationChange } from '../addons/localized-text.ts';
import { recordAddonAct } from '../addons/record-addon-act.ts';
import { checkLength } from '../listing/check-texts.ts';
import { type ExpectedValues, requireExpected } from '../listing/expected-values.ts';
import { lockEditableAddon, requireEditableAddon } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { PREVIEW_KIND } from './picture-kinds.ts';
import { receivePicture } from './receive-picture.ts';
import { previewColumns } from './store-picture.ts';

/** Limit per add-on: its document contains all previews. */
export const MAX_PREVIEWS = 30;

const MAX_CAPTION = 500;

/** Absent keys do not change. */
interface PreviewChanges {
  /** By language; null deletes one, languages that are absent do not change. */
  caption?: TranslationChange[];
  /** Place among the previews of the add-on, from 0; values past the end mean the last place. */
  position?: number;
}

function mergeCaption(present: unknown, changes: TranslationChange[]) {
  const merged = mergeTranslations(storedTexts(present), changes, 'caption');
  for (const caption of Object.values(merged)) checkLength('caption', caption, MAX_CAPTION);
  return merged;
}

/**
 * Moves a preview and renumbers all previews of the add-on.
 * @throws {InvalidInputError} on `position` if others have moved it from the expected place.
 */
async function movePreview(
  tx: Transaction,
  { addonId, id }: { addonId: number; id: number },
  position: number,
  expected: ExpectedValues = {},
): Promise<void> {
  const rows = await tx.preview.findMany({
    where: { addonId },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
    select: { id: true },
  });
  const present = rows.findIndex((row) => row.id === id);
  requireExpected({ expected, present: { position: present }, wanted: { position } });
  const ids = rows.flatMap((row) => (row.id === id ? [] : [row.id]));
  ids.splice(Math.max(0, position), 0, id);
  await tx.$executeRaw`
    UPDATE preview SET position = wanted.place - 1
    FROM unnest(${ids}::int[]) WITH ORDINALITY AS wanted(id, place) WHERE preview.id = wanted.id`;
}

/**
 * Adds a preview to an add-on, at the end by default. Returns its id.
 * @throws what `requireEditableAddon` and `receivePicture` throw, {InvalidInputError} above the limit.
 */
export async function addPreview(
  viewer: Viewer,
  addonId: number,
  file: Promise<UploadedFile>,
  { caption = [], position }: PreviewChanges,
): Promise<number> {
  const { editor } = await requireEditableAddon(viewer, addonId, 'listing');
  const captions = mergeCaption({}, caption);
  const pictures = previewColumns(await receivePicture(editor.accountId, file, PREVIEW_KIND));
  return db.$transaction(async (tx) => {
    await lockEditableAddon(tx, viewer, addonId, 'listing');
    const present = await tx.preview.count({ where: { addonId } });
    if (present >= MAX_PREVIEWS) {
      throw new InvalidInputError(message('picture.too_many_previews', { max: MAX_PREVIEWS }));
    }
    const { id } = await tx.preview.create({
      data: { addonId, caption: captions, ...pictures },
      select: { id: true },
    });
    await movePreview(tx, { addonId, id }, position ?? present);
    await recordActivity(tx, {
      action: 'preview-added',
      accountId: editor.accountId,
      addonId,
      details: { previewId: id, sha256: pictures.imageSha256 },
    });
    await publishAddons(tx, [addonId]);
    await recordPreviewAct(tx, editor, addonId, { action: 'preview-added', details: { previewId: id } });
    return id;
  });
}

/** Records a change of previews by staff. */
function recordPreviewAct(
  tx: Transaction,
  editor: SignedIn,
  addonId: number,
  act: { action: ActivityAction; details: Record<string, unknown> },
): Promise<void> {
  return recordAddonAct(tx, editor, addonId, { ...act, notice: 'addon-previews-changed' });
}

/** The add-on id of a preview; `NO_ADDON` for an unknown one, which the lock then refuses as it does a deleted add-on. */
async function addonOfPreview(viewer: Viewer, id: number): Promise<number> {
  requireSignedIn(viewer);
  const preview = await db.preview.findUnique({ where: { id }, select: { addonId: true } });
  return preview?.addonId ?? NO_ADDON;
}

/**
 * Changes caption and place of a preview. Returns the id of its add-on.
 * @throws what `lockEditableAddon` throws, {InvalidInputError} on `caption`, and on a place that others have changed.
 */
export async function updatePreview(
  viewer: Viewer,
  id: number,
  changes: PreviewChanges,
  expected: ExpectedValues = {},
): Promise<number> {
  const addonId = await addonOfPreview(viewer, id);
  await db.$transaction(async (tx) => {
    const { account } = await lockEditableAddon(tx, viewer, addonId, 'listing');
    const preview = await tx.preview.findUnique({ where: { id }, select: { caption: true } });
    if (preview === null) throw new NotFoundError();
    if (changes.caption !== undefined) {
      await tx.preview.update({ where: { id }, data: { caption: mergeCaption(preview.caption, changes.caption) } });
    }
    if (changes.position !== undefined) await movePreview(tx, { addonId, id }, changes.position, expected);
    const details = { previewId: id, fields: Object.keys(changes) };
    await recordActivity(tx, { action: 'preview-edited', accountId: account.accountId, addonId, details });
    await publishAddons(tx, [addonId]);
    await recordPreviewAct(tx, account, addonId, { action: 'preview-edited', details });
  });
  return addonId;
}

/** Deletes a preview. Returns the id of its add-on. @throws what `lockEditableAddon` throws. */
export async function deletePreview(viewer: Viewer, id: number): Promise<number> {
  const addonId = await addonOfPreview(viewer, id);
  await db.$transaction(async (tx) => {
    const { account } = await lockEditableAddon(tx, viewer, addonId, 'listing');
    const { count } = await tx.preview.deleteMany({ where: { id } });
    if (count === 0) throw new NotFoundError();
    const details = { previewId: id };
    await recordActivity(tx, { action: 'preview-deleted', accountId: account.accountId, addonId, details });
    await publishAddons(tx, [addonId]);
    await recordPreviewAct(tx, account, addonId, { action: 'preview-deleted', details });
  });
  return addonId;
}
