import { requirePermission } from '../../auth/permissions.ts';
import { NotFoundError, refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { mutation } from '../../graphql/mutation.ts';
import { message } from '../../texts/messages.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { Collection } from '../collections/collection.ts';
import { CompatOverride } from '../discovery/compat-override.ts';
import { findCompatOverrides } from '../discovery/find-compat-overrides.ts';
import { findReplacement } from '../discovery/list-replacements.ts';
import { Replacement } from '../discovery/replacement.ts';
import { setCollection, setCompatOverride, setFeatured, setRecommendationFallback, setReplacement } from './curate.ts';
import { findExistingAddon } from './list-curated.ts';

const LEGACY_GUID = 'Guid of the legacy add-on, which need not exist here.';
const COLLECTION_PATH = 'The path behind /collections/, in any case.';
const OVERRIDDEN_GUID = 'Guid of the add-on, which need not exist here.';

/** What was just stored is there unless another curator has deleted it since. */
function missing(): never {
  throw new NotFoundError();
}

mutation('setFeatured', {
  description: 'Features an add-on in one place, or stops that. Requires Admin:Curation.',
  input: 'One place where an add-on is featured.',
  inputFields: (t) => ({
    addon: t.field({ type: AddonRefInput, required: true, description: 'The add-on, which the curator need not see.' }),
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application it is featured for.' }),
    locale: t.string({ description: 'Language code such as en-US; all languages when absent.' }),
    category: t.string({ description: 'Slug of a category; outside of categories when absent.' }),
    isFeatured: t.boolean({ required: true, description: 'Whether it is featured there from now on.' }),
  }),
  resolve: async ({ addon, app, locale, category, isFeatured }, { viewer }) => {
    const curator = requirePermission(viewer, 'Admin:Curation');
    const addonId = await findExistingAddon(addon);
    await setFeatured(curator, addonId, { app, locale: locale ?? null, category: category ?? null }, isFeatured);
    return { addonId, isFeatured };
  },
  payloadFields: (t) => ({
    addonId: t.globalID({
      description: 'Global id of the add-on, which the curator need not see.',
      resolve: ({ addonId }) => ({ type: 'Addon', id: addonId }),
    }),
    isFeatured: t.exposeBoolean('isFeatured', { description: 'Whether it is featured there now.' }),
  }),
});

const ReplacementTargetInput = builder.inputType('ReplacementTargetInput', {
  isOneOf: true,
  description: 'What replaces a legacy add-on.',
  fields: (t) => ({
    path: t.string({ description: '/addon/<slug, guid or id>/, /collections/<path>/ or an http(s) address.' }),
    guids: t.stringList({ description: 'Guids of the replacing add-ons, best first, at most 500.' }),
  }),
});

const IS_NEW = 'Whether it must not exist yet. Default: false.';
const CHANGED = 'INVALID_INPUT if they were changed since then.';
const EXPECTED = `Values as they were read. ${CHANGED}`;

const ExpectedReplacementInput = builder.inputType('ExpectedReplacementInput', {
  description: 'The replacement for a legacy add-on as it was read; without values if there was none.',
  fields: (t) => ({
    path: t.string({ description: 'The path or address.' }),
    guids: t.stringList({ description: 'Guids of the replacing add-ons.' }),
  }),
});

mutation('upsertReplacement', {
  description: 'Creates or changes the replacement for a legacy add-on. Requires Admin:Curation.',
  input: 'The replacement for one legacy add-on.',
  inputFields: (t) => ({
    guid: t.string({ required: true, description: LEGACY_GUID }),
    target: t.field({ type: ReplacementTargetInput, required: true, description: 'What replaces it.' }),
    expected: t.field({ type: ExpectedReplacementInput, description: EXPECTED }),
    isNew: t.boolean({ description: IS_NEW }),
  }),
  resolve: async ({ guid, target: { path = null, guids }, expected, isNew }, { viewer }) => {
    const curator = requirePermission(viewer, 'Admin:Curation');
    if (path === null && !guids?.length) throw refusedField('target', message('field.blank'));
    const before = expected == null ? undefined : { path: expected.path ?? null, guids: expected.guids ?? [] };
    await setReplacement(curator, { guid, path, guids: guids ?? [], expected: before, isNew: isNew === true });
    return { guid };
  },
  payloadFields: (t) => ({
    replacement: t.field({
      type: Replacement,
      description: 'The replacement after the change.',
      resolve: async ({ guid }) => (await findReplacement(guid)) ?? missing(),
    }),
  }),
});

mutation('deleteReplacement', {
  description: 'Deletes the replacement for a legacy add-on. Does nothing if there is none. Requires Admin:Curation.',
  input: 'The replacement to delete.',
  inputFields: (t) => ({ guid: t.string({ required: true, description: LEGACY_GUID }) }),
  resolve: async ({ guid }, { viewer }) => {
    await setReplacement(requirePermission(viewer, 'Admin:Curation'), { guid, path: null, guids: [] });
    return { guid };
  },
  payloadFields: (t) => ({ guid: t.exposeString('guid', { description: 'The guid of the legacy add-on.' }) }),
});

mutation('upsertCollection', {
  description: 'Creates or changes a collection of the operator by its path. Requires Admin:Curation.',
  input: 'A collection with its whole content.',
  inputFields: (t) => ({
    path: t.string({ required: true, description: COLLECTION_PATH }),
    guids: t.stringList({
      required: true,
      description: 'Guids of the add-ons, best first, at least one, at most 500.',
    }),
    expected: t.stringList({ description: `Guids as they were read, in their order. ${CHANGED}` }),
    isNew: t.boolean({ description: IS_NEW }),
  }),
  resolve: async ({ expected, isNew, ...input }, { viewer }) => {
    const curator = requirePermission(viewer, 'Admin:Curation');
    if (input.guids.length === 0) throw refusedField('guids', message('field.blank'));
    const wanted = { ...input, expected: expected ?? undefined, isNew: isNew === true };
    return { id: (await setCollection(curator, wanted)) ?? missing() };
  },
  payloadFields: (t) => ({
    collection: t.field({
      type: Collection,
      description: 'The collection after the change.',
      resolve: ({ id }) => id,
    }),
  }),
});

mutation('deleteCollection', {
  description:
    'Deletes a collection of the operator by its path. Does nothing if there is none. Requires Admin:Curation.',
  input: 'The collection to delete.',
  inputFields: (t) => ({ path: t.string({ required: true, description: COLLECTION_PATH }) }),
  resolve: async ({ path }, { viewer }) => {
    await setCollection(requirePermission(viewer, 'Admin:Curation'), { path, guids: [] });
    return { path };
  },
  payloadFields: (t) => ({ path: t.exposeString('path', { description: 'The path as it was sent.' }) }),
});

const CompatOverrideApplicationInput = builder.inputType('CompatOverrideApplicationInput', {
  description: 'The versions of one application in which an add-on does not work.',
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application.' }),
    minVersion: t.string({ required: true, description: 'The oldest version of the application.' }),
    maxVersion: t.string({ required: true, description: 'The newest version of the application.' }),
  }),
});

