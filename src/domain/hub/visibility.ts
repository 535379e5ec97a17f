import { canSeeVisibilityReasons } from '../../auth/addon-rights.ts';
import { isSearchable } from '../../auth/public-addon.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { type Context, languageOf } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { textLanguage } from '../../infra/text-language.ts';
import { API_TEXTS } from '../../texts/api.ts';
import { translate } from '../../texts/translate.ts';
import { Addon } from '../addons/addon.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { hubPath } from '../addons/addresses.ts';
import { addonRights } from '../addons/find-addon.ts';
import { type MissingMetadata, missingMetadata } from '../submission/listed-metadata.ts';
import { addonFacts, type HubAddonFacts } from './addon-facts.ts';
import {
  fixPage,
  isSelfDistributed,
  VISIBILITY_REASONS,
  type VisibilityReason,
  visibilityReasons,
} from './visibility-reasons.ts';

const VisibilityReasonCode = enumOf(
  'VisibilityReasonCode',
  'Why an add-on is not in the public catalogue.',
  VISIBILITY_REASONS,
);

/** A reason of an add-on. */
interface ShownReason {
  addon: HubAddonFacts;
  reason: VisibilityReason;
}

function reasonText({ code, version }: VisibilityReason, locale: string): string {
  const language = textLanguage(locale);
  if (version === null && (code === 'awaiting_review' || code === 'rejected'))
    return translate(API_TEXTS, language, `visibility.${code}.addon`);
  return translate(API_TEXTS, language, `visibility.${code}`, { version: version?.version ?? '' });
}

/** What the operator wrote when they last disabled add-ons, by add-on id: one statement. */
const operatorComments = perRequest<number, string | null>(async (ids) => {
  const rows = await db.$queryRaw<{ id: number; comments: string }[]>`
    SELECT DISTINCT ON (addon_id) addon_id AS id, comments FROM activity
    WHERE addon_id = ANY(${ids}::int[]) AND action = 'addon-disabled-by-operator' ORDER BY addon_id, activity.id DESC`;
  const byId = new Map(rows.map(({ id, comments }) => [id, comments]));
  return ids.map((id) => byId.get(id) || null);
});

const VisibilityReasonType = builder.objectRef<ShownReason>('VisibilityReason').implement({
  description: 'A reason why an add-on is not in the public catalogue.',
  fields: (t) => ({
    code: t.field({ type: VisibilityReasonCode, description: 'The reason.', resolve: ({ reason }) => reason.code }),
    text: t.string({
      description: 'The reason and what to do about it, as plain text in the language of the request: en, de or he.',
      resolve: ({ reason }, _args, context) => reasonText(reason, languageOf(context)),
    }),
    comment: t.string({
      nullable: true,
      description:
        'What the operator wrote when they disabled the add-on; null for other reasons and without a comment.',
      resolve: ({ addon, reason }, _args, context) =>
        reason.code === 'disabled_by_operator' ? operatorComments(context).load(addon.id) : null,
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

export const ListingGapCode = enumOf('ListingGapCode', 'What the listing of an add-on lacks.', {
  name: 'A name in the default language.',
  summary: 'A summary in the default language.',
  categories: 'A category.',
  license: 'A licence.',
});

const GAP_PAGES = { name: 'edit', summary: 'edit', categories: 'edit', license: 'license' } as const;

const ListingGap = builder.objectRef<{ addon: AddonDocument; gap: MissingMetadata }>('ListingGap').implement({
  description: 'Something that the listing of an add-on lacks. It does not hide the add-on.',
  fields: (t) => ({
    code: t.field({ type: ListingGapCode, description: 'What is missing.', resolve: ({ gap }) => gap }),
    text: t.string({
      description: 'What is missing and why it matters, as plain text in the language of the request: en, de or he.',
      resolve: ({ gap }, _args, context) => translate(API_TEXTS, textLanguage(languageOf(context)), `gap.${gap}`),
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

interface ShownVisibility {
  addon: AddonDocument;
  hasListedVersion: boolean;
}

/** The facts of an add-on that is not public. */
const factsOf = async (context: Context, { addon }: ShownVisibility): Promise<HubAddonFacts | null> =>
  isSearchable(addon) ? null : addonFacts(context).load(addon.id);

const Visibility = builder.objectRef<ShownVisibility>('AddonVisibility').implement({
  description: 'Whether an add-on is in the public catalogue, and why not.',
  fields: (t) => ({
    isPublic: t.boolean({
      description: 'Whether searches and lists of the public catalogue show it.',
      resolve: ({ addon }) => isSearchable(addon),
    }),
    isSelfDistributed: t.boolean({
      description:
        'Whether it is not public only because its developers distribute it themselves: it has unlisted versions alone. That is no fault.',
      resolve: async (shown, _args, context) => {
        const facts = await factsOf(context, shown);
        return facts !== null && isSelfDistributed(facts);
      },
    }),
    reasons: t.field({
      type: [VisibilityReasonType],
      description: 'Every reason why it is not public; empty exactly if it is.',
      resolve: async (shown, _args, context) => {
        const facts = await factsOf(context, shown);
        return facts === null ? [] : visibilityReasons(facts).map((reason) => ({ addon: facts, reason }));
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
