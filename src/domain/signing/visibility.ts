import { canSeeVisibilityReasons } from '../../auth/addon-rights.ts';
import { isSearchable } from '../../auth/public-addon.ts';
import { builder } from '../../graphql/builder.ts';
import { languageOf } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db, Prisma } from '../../infra/db.ts';
import { Addon } from '../addons/addon.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { hubPath } from '../addons/addresses.ts';
import { addonRights } from '../addons/find-addon.ts';
import { NOT_A_VERSION } from '../addons/stages.ts';
import { mailLanguage } from '../mail/letter.ts';
import { HAS_PUBLIC_FILES } from '../versions/find-version.ts';
import { type MissingMetadata, missingMetadata } from './missing-metadata.ts';
import { isUploaderDisabled } from './signing-hold.ts';
import { fixPage, type VersionsOfAddon, type VisibilityReason, visibilityReasons } from './visibility-reasons.ts';
import texts from './visibility-texts.json' with { type: 'json' };

/** Listed versions that are read, newest first. All reasons come from the versions of the last attempts. */
const READ_VERSIONS = 20;

const MISSING: VersionsOfAddon = {
  statusBeforeDisabling: null,
  hasPublicVersion: false,
  hasUnlistedVersion: false,
  listed: [],
};

/** What visibility depends on in addition to the document, by add-on id, with one statement. */
const versionsOfAddons = perRequest<number, VersionsOfAddon>(async (ids) => {
  const isVersion = Prisma.sql`v.addon_id = a.id AND v.deleted_at IS NULL`;
  const rows = await db.$queryRaw<(VersionsOfAddon & { id: number })[]>`
    SELECT a.id, a.status_before_disabling AS "statusBeforeDisabling",
      EXISTS (SELECT FROM version v WHERE ${isVersion} AND v.channel = 'listed' AND v.stage <> ALL(${NOT_A_VERSION}::text[])
        AND ${Prisma.raw(HAS_PUBLIC_FILES)}) AS "hasPublicVersion",
      EXISTS (SELECT FROM version v WHERE ${isVersion} AND v.channel = 'unlisted') AS "hasUnlistedVersion",
      coalesce((SELECT json_agg(n ORDER BY n.created DESC, n.id DESC) FROM (
        SELECT v.id, v.version, v.stage, v.created, ${isUploaderDisabled} AS "isUploaderDisabled",
          count(f.id) > 0 AS "hasFile", coalesce(bool_or(f.status_when_enabled IS NOT NULL), false) AS "isDisabledByDevelopers",
          coalesce(bool_or(f.status = 5 AND f.status_when_enabled IS NULL), false) AS "isWithdrawn",
          EXISTS (SELECT FROM review_queue q WHERE q.version_id = v.id AND q.is_information_requested) AS "isInformationRequested"
        FROM version v LEFT JOIN file f ON f.version_id = v.id
        WHERE ${isVersion} AND v.channel = 'listed'
        GROUP BY v.id ORDER BY v.created DESC, v.id DESC LIMIT ${READ_VERSIONS}
      ) n), '[]') AS listed
    FROM addon a WHERE a.id = ANY(${ids}::int[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? MISSING);
});

const VisibilityReasonCode = builder.enumType('VisibilityReasonCode', {
  description: 'Why an add-on is not in the public catalogue.',
  values: {
    DELETED: { value: 'deleted', description: 'The add-on is deleted.' },
    DISABLED_BY_OPERATOR: { value: 'disabled_by_operator', description: 'The operator disabled the add-on.' },
    DISABLED_BY_DEVELOPERS: { value: 'disabled_by_developers', description: 'Its developers disabled the add-on.' },
    NO_VERSION: { value: 'no_version', description: 'It has no version.' },
    ONLY_UNLISTED_VERSIONS: { value: 'only_unlisted_versions', description: 'It has unlisted versions only.' },
    PROCESSING: { value: 'processing', description: 'A listed version is being validated.' },
    INVALID: { value: 'invalid', description: 'A listed version did not pass validation.' },
    FAILED: { value: 'failed', description: 'The service could not process a listed version.' },
    AWAITING_REVIEW: { value: 'awaiting_review', description: 'A listed version, or a persona, awaits review.' },
    INFORMATION_REQUESTED: {
      value: 'information_requested',
      description: 'A reviewer waits for a reply of the developers.',
    },
    SIGNING: { value: 'signing', description: 'A listed version is approved and being signed.' },
    UPLOADER_DISABLED: {
      value: 'uploader_disabled',
      description: 'A listed version is not signed, because the account that uploaded it is disabled.',
    },
    REJECTED: { value: 'rejected', description: 'A reviewer rejected a listed version, or a persona.' },
    VERSION_DISABLED: { value: 'version_disabled', description: 'Its developers disabled the newest listed version.' },
    VERSION_WITHDRAWN: { value: 'version_withdrawn', description: 'The operator withdrew the newest listed version.' },
    VERSION_WITHOUT_FILE: { value: 'version_without_file', description: 'The newest listed version has no file.' },
    NOT_APPROVED: {
      value: 'not_approved',
      description: 'It was imported in a state that is not public, or is an incomplete persona.',
    },
  } as const satisfies {
    [Value in VisibilityReason['code'] as Uppercase<Value>]: { value: Value; description: string };
  },
});

/** A reason of an add-on. */
interface ShownReason {
  addon: AddonDocument;
  reason: VisibilityReason;
}

const words = (locale: string) => texts[mailLanguage(locale)];

function reasonText({ code, version }: VisibilityReason, locale: string): string {
  const { reasons, withoutVersion } = words(locale);
  if (version !== null) return reasons[code].replace('{version}', version.version);
  return (withoutVersion as Partial<Record<string, string>>)[code] ?? reasons[code];
}

const VisibilityReasonType = builder.objectRef<ShownReason>('VisibilityReason').implement({
  description: 'A reason why an add-on is not in the public catalogue.',
  fields: (t) => ({
    code: t.field({ type: VisibilityReasonCode, description: 'The reason.', resolve: ({ reason }) => reason.code }),
    text: t.string({
      description: 'The reason and what to do about it, as plain text in the language of the request: en, de or he.',
      resolve: ({ reason }, _args, context) => reasonText(reason, languageOf(context)),
    }),
    fixPath: t.string({
      nullable: true,
      description: 'Path of the page where developers can do something about it; null when they can only wait.',
      resolve: ({ addon, reason }) => {
        const page = fixPage(addon, reason);
        return page === null ? null : hubPath(addon, page);
      },
    }),
  }),
});

const ListingGapCode = builder.enumType('ListingGapCode', {
  description: 'What the listing of an add-on lacks.',
  values: {
    NAME: { value: 'name', description: 'A name in the default language.' },
    SUMMARY: { value: 'summary', description: 'A summary in the default language.' },
    CATEGORIES: { value: 'categories', description: 'A category.' },
    LICENSE: { value: 'license', description: 'A licence.' },
  } as const,
});

const GAP_PAGES = { name: 'edit', summary: 'edit', categories: 'edit', license: 'license' } as const;

const ListingGap = builder.objectRef<{ addon: AddonDocument; gap: MissingMetadata }>('ListingGap').implement({
  description: 'Something that the listing of an add-on lacks. It does not hide the add-on.',
  fields: (t) => ({
    code: t.field({ type: ListingGapCode, description: 'What is missing.', resolve: ({ gap }) => gap }),
    text: t.string({
      description: 'What is missing and why it matters, as plain text in the language of the request: en, de or he.',
      resolve: ({ gap }, _args, context) => words(languageOf(context)).missing[gap],
    }),
    fixPath: t.string({
      description: 'Path of the page where developers can add it.',
      resolve: ({ addon, gap }) => hubPath(addon, GAP_PAGES[gap]),
    }),
  }),
});

/** What the listing lacks; nothing without a listed version, which alone needs it. */
function gapsOf(addon: AddonDocument, hasListedVersion: boolean): MissingMetadata[] {
  if (!hasListedVersion && addon.type !== 'persona') return [];
  const { defaultLocale, name, summary, categories, currentVersion, licenseId } = addon;
  const hasLicense = currentVersion === null ? licenseId !== null : currentVersion.license !== null;
  return missingMetadata({ defaultLocale, name, summary, categoryCount: categories.length, hasLicense });
}

const Visibility = builder.objectRef<{ addon: AddonDocument; hasListedVersion: boolean }>('AddonVisibility').implement({
  description: 'Whether an add-on is in the public catalogue, and why not.',
  fields: (t) => ({
    isPublic: t.boolean({
      description: 'Whether searches and lists of the public catalogue show it.',
      resolve: ({ addon }) => isSearchable(addon),
    }),
    reasons: t.field({
      type: [VisibilityReasonType],
      description: 'Every reason why it is not public; empty exactly if it is.',
      resolve: async ({ addon }, _args, context) => {
        if (isSearchable(addon)) return [];
        const versions = await versionsOfAddons(context).load(addon.id);
        return visibilityReasons(addon, versions).map((reason) => ({ addon, reason }));
      },
    }),
    gaps: t.field({
      type: [ListingGap],
      description: 'What its listing lacks. The catalogue shows it all the same, but fewer people find it.',
      resolve: ({ addon, hasListedVersion }) => gapsOf(addon, hasListedVersion).map((gap) => ({ addon, gap })),
    }),
  }),
});

builder.objectField(Addon, 'visibility', (t) =>
  t.field({
    type: Visibility,
    nullable: true,
    description:
      'Whether the add-on is in the public catalogue, and why not. Null unless the viewer is one of its authors or reviewers or holds Addons:Edit.',
    resolve: async (addon, _args, context) => {
      const rights = await addonRights(context).load(addon.id);
      const { hasListedVersion } = rights;
      return canSeeVisibilityReasons(context.viewer, rights) ? { addon, hasListedVersion } : null;
    },
  }),
);
