import { requireCurator } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { Addon, forgetAddon } from '../addons/addon.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { setCollection, setCompatOverride, setFeatured, setRecommendationFallback, setReplacement } from './curate.ts';

/** The payload of a change to what belongs to one guid or path. */
const keyPayload = (name: string, key: 'guid' | 'path') =>
  builder.objectRef<{ key: string }>(name).implement({
    fields: (t) => ({ [key]: t.string({ resolve: (payload) => payload.key }) }),
  });

const SetFeaturedInput = builder.inputType('SetFeaturedInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the add-on.' }),
    app: t.field({ type: ApplicationEnum, required: true }),
    locale: t.string({ description: 'A language; without one, for all.' }),
    category: t.string({ description: 'Slug; without one, outside of categories.' }),
    featured: t.boolean({ required: true }),
  }),
});

builder.mutationField('setFeatured', (t) =>
  t.field({
    type: builder.objectRef<{ addonId: number }>('SetFeaturedPayload').implement({
      fields: (payload) => ({
        addon: payload.field({
          type: Addon,
          nullable: true,
          description: 'Null for curators who may not see it: not every add-on that is featured is public.',
          resolve: ({ addonId }, _args, context) => Addon.loadOrNull(context, addonId),
        }),
      }),
    }),
    description: 'Features an add-on, or ends that; for curators.',
    args: { input: t.arg({ type: SetFeaturedInput, required: true }) },
    errors: mutationResult('SetFeaturedResult'),
    resolve: async (_root, { input: { id, app, locale, category, featured } }, context) => {
      const curator = requireCurator(context.viewer);
      const addonId = idOf('Addon', id);
      await setFeatured(curator, addonId, { app, locale: locale ?? null, category: category ?? null }, featured);
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);

const SetReplacementInput = builder.inputType('SetReplacementInput', {
  description: 'Either a path or guids; neither of them ends the replacement.',
  fields: (t) => ({
    guid: t.string({ required: true, description: 'Of the legacy add-on.' }),
    path: t.string({ description: '/addon/<slug>/, /collections/<path>/ or an address.' }),
    guids: t.stringList({ description: 'Of the add-ons that take its place, best first.' }),
  }),
});

builder.mutationField('setReplacement', (t) =>
  t.field({
    type: keyPayload('SetReplacementPayload', 'guid'),
    description: 'Says what takes the place of a legacy add-on; for curators.',
    args: { input: t.arg({ type: SetReplacementInput, required: true }) },
    errors: mutationResult('SetReplacementResult'),
    resolve: async (_root, { input: { guid, path, guids } }, { viewer }) => {
      await setReplacement(requireCurator(viewer), { guid, path: path ?? null, guids: guids ?? [] });
      return { key: guid };
    },
  }),
);

const SetCollectionInput = builder.inputType('SetCollectionInput', {
  description: 'A list without guids is ended.',
  fields: (t) => ({ path: t.string({ required: true }), guids: t.stringList({ required: true }) }),
});

builder.mutationField('setCollection', (t) =>
  t.field({
    type: keyPayload('SetCollectionPayload', 'path'),
    description: 'Names an ordered list of add-ons that replacements can lead to; for curators.',
    args: { input: t.arg({ type: SetCollectionInput, required: true }) },
    errors: mutationResult('SetCollectionResult'),
    resolve: async (_root, { input }, { viewer }) => {
      await setCollection(requireCurator(viewer), input);
      return { key: input.path };
    },
  }),
);

const CompatOverrideApplicationInput = builder.inputType('CompatOverrideApplicationInput', {
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true }),
    minVersion: t.string({ required: true }),
    maxVersion: t.string({ required: true }),
  }),
});

const CompatOverrideRangeInput = builder.inputType('CompatOverrideRangeInput', {
  fields: (t) => ({
    addonMinVersion: t.string({ required: true }),
    addonMaxVersion: t.string({ required: true }),
    applications: t.field({ type: [CompatOverrideApplicationInput], required: true }),
  }),
});

const SetCompatOverrideInput = builder.inputType('SetCompatOverrideInput', {
  description: 'The ranges replace the present ones; none of them end the override.',
  fields: (t) => ({
    guid: t.string({ required: true }),
    name: t.string({ description: 'For administrators.' }),
    versionRanges: t.field({ type: [CompatOverrideRangeInput], required: true }),
  }),
});

builder.mutationField('setCompatOverride', (t) =>
  t.field({
    type: keyPayload('SetCompatOverridePayload', 'guid'),
    description: 'Changes the compatibility of installed versions of an add-on; for curators.',
    args: { input: t.arg({ type: SetCompatOverrideInput, required: true }) },
    errors: mutationResult('SetCompatOverrideResult'),
    resolve: async (_root, { input: { guid, name, versionRanges } }, { viewer }) => {
      await setCompatOverride(requireCurator(viewer), {
        guid,
        name: name === null ? '' : (name ?? null),
        versionRanges,
      });
      return { key: guid };
    },
  }),
);

const SetRecommendationFallbackInput = builder.inputType('SetRecommendationFallbackInput', {
  fields: (t) => ({ guids: t.stringList({ required: true, description: 'The whole list, best first.' }) }),
});

builder.mutationField('setRecommendationFallback', (t) =>
  t.field({
    type: builder.objectRef<{ guids: string[] }>('SetRecommendationFallbackPayload').implement({
      fields: (payload) => ({ guids: payload.exposeStringList('guids') }),
    }),
    description: 'Replaces the curated list that stands in for recommendations; for curators.',
    args: { input: t.arg({ type: SetRecommendationFallbackInput, required: true }) },
    errors: mutationResult('SetRecommendationFallbackResult'),
    resolve: async (_root, { input: { guids } }, { viewer }) => {
      await setRecommendationFallback(requireCurator(viewer), guids);
      return { guids };
    },
  }),
);