const CompatOverrideRangeInput = builder.inputType('CompatOverrideRangeInput', {
  description: 'Versions of an add-on, and the applications in which they do not work.',
  fields: (t) => ({
    addonMinVersion: t.string({ required: true, description: 'The oldest version of the add-on.' }),
    addonMaxVersion: t.string({ required: true, description: 'The newest version of the add-on.' }),
    applications: t.field({
      type: [CompatOverrideApplicationInput],
      required: true,
      description: 'The applications, at least one.',
    }),
  }),
});

mutation('upsertCompatOverride', {
  description: 'Creates or changes the compat override of an add-on. Requires Admin:Curation.',
  input: 'A compat override with all of its ranges.',
  inputFields: (t) => ({
    guid: t.string({ required: true, description: OVERRIDDEN_GUID }),
    name: t.string({ description: 'Description for operators; unchanged when absent, removed when null.' }),
    versionRanges: t.field({
      type: [CompatOverrideRangeInput],
      required: true,
      description: 'The whole new list of ranges, at least one.',
    }),
    expected: t.field({
      type: [CompatOverrideRangeInput],
      description: `Ranges as they were read. ${CHANGED}`,
    }),
    isNew: t.boolean({ description: IS_NEW }),
  }),
  resolve: async ({ guid, name, versionRanges, expected, isNew }, { viewer }) => {
    const curator = requirePermission(viewer, 'Admin:Curation');
    if (versionRanges.length === 0) throw refusedField('versionRanges', message('field.blank'));
    await setCompatOverride(curator, {
      ...{ guid, name: name === null ? '' : (name ?? null), versionRanges, expected: expected ?? undefined },
      isNew: isNew === true,
    });
    return { guid };
  },
  payloadFields: (t) => ({
    compatOverride: t.field({
      type: CompatOverride,
      description: 'The compat override after the change.',
      resolve: async ({ guid }) => (await findCompatOverrides([guid]))[0] ?? missing(),
    }),
  }),
});

mutation('deleteCompatOverride', {
  description: 'Deletes the compat override of an add-on. Does nothing if there is none. Requires Admin:Curation.',
  input: 'The compat override to delete.',
  inputFields: (t) => ({ guid: t.string({ required: true, description: OVERRIDDEN_GUID }) }),
  resolve: async ({ guid }, { viewer }) => {
    await setCompatOverride(requirePermission(viewer, 'Admin:Curation'), { guid, name: null, versionRanges: [] });
    return { guid };
  },
  payloadFields: (t) => ({ guid: t.exposeString('guid', { description: 'The guid of the add-on.' }) }),
});

mutation('setRecommendationFallback', {
  description:
    'Replaces the curated list that is shown when there are no computed recommendations. Requires Admin:Curation.',
  input: 'The curated list of recommendations.',
  inputFields: (t) => ({
    guids: t.stringList({ required: true, description: 'Guids of the add-ons, best first, at most 500.' }),
    expected: t.stringList({ description: `Guids as they were read, in their order. ${CHANGED}` }),
  }),
  resolve: async ({ guids, expected }, { viewer }) => ({
    guids: await setRecommendationFallback(requirePermission(viewer, 'Admin:Curation'), guids, expected ?? undefined),
  }),
  payloadFields: (t) => ({
    guids: t.exposeStringList('guids', { description: 'The new list, without duplicates.' }),
  }),
});
