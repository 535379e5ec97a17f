import { canReadReviewFacts } from '../../auth/review-permissions.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { addonRights } from '../addons/find-addon.ts';
import { isOneOf, NOT_A_VERSION } from '../addons/stages.ts';
import { callOnce } from '../code/file-text.ts';
import { FILE_ITEMS, readableCode } from '../code/package-contents.ts';
import { ChangedFile } from '../code/package-diff.ts';
import { newMessages, Validation } from '../validation/validation.ts';
import { versionFacts } from '../versions/find-version.ts';
import { Version } from '../versions/version.ts';
import {
  type DecisionHistory,
  findSharedFiles,
  type PastDecision,
  type ReviewFacts,
  readAddonDecisions,
  readDecisionHistory,
  readOtherAddonDecisions,
  readReviewFacts,
  type SharedFiles,
} from './load-review-facts.ts';
import { ManifestFactType, SUBJECT_COUNT } from './manifest-fact.ts';
import { compareCalls, PackageCallsType } from './package-calls.ts';
import {
  type ReviewedChanges,
  type ReviewedPackage,
  readReviewedChanges,
  readReviewedPackage,
} from './reviewed-package.ts';

const PastDecisionType = builder.objectRef<PastDecision>('PastDecision').implement({
  description: 'A decision about a version.',
  fields: (t) => ({
    isApproval: t.boolean({
      description: 'Whether the version was approved; rejected otherwise.',
      resolve: ({ action }) => action === 'approved',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was made.' }),
    reviewer: t.field({
      type: AccountSummary,
      description: 'Who made it; the account automatic-review for automatic decisions.',
      resolve: ({ accountId }, _args, context) => accountSummary(context, accountId),
    }),
    comments: t.exposeString('comments', {
      nullable: true,
      description:
        'What the reviewer wrote, empty without a text; null for viewers who may not review versions of its type and channel.',
    }),
    version: t.field({ type: Version, description: 'The version.', resolve: ({ versionId }) => versionId }),
  }),
});

export const DecisionHistoryType = builder.objectRef<DecisionHistory>('DecisionHistory').implement({
  description:
    'Decisions about versions, as far as the viewer may review them. For holders of Addons:Edit also those about public versions and about versions that are referred to an administrator.',
  fields: (t) => ({
    approvedCount: t.exposeInt('approved', { description: 'Number of approvals.' }),
    rejectedCount: t.exposeInt('rejected', { description: 'Number of rejections.' }),
    newest: t.expose('newest', { type: [PastDecisionType], description: 'The ten newest decisions, newest first.' }),
  }),
});

const SharedFilesType = builder.objectRef<SharedFiles>('SharedFiles').implement({
  description: 'Another add-on whose package has files of the reviewed one, by SHA-256.',
  fields: (t) => ({
    version: t.field({
      type: Version,
      description: 'A version of it with such files, a rejected one first.',
      resolve: ({ versionId }) => versionId,
    }),
    fileCount: t.exposeInt('fileCount', { description: 'Number of the files.' }),
    paths: t.exposeStringList('paths', { description: 'Paths of at most five of them in the reviewed package.' }),
    isRejected: t.exposeBoolean('isRejected', {
      description: 'Whether that version was rejected or its add-on is disabled by the operator.',
    }),
  }),
});

const hash = (sha256: string | null) => sha256 && `sha256:${sha256}`;

const PackageStateEnum = enumOf<ReviewedPackage['state']>('ReviewedPackageState', 'Whether a package is read.', {
  read: 'It is read.',
  reading: 'Reading it takes some time. A later request gets the results.',
  unreadable: 'It is lost, damaged or no valid archive, takes too much time or memory, or cannot be read now.',
});

/** The packages of the base version and of the shown one by SHA-256, with what differs in them. */
type ShownChanges = ReviewedChanges & { base: string | null; sha256: string };

/** With the package and its changes, which are read once for all fields; null without a package. */
type ShownFacts = ReviewFacts & {
  package: () => Promise<ReviewedPackage | null>;
  changes: () => Promise<ShownChanges | null>;
};

const ReviewFactsType = builder.objectRef<ShownFacts>('ReviewFacts').implement({
  description: 'What reviewers compare a version with.',
  fields: (t) => ({
    base: t.field({
      type: Version,
      nullable: true,
      description: 'The newest public version of the channel before it; null without one.',
      resolve: ({ baseId }) => baseId,
    }),
    newMessages: t.field({
      type: Validation,
      nullable: true,
      description:
        'The results of the validator without the messages that the base version has, too: with the same rule, text and file. Null without results of both.',
      resolve: ({ versionId, baseId }, _args, context) =>
        baseId === null ? null : newMessages(context, versionId, baseId),
    }),
    sentHash: t.string({
      nullable: true,
      description: 'sha256:<hex> of the package as it was sent; null without a package.',
      resolve: ({ sentSha256 }) => hash(sentSha256),
    }),
    signedHash: t.string({
      nullable: true,
      description: 'sha256:<hex> of the signed file; null before it is signed.',
      resolve: ({ signedSha256 }) => hash(signedSha256),
    }),
    waitingSince: t.expose('waitingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'When it entered the review queue; null when it does not wait.',
    }),
    claimedBy: t.field({
      type: AccountSummary,
      nullable: true,
      description: 'The reviewer whose claim holds; null without one.',
      resolve: ({ claimedBy }, _args, context) => (claimedBy === null ? null : accountSummary(context, claimedBy)),
    }),
    isInformationRequested: t.exposeBoolean('isInformationRequested', {
      description: 'Whether it waits and a reviewer has requested information and its developers have not replied yet.',
    }),
    isInformationGiven: t.exposeBoolean('isInformationGiven', {
      description: 'Whether it waits and reviewers have requested information and its developers have replied.',
    }),
    reportCount: t.exposeInt('reportCount', { description: 'Number of abuse reports about the add-on.' }),
    openReportCount: t.exposeInt('openReportCount', { description: 'Number of those without a decision.' }),
    medianWaitingHours: t.exposeFloat('medianWaitingHours', {
      nullable: true,
      description: 'Median of the hours that versions of the same type and channel have waited; null when none waits.',
    }),
    authorDecisions: t.field({
      type: DecisionHistoryType,
      description: 'Decisions about this add-on and the others of its authors.',
      resolve: ({ addonId }, _args, { viewer }) => readDecisionHistory(viewer, addonId),
    }),
    addonDecisions: t.field({
      type: DecisionHistoryType,
      description: 'Decisions about the other versions of this add-on.',
      resolve: ({ addonId, versionId }, _args, { viewer }) => readAddonDecisions(viewer, { addonId, versionId }),
    }),
    otherAddonDecisions: t.field({
      type: DecisionHistoryType,
      description: 'Decisions about the other add-ons of its authors.',
      resolve: ({ addonId }, _args, { viewer }) => readOtherAddonDecisions(viewer, addonId),
    }),
    packageState: t.field({
      type: PackageStateEnum,
      nullable: true,
      description:
        'Whether its package is read for `calls` and `sharedFiles`, which are null otherwise; null without a package that is an archive.',
      resolve: async (facts) => (await facts.package())?.state ?? null,
    }),
    calls: t.field({
      type: PackageCallsType,
      nullable: true,
      description: 'What the scripts of its package call. Null unless the package is read.',
      resolve: async ({ permissions, optionalPermissions, ...facts }) => {
        const read = await facts.package();
        const declared = { required: permissions, optional: optionalPermissions };
        return read?.state === 'read' ? compareCalls(read.calls, read.files, declared) : null;
      },
    }),
    sharedFiles: t.field({
      type: [SharedFilesType],
      nullable: true,
      description:
        'At most ten other add-ons with files of its package, rejected ones first. Files below 256 bytes and those of more than ten add-ons do not count. Null unless the package is read.',
      extensions: { items: 10 },
      resolve: async ({ addonId, ...facts }, _args, { viewer }) => {
        const read = await facts.package();
        return read?.state === 'read' ? findSharedFiles(viewer, addonId, read.files) : null;
      },
    }),
    changesState: t.field({
      type: PackageStateEnum,
      nullable: true,
      description:
        'Whether its package is compared with that of the base version, for `changedFiles` and `manifest`, which are null otherwise; null without a package, and for viewers who may not read its contents.',
      resolve: async ({ changes }) => (await changes())?.state ?? null,
    }),
    contentsSize: t.int({
      nullable: true,
      description:
        'Size of all files in its package as it was sent together, in bytes; null unless it is compared with the base version.',
      resolve: async ({ changes }) => {
        const read = await changes();
        return read?.state === 'read' ? read.sizes.shown : null;
      },
    }),
    baseContentsSize: t.int({
      nullable: true,
      description: 'The same of the base version; also null without one.',
      resolve: async ({ changes }) => {
        const read = await changes();
        return read?.state === 'read' ? read.sizes.base : null;
      },
    }),
    changedFiles: t.field({
      type: [ChangedFile],
      nullable: true,
      description: 'The files that differ from those of the base version, by path; all of its files without one.',
      extensions: { items: FILE_ITEMS },
      resolve: async ({ changes }) => {
        const read = await changes();
        if (read?.state !== 'read') return null;
        const packages = { from: read.base === null ? null : { sha256: read.base }, to: { sha256: read.sha256 } };
        return read.files.map((change) => ({ ...change, packages }));
      },
    }),
    manifest: t.field({
      type: [ManifestFactType],
      nullable: true,
      description:
        'What its manifest says apart from permissions and texts, next to that of the base version; null also for a package without a `manifest.json`.',
      extensions: { items: SUBJECT_COUNT },
      resolve: async ({ changes }) => {
        const read = await changes();
        return read?.state === 'read' ? read.manifest : null;
      },
    }),
  }),
});

async function readShownFacts(context: Context, versionId: number): Promise<ShownFacts | null> {
  const facts = await readReviewFacts(versionId);
  if (facts === null) return null;
  const { addonId } = facts;
  return {
    ...facts,
    package: callOnce(async () => {
      const sha256 = await readableCode(context, { id: versionId, addonId });
      return sha256 === null ? null : readReviewedPackage(sha256);
    }),
    changes: callOnce(() => readShownChanges(context, facts)),
  };
}

async function readShownChanges(
  context: Context,
  { versionId, baseId, addonId }: ReviewFacts,
): Promise<ShownChanges | null> {
  const codeOf = (id: number) => readableCode(context, { id, addonId });
  const [sha256, base] = await Promise.all([codeOf(versionId), baseId === null ? null : codeOf(baseId)]);
  if (sha256 === null || (base === null && baseId !== null)) return null;
  return { ...(await readReviewedChanges(base, sha256)), base, sha256 };
}

/** So that an operation reads those of a few versions. */
const COST = 10_000;

builder.objectField(Version, 'reviewFacts', (t) =>
  t.field({
    type: ReviewFactsType,
    nullable: true,
    description:
      'What reviewers compare it with; null for viewers who may not decide about versions of its type and channel, except holders of Addons:Edit while it is referred to an administrator, for deleted versions and uploads that are no version.',
    extensions: { cost: COST },
    resolve: async ({ id, addonId }, _args, context) => {
      const [addon, facts] = await Promise.all([addonRights(context).load(addonId), versionFacts(context).load(id)]);
      const isGone = addon.deletedAt !== null || facts.deletedAt !== null || isOneOf(NOT_A_VERSION, facts.stage);
      return isGone || !canReadReviewFacts(context.viewer, addon, facts) ? null : readShownFacts(context, id);
    },
  }),
);
