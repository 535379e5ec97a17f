import {
  canEditReleases,
  canSeeDeletedVersions,
  canSeeVersion,
  type ReadVersion,
  refuse,
  requireSignedIn,
} from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest, rowsInOrder } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { FILE_STATUS } from '../../package/enums.ts';
import { type AddonRights, addonRights, NO_ADDON, requireVisible } from '../addons/find-addon.ts';
import { isOneOf, NOT_A_VERSION, stagesSql, UNUSABLE_STAGES } from '../addons/stages.ts';

/** The columns of a version that decide about permissions. */
export interface VersionFacts extends ReadVersion {
  id: number;
  addonId: number;
  stage: string;
  deletedAt: Date | null;
  /** Whether all files are public. False without files, except for versions of personas. */
  hasPublicFiles: boolean;
}

/** SQL: whether the files of a version `v` are public. Versions of personas may have no file. */
export const HAS_PUBLIC_FILES = `(NOT EXISTS (SELECT FROM file f WHERE f.version_id = v.id AND f.status <> ${FILE_STATUS.public})
  AND (EXISTS (SELECT FROM file f WHERE f.version_id = v.id)
    OR EXISTS (SELECT FROM addon a WHERE a.id = v.addon_id AND a.type = 'persona')))`;

/** SQL: whether a version `v` is public. */
export const IS_PUBLIC_VERSION = `v.deleted_at IS NULL AND v.stage = 'signed' AND ${HAS_PUBLIC_FILES}`;

/** SQL: the version `v` is referred to an administrator, or public and of the channel of such a version, which is compared with it. */
export const IS_IN_REFERRAL = `EXISTS (SELECT FROM review_queue q WHERE q.addon_id = v.addon_id AND q.channel = v.channel AND q.is_referred
  AND (q.version_id = v.id OR ${IS_PUBLIC_VERSION}))`;

const FACTS = `v.id, v.addon_id AS "addonId", v.channel, v.stage, v.deleted_at AS "deletedAt", ${HAS_PUBLIC_FILES} AS "hasPublicFiles",
  ${IS_IN_REFERRAL} AS "isInReferral"`;

const readFacts = prepared<VersionFacts>(
  lookupPool,
  'version-facts',
  `SELECT ${FACTS} FROM version v WHERE v.id = ANY($1)`,
);

/** Facts of versions by id; NotFoundError for an unknown id. */
export const versionFacts = perRequest<number, VersionFacts>(async (ids) => rowsInOrder(ids, await readFacts(ids)));

/** The id of no version, for the same reason as `NO_ADDON`. */
export const NO_VERSION = 0;

/** In characters; longer than the number of any version. */
const MAX_NUMBER_LENGTH = 255;

const readByNumber = prepared<VersionFacts | { id: null }>(
  lookupPool,
  'versions-by-number',
  `SELECT found.* FROM unnest($1::int[], $2::text[]) WITH ORDINALITY AS wanted(addon_id, number, place) LEFT JOIN LATERAL (
      SELECT ${FACTS} FROM version v WHERE v.addon_id = wanted.addon_id AND v.version = wanted.number
      ORDER BY v.deleted_at IS NULL DESC, v.stage NOT IN ${stagesSql(UNUSABLE_STAGES)} DESC, v.id DESC LIMIT 1
    ) found ON true ORDER BY place`,
);

/** Ids by number. The facts come with them, so that no statement for facts follows, neither for known nor for unknown numbers. */
const idsByNumber = perRequest<{ addonId: number; number: string }, number | null>(async (wanted, context) => {
  const rows = await readByNumber(
    wanted.map(({ addonId }) => addonId),
    wanted.map(({ number }) => number),
  );
  const facts = versionFacts(context);
  for (const row of rows) {
    if (row.id === null) facts.prime(NO_VERSION, new NotFoundError());
    else facts.prime(row.id, row);
  }
  return rows.map(({ id }) => id);
});

/**
 * The facts of a version and the rights of its add-on. An unknown id takes the same statements, so that the time does not reveal
 * which versions exist.
 * @throws {NotFoundError} for an unknown id.
 */
export async function versionWithAddon(
  context: Context,
  id: number,
): Promise<{ facts: VersionFacts; addon: AddonRights }> {
  const [facts = new NotFoundError()] = await versionFacts(context).loadMany([id]);
  if (facts instanceof Error && !(facts instanceof NotFoundError)) throw facts;
  const addon = await addonRights(context).load(facts instanceof Error ? NO_ADDON : facts.addonId);
  if (facts instanceof Error) throw facts;
  return { facts, addon };
}

/**
 * The id of a version of an add-on by its number, without access checks. Of several with the number, the newest that is
 * neither deleted nor failed. Null for an unknown number.
 */
export async function findVersionByNumber(context: Context, addonId: number, number: string): Promise<number | null> {
  // A request may name a long text for thousands of add-ons.
  if (number.length > MAX_NUMBER_LENGTH || number.includes('\0')) return null;
  return idsByNumber(context).load({ addonId, number });
}

/**
 * Throws unless the viewer may see the version (contract, versions). Public versions of visible add-ons are visible to all
 * viewers, other versions that are not deleted to authors, reviewers and readers of their referral.
 * @throws {NotFoundError} for deleted versions, and for uploads of other accounts that are not versions; the errors of
 * `requireVisible`; NotAuthenticatedError or NotPermittedError for other versions that are not public.
 */
export function requireVisibleVersion(viewer: Viewer, addon: AddonRights, version: VersionFacts): void {
  requireVisible(viewer, addon);
  const { channel, stage, deletedAt, hasPublicFiles } = version;
  if (deletedAt !== null) {
    if (canSeeDeletedVersions(viewer)) return;
    throw new NotFoundError();
  }
  const isVersion = !isOneOf(NOT_A_VERSION, stage);
  if (isVersion && channel === 'listed' && hasPublicFiles) return;
  if (canSeeVersion(viewer, addon, version)) return;
  throw isVersion ? refuse(viewer) : new NotFoundError();
}

/** Whether the viewer sees what a version has for its developers and reviewers alone. */
export async function seesVersionDetails(
  context: Context,
  { id, addonId }: { id: number; addonId: number },
): Promise<boolean> {
  if (context.viewer.kind === 'anonymous') return false;
  const [addon, facts] = await Promise.all([addonRights(context).load(addonId), versionFacts(context).load(id)]);
  return canSeeVersion(context.viewer, addon, facts);
}

/**
 * Checks that the viewer may see and edit a version, before a change locks its add-on and checks the rights again.
 * @throws {NotAuthenticatedError}; {NotFoundError} for an unknown, deleted or failed version, and for an upload of others that is no
 * version yet; {NotPermittedError}.
 */
export async function requireEditableVersion(
  context: Context,
  id: number,
): Promise<{ addonId: number; editor: SignedIn }> {
  const { viewer } = context;
  const editor = requireSignedIn(viewer);
  const { facts, addon } = await versionWithAddon(context, id);
  if (addon.deletedAt !== null) throw new NotFoundError();
  requireVisibleVersion(viewer, addon, facts);
  if (!canEditReleases(viewer, addon)) throw refuse(viewer);
  if (facts.deletedAt !== null || isOneOf(UNUSABLE_STAGES, facts.stage)) throw new NotFoundError();
  return { addonId: addon.id, editor };
}
