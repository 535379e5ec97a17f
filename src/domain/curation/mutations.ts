import { requireCurator } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { Addon } from '../addons/addon.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { Collection } from '../discovery/collection.ts';
import { CompatOverride } from '../discovery/compat-override.ts';
import { findCompatOverrides } from '../discovery/find-compat-overrides.ts';
import { findReplacement } from '../discovery/list-replacements.ts';
import { Replacement } from '../discovery/replacement.ts';
import { setCollection, setCompatOverride, setFeatured, setRecommendationFallback, setReplacement } from './curate.ts';

mutation('setFeatured', {
  description: 'Features an add-on in one place, or stops that. Requires Admin:Curation.',
  input: 'One place where an add-on is featured.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application it is featured for.' }),
    locale: t.string({ description: 'Language code such as en-US; all languages when absent.' }),
    category: t.string({ description: 'Slug of a category; outside of categories when absent.' }),
    featured: t.boolean({ required: true, description: 'True features the add-on there, false stops it.' }),
  }),
  resolve: async ({ id, app, locale, category, featured }, context) => {
    const curator = requireCurator(context.viewer);
    const addonId = idOf('Addon', id);
    await setFeatured(curator, addonId, { app, locale: locale ?? null, category: category ?? null }, featured);
    return { addonId };
  },
  payloadFields: (t) => ({
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on; null when the curator may not see it.',
      resolve: ({ addonId }, _args, context) => Addon.loadOrNull(context, addonId),
    }),
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

mutation('setReplacement', {
  description: 'Sets or deletes the replacement for a legacy add-on. Requires Admin:Curation.',
  input: 'The replacement for one legacy add-on.',
  inputFields: (t) => ({
    guid: t.string({ required: true, description: 'Guid of the legacy add-on, which need not exist here.' }),
    target: t.field({
      type: ReplacementTargetInput,
      description: 'What replaces it; null, or an empty list of guids, deletes the replacement.',
    }),
  }),
  resolve: async ({ guid, target }, { viewer }) => {
    const { path = null, guids } = target ?? {};
    await setReplacement(requireCurator(viewer), { guid, path, guids: guids ?? [] });
    return { guid };
  },
  payloadFields: (t) => ({
    replacement: t.field({
      type: Replacement,
      nullable: true,
      description: 'The replacement; null when it was deleted.',
      resolve: ({ guid }) => findReplacement(guid),
    }),
  }),
});

mutation('setCollection', {
  description: 'Creates, replaces or deletes a collection. Requires Admin:Curation.',
  input: 'A collection with its whole content.',
  inputFields: (t) => ({
    path: t.string({ required: true, description: 'The path behind /collections/, in any case.' }),
    guids: t.stringList({
      required: true,
      description: 'Guids of the add-ons, best first, at most 500; an empty list deletes the collection.',
    }),
  }),
  resolve: async (input, { viewer }) => ({ collection: await setCollection(requireCurator(viewer), input) }),
  payloadFields: (t) => ({
    collection: t.expose('collection', {
      type: Collection,
      nullable: true,
      description: 'The collection; null when it was deleted.',
    }),
  }),
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

mutation('setCompatOverride', {
  description: 'Creates, replaces or deletes the compat override of an add-on. Requires Admin:Curation.',
  input: 'A compat override with all of its ranges.',
  inputFields: (t) => ({
    guid: t.string({ required: true, description: 'Guid of the add-on, which need not exist here.' }),
    name: t.string({ description: 'Description for operators; unchanged when absent, removed when null.' }),
    versionRanges: t.field({
      type: [CompatOverrideRangeInput],
      required: true,
      description: 'The whole new list of ranges; an empty one deletes the override.',
    }),
  }),
  resolve: async ({ guid, name, versionRanges }, { viewer }) => {
    const newName = name === null ? '' : (name ?? null);
    await setCompatOverride(requireCurator(viewer), { guid, name: newName, versionRanges });
    return { guid };
  },
  payloadFields: (t) => ({
    compatOverride: t.field({
      type: CompatOverride,
      nullable: true,
      description: 'The compat override; null when it was deleted.',
      resolve: async ({ guid }) => (await findCompatOverrides([guid]))[0] ?? null,
    }),
  }),
});

mutation('setRecommendationFallback', {
  description:
    'Replaces the curated list that is shown when there are no computed recommendations. Requires Admin:Curation.',
  input: 'The curated list of recommendations.',
  inputFields: (t) => ({
    guids: t.stringList({ required: true, description: 'Guids of the add-ons, best first, at most 500.' }),
  }),
  resolve: async ({ guids }, { viewer }) => ({
    guids: await setRecommendationFallback(requireCurator(viewer), guids),
  }),
  payloadFields: (t) => ({
    guids: t.exposeStringList('guids', { description: 'The new list, without duplicates.' }),
  }),
});
