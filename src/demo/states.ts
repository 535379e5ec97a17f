/* What shows the states of the demo's add-ons and accounts in addition to the import. Every step is skipped when it was done before. */
import { join } from 'node:path';
import { requirePermission } from '../auth/permissions.ts';
import type { Viewer } from '../auth/viewer.ts';
import { config } from '../config.ts';
import { submitReport } from '../domain/abuse/submit-report.ts';
import { setAddonDisabled } from '../domain/listing/disable-addon.ts';
import { inviteAuthor } from '../domain/listing/invite-author.ts';
import { countJobs } from '../domain/operation/find-jobs.ts';
import { setAccountPicture } from '../domain/pictures/set-picture.ts';
import { signImported } from '../domain/signing/sign-imported.ts';
import { newUploadPk } from '../domain/uploads/load-upload.ts';
import { db } from '../infra/db.ts';
import { openFileSigner } from '../infra/signer/file-signer.ts';
import { signImportedTask } from '../jobs/tasks.ts';
import { FILE_STATUS } from '../package/enums.ts';
import { DEMO_ACCOUNTS, type DemoUsername } from './accounts.ts';
import { addCannedResponses } from './canned-responses.ts';
import { VALIDATING_SLUG } from './demo-catalogue.ts';
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
  await delayValidation();
  await failSigning();
  await reportAbuse(user);
  await inviteAuthors(developer);
  await portrayAccounts(administrator, pictures);
  await addCannedResponses(requirePermission(administrator, 'Admin:Review'));
}

/** Repeats the disabling of an imported add-on, which records who did it and why. */
async function explain(viewer: Viewer, { by, slug, reason }: typeof DISABLED): Promise<void> {
  const addon = await db.addon.findUnique({ where: { slug }, select: { id: true } });
  const action = `addon-disabled-by-${by}`;
  if (addon === null || (await db.activity.count({ where: { addonId: addon.id, action } })) > 0) return;
  await setAddonDisabled(viewer, addon.id, { by: by as 'operator' | 'developer', disabled: true, reason });
}

/** A job that has failed this often is tried again after e to this power in seconds, the longest delay: six hours. */
const ATTEMPTS = 10;
/** The sum of the delays before, in seconds. */
const FAILING_SECONDS = Array.from({ length: ATTEMPTS - 1 }, (_, index) => Math.exp(index + 1)).reduce(
  (one, other) => one + other,
);
const FULL_DISK = 'ENOSPC: no space left on device, write';

/**
 * Makes the imported version of one add-on an upload whose validation has failed for hours, because a disk was full, and is tried again
 * in six hours; then it is validated as others are. Pages can show both until then. Its job has the key that keeps the reconciler from adding
 * another.
 */
async function delayValidation(): Promise<void> {
  const version = await db.version.findFirst({
    where: { addon: { slug: VALIDATING_SLUG }, upload: null },
    select: { id: true, addonId: true, addon: { select: { authors: { select: { accountId: true } } } } },
  });
  const accountId = version?.addon.authors[0]?.accountId;
  if (version === null || accountId === undefined) return;
  const { id, addonId } = version;
  const created = new Date(Date.now() - FAILING_SECONDS * 1000);
  await db.$transaction(async (tx) => {
    await tx.version.update({ where: { id }, data: { stage: 'validating', created } });
    await tx.file.updateMany({ where: { versionId: id }, data: { status: FILE_STATUS.awaitingReview } });
    await tx.upload.create({
      data: { pk: newUploadPk(), addonId, versionId: id, accountId, fileName: `${VALIDATING_SLUG}.xpi` },
    });
    const [job] = await tx.$queryRaw<{ id: bigint }[]>`
      SELECT id FROM graphile_worker.add_job('validate-version', payload => json_build_object('versionId', ${id}::int),
        job_key => ${`validate-version:${id}`}, run_at => now() + exp(${ATTEMPTS}) * interval '1 second')`;
    await tx.$executeRaw`
      UPDATE graphile_worker._private_jobs SET attempts = ${ATTEMPTS}, last_error = ${FULL_DISK}, created_at = ${created}
      WHERE id = ${job?.id}`;
  });
}

/** The add-on that the failed job is about. */
const FAILED_SLUG = 'hebrew-calendar';

/**
 * Tries to sign the packages of an add-on with a key that does not exist, as a job with one attempt, so that operators find a failed
 * job. The workers have the key of the service, so the job succeeds when it is retried. It has no job key, because the job that signs
 * the add-on in the demo has that one and would replace it.
 */
async function failSigning(): Promise<void> {
  const addon = await db.addon.findUnique({ where: { slug: FAILED_SLUG }, select: { id: true } });
  const { name, queue } = signImportedTask;
  if (addon === null || (await countJobs({ states: ['failed'], task: name })).count > 0) return;
  const cause = await signingProblem(addon.id);
  await db.$transaction(async (tx) => {
    // After a failure, the queue puts a job off by e to the power of its attempts.
    const [job] = await tx.$queryRaw<{ id: bigint }[]>`
      SELECT id FROM graphile_worker.add_job(${name}, payload => json_build_object('addonId', ${addon.id}::int), queue_name => ${queue},
        run_at => now() + exp(1) * interval '1 second', max_attempts => 1)`;
    await tx.$executeRaw`SELECT FROM graphile_worker.permanently_fail_jobs(ARRAY[${job?.id}::int8], ${cause})`;
  });
}

/** The error of an attempt to sign without a key. */
async function signingProblem(addonId: number): Promise<string> {
  const folder = join(config.DATA_DIR, 'ca');
  try {
    const signer = await openFileSigner({ keyFile: join(folder, 'former.key'), chainFile: join(folder, 'former.pem') });
    await signImported(addonId, signer, '');
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('demo: a package was signed with a key that does not exist');
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
