/* What shows the states of the demo's add-ons and accounts in addition to the import. Every step is skipped when it was done before. */
import type { Viewer } from '../auth/viewer.ts';
import { submitReport } from '../domain/abuse/submit-report.ts';
import { setAddonDisabled } from '../domain/listing/disable-addon.ts';
import { inviteAuthor } from '../domain/listing/invite-author.ts';
import { setAccountPicture } from '../domain/pictures/set-picture.ts';
import { newUploadPk } from '../domain/uploads/load-upload.ts';
import { db } from '../infra/db.ts';
import { FILE_STATUS } from '../package/enums.ts';
import { DEMO_ACCOUNTS, type DemoUsername } from './accounts.ts';
import { VALIDATING } from './demo-catalogue.ts';
import type { OwnPictures } from './own-pictures.ts';

const DISABLED = {
  by: 'operator',
  slug: 'disabled-guard',
  reason: 'It sent the addresses of visited pages to its maker.',
};
const WITHDRAWN = { by: 'developer', slug: 'withdrawn-cleaner', reason: 'A new version is in preparation.' };

/** Completes the states. `as` signs in as an account of the demo. */
export async function completeStates(
  as: (username: DemoUsername) => Promise<Viewer>,
  pictures: OwnPictures,
): Promise<void> {
  const [administrator, developer, user] = (await Promise.all(
    (['demo-admin', 'demo-developer', 'demo-user'] as const).map(as),
  )) as [Viewer, Viewer, Viewer];
  await explain(administrator, DISABLED);
  await explain(developer, WITHDRAWN);
  await postponeValidation();
  await reportAbuse(user);
  await inviteAuthors(developer);
  await portrayAccounts(administrator, pictures);
}

/** Repeats the disabling of an imported add-on, which records who did it and why. */
async function explain(viewer: Viewer, { by, slug, reason }: typeof DISABLED): Promise<void> {
  const addon = await db.addon.findUnique({ where: { slug }, select: { id: true } });
  const action = `addon-disabled-by-${by}`;
  if (addon === null || (await db.activity.count({ where: { addonId: addon.id, action } })) > 0) return;
  await setAddonDisabled(viewer, addon.id, { by: by as 'operator' | 'developer', disabled: true, reason });
}

/**
 * Makes the imported version of one add-on a fresh upload whose validation is due in ten years, so that pages can show one. Its job
 * has the key that keeps the reconciler from adding another.
 */
async function postponeValidation(): Promise<void> {
  const version = await db.version.findFirst({
    where: { addon: { slug: VALIDATING }, upload: null },
    select: { id: true, addonId: true, addon: { select: { authors: { select: { accountId: true } } } } },
  });
  const accountId = version?.addon.authors[0]?.accountId;
  if (version === null || accountId === undefined) return;
  const { id, addonId } = version;
  await db.$transaction(async (tx) => {
    await tx.version.update({ where: { id }, data: { stage: 'validating', created: new Date() } });
    await tx.file.updateMany({ where: { versionId: id }, data: { status: FILE_STATUS.awaitingReview } });
    await tx.upload.create({
      data: { pk: newUploadPk(), addonId, versionId: id, accountId, fileName: `${VALIDATING}.xpi` },
    });
    await tx.$executeRaw`
      SELECT graphile_worker.add_job('validate-version', payload => json_build_object('versionId', ${id}::int),
        job_key => ${`validate-version:${id}`}, run_at => now() + interval '10 years')`;
  });
}

/** Open invitations to become an author, for the pages of both sides. */
async function inviteAuthors(owner: Viewer): Promise<void> {
  if ((await db.activity.count({ where: { action: 'author-invited' } })) > 0) return;
  const addon = await db.addon.findUnique({ where: { slug: WITHDRAWN.slug }, select: { id: true } });
  if (addon === null) return;
  for (const [username, role] of [['demo-user', 'developer'] as const, ['demo-developer-2', 'owner'] as const]) {
    await inviteAuthor(owner, addon.id, { account: { username }, role, listed: true });
  }
}

/** Reports of an add-on and of an account. */
async function reportAbuse(viewer: Viewer): Promise<void> {
  if ((await db.abuseReport.count()) > 0) return;
  const context = { viewer, ip: null, locale: 'en-US', requestId: 'demo' };
  const report = (kind: 'addon' | 'user', target: string, message: string) =>
    submitReport(
      context,
      kind,
      new Map([
        [kind, target],
        ['message', message],
      ]),
    );
  await report('addon', 'downloads-courier', 'It opens its own page after every start of the browser.');
  await report('addon', 'cookies-guard', 'The description promises a list of exceptions; there is none.');
  await report('user', 'paper-kite', 'The biography advertises a shop.');
}

/** Gives each account of the demo a picture. */
async function portrayAccounts(administrator: Viewer, pictures: OwnPictures): Promise<void> {
  for (const { username } of DEMO_ACCOUNTS) {
    const account = await db.account.findUnique({ where: { username }, select: { id: true, pictureSha256: true } });
    if (account === null || account.pictureSha256 !== null) continue;
    await setAccountPicture(administrator, account.id, pictures.upload(username));
  }
}
