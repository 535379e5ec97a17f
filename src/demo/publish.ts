import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Viewer } from '../auth/viewer.ts';
import type { TextsByLocale, TranslationChange } from '../domain/addons/localized-text.ts';
import { FAILED_STAGES, FINAL_STAGES, isOneOf, type Stage } from '../domain/addons/stages.ts';
import { updateAddon } from '../domain/listing/update-addon.ts';
import { addPreview } from '../domain/pictures/edit-previews.ts';
import { setAddonIcon } from '../domain/pictures/set-picture.ts';
import { type ReviewAct, reviewVersion } from '../domain/reviewing/review-acts.ts';
import { acceptUpload } from '../domain/submission/accept-upload.ts';
import type { Addon } from '../generated/prisma/client.ts';
import { db } from '../infra/db.ts';
import type { DemoAddon, DemoListing, DemoVersion } from './catalogue.ts';
import type { OwnPictures } from './own-pictures.ts';
import { writePackage } from './packages.ts';

const LOOK_MS = 100;

/** The viewers that act, the pictures that they upload, and the signal that stops them. */
interface DemoActors {
  author: Viewer;
  reviewer: Viewer;
  pictures: OwnPictures;
  stopping: AbortSignal;
}

/**
 * Uploads, lists and reviews an add-on of the demo until every version has its final stage. Each step is skipped when it was done
 * before, so that an interrupted demo continues.
 * @throws when `stopping` is aborted, and when a version ends in another stage.
 */
export async function publishDemo(addon: DemoAddon, actors: DemoActors): Promise<void> {
  for (const version of addon.versions) {
    if (version.channel === 'listed') await ensureListing(addon, actors);
    const { id, stage } = (await findVersion(addon, version)) ?? (await upload(addon, version, actors));
    const settled = await settle(id, stage, actors);
    if (settled === 'awaiting_review') await decide(id, version, actors);
    const end = await settle(id, (await stageOf(id)) ?? settled, actors);
    if (end !== version.end) throw new Error(`demo: ${addon.guid} ${version.version} ended as ${end}`);
  }
}

/** The version of an earlier upload; null when there is none, or when it failed unexpectedly and is to be uploaded again. */
async function findVersion({ guid }: DemoAddon, { version, end }: DemoVersion) {
  const found = await db.version.findFirst({
    where: { addon: { guid }, version },
    orderBy: { id: 'desc' },
    select: { id: true, stage: true },
  });
  const hasFailed = found !== null && isOneOf(FAILED_STAGES, found.stage) && found.stage !== end;
  return found === null || hasFailed ? null : { id: found.id, stage: found.stage as Stage };
}

async function upload(
  { guid, fileName, build }: DemoAddon,
  { version, channel }: DemoVersion,
  { author, pictures }: DemoActors,
) {
  const folder = await mkdtemp(join(tmpdir(), 'addons-demo-'));
  try {
    const path = join(folder, fileName);
    await writePackage(path, build(guid, version, pictures));
    const file = { fileName, mimeType: 'application/zip', open: () => createReadStream(path) };
    const { versionId } = await acceptUpload(author, {
      ...{ guid, version, channel },
      file: Promise.resolve(file),
      changes: { addon: {}, version: {} },
    });
    return { id: versionId, stage: 'received' as Stage };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function stageOf(id: number): Promise<Stage | undefined> {
  const row = await db.version.findUnique({ where: { id }, select: { stage: true } });
  return row?.stage as Stage | undefined;
}

/** Waits until the worker has finished with a version. */
async function settle(id: number, stage: Stage, { stopping }: DemoActors): Promise<Stage> {
  let known = stage;
  while (!FINAL_STAGES.includes(known) && known !== 'awaiting_review') {
    await sleep(LOOK_MS, undefined, { signal: stopping });
    known = (await stageOf(id)) ?? known;
  }
  return known;
}

async function decide(id: number, version: DemoVersion, { author, reviewer }: DemoActors): Promise<void> {
  const { end, comments = '', thread = [] } = version;
  const act = (viewer: Viewer, name: ReviewAct, text: string) => reviewVersion(viewer, name, { versionId: id }, text);
  const notes = { action: { in: ['more-information-requested', 'review-note'] }, versionId: id };
  for (const { by, text } of thread.slice(await db.activity.count({ where: notes }))) {
    if (by === 'author') await act(author, 'reply', text);
    else await act(reviewer, 'request-information', text);
  }
  if (end === 'signed') await act(reviewer, 'approve', comments);
  if (end === 'rejected') await act(reviewer, 'reject', comments);
}

/** Sets the texts, category and licence that a listed version needs, and an icon. */
async function ensureListing({ guid, listing }: DemoAddon, { author, pictures }: DemoActors): Promise<void> {
  const addon = await db.addon.findUniqueOrThrow({ where: { guid }, include: { categories: true } });
  if (listing === undefined) return;
  if (addon.licenseId === null || addon.categories.length === 0) await list(addon, listing, author);
  const { slug } = listing;
  if (addon.iconSha256 === null) await setAddonIcon(author, addon.id, pictures.upload(`${slug}-icon`));
  if (listing.hasPreviews && (await db.preview.count({ where: { addonId: addon.id } })) === 0) {
    await addPreview(author, addon.id, pictures.upload(`${slug}-preview`), {
      caption: [
        { locale: 'en-US', value: 'The panel behind the button' },
        { locale: 'de', value: 'Das Feld hinter der Schaltfläche' },
        { locale: 'he', value: 'החלונית שמאחורי הכפתור' },
      ],
    });
  }
}

async function list(addon: Addon, { license: builtin, ...listing }: DemoListing, author: Viewer): Promise<void> {
  const categories = await db.category.findMany({
    where: { type: addon.type, app: 'desktop_browser', slug: 'other' },
    select: { id: true },
  });
  const license = await db.license.findUniqueOrThrow({ where: { builtin }, select: { id: true } });
  const { slug, tags, name, summary, description, eula, privacyPolicy } = listing;
  const translated = { name, summary, description, eula, privacyPolicy };
  await updateAddon(author, addon.id, {
    ...Object.fromEntries(
      Object.entries(translated).flatMap(([field, value]) =>
        value === undefined ? [] : [[field, translationsOf(value, addon.defaultLocale)]],
      ),
    ),
    slug,
    tags,
    categories: categories.map(({ id }) => id),
    license: license.id,
  });
}

function translationsOf(value: string | TextsByLocale, defaultLocale: string): TranslationChange[] {
  if (typeof value === 'string') return [{ locale: defaultLocale, value }];
  return Object.entries(value).map(([locale, text]) => ({ locale, value: text }));
}
