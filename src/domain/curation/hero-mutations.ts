import { requirePermission } from '../../auth/permissions.ts';
import { NotFoundError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { AddonTypeEnum } from '../addons/enums.ts';
import { TranslationInput } from '../addons/localized.ts';
import { HeroSecondaryType, shownSecondary } from '../discovery/hero.ts';
import { addHeroEntry, changeHeroEntry, changeHeroSecondary, removeHeroEntry } from './change-hero.ts';
import { setHero } from './curate-discovery.ts';
import { findHeroEntry, HeroEntry } from './hero-entry.ts';

const ExternalAddonInput = builder.inputType('ExternalAddonInput', {
  description: 'An add-on that this service does not have.',
  fields: (t) => ({
    guid: t.string({ description: 'Its guid.' }),
    homepage: t.string({ required: true, description: 'http(s) address of its page.' }),
    name: t.string({ required: true, description: 'Its name.' }),
    type: t.field({ type: AddonTypeEnum, description: 'Its type. Default: EXTENSION.' }),
  }),
});

const HeroEntryInput = builder.inputType('HeroEntryInput', {
  description: 'What home pages show first: an add-on, or one elsewhere.',
  fields: (t) => ({
    addon: t.field({ type: AddonRefInput, description: 'The add-on; instead of external.' }),
    external: t.field({ type: ExternalAddonInput, description: 'An add-on elsewhere; instead of addon.' }),
    gradientStart: t.string({ required: true, description: 'The first colour of the background, such as #20123a.' }),
    gradientEnd: t.string({ required: true, description: 'The last colour of the background.' }),
    featuredImage: t.string({ description: 'http(s) address of a picture.' }),
    description: t.field({ type: [TranslationInput], description: 'Plain text about it.' }),
  }),
});

const HeroLinkInput = builder.inputType('HeroLinkInput', {
  description: 'A link with its text.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'An http(s) address.' }),
    text: t.field({ type: [TranslationInput], required: true, description: 'The text.' }),
  }),
});

const HeroModuleInput = builder.inputType('HeroModuleInput', {
  description: 'One of three parts next to each other.',
  fields: (t) => ({
    icon: t.string({ required: true, description: 'http(s) address of its picture.' }),
    description: t.field({ type: [TranslationInput], required: true, description: 'The text.' }),
    cta: t.field({ type: HeroLinkInput, description: 'A link.' }),
  }),
});

const HeroSecondaryInput = builder.inputType('HeroSecondaryInput', {
  description: 'The second part of home pages.',
  fields: (t) => ({
    headline: t.field({ type: [TranslationInput], required: true, description: 'The headline.' }),
    description: t.field({ type: [TranslationInput], required: true, description: 'The text.' }),
    cta: t.field({ type: HeroLinkInput, description: 'A link.' }),
    modules: t.field({ type: [HeroModuleInput], required: true, description: 'Three parts.' }),
  }),
});

mutation('setHero', {
  description: 'Replaces what the home pages of front ends begin with. Requires Admin:Curation.',
  input: 'The beginning of home pages. Absent fields stay unchanged.',
  inputFields: (t) => ({
    entries: t.field({
      type: [HeroEntryInput],
      description: 'One of them is shown each day, at most 50. None: a featured add-on of the day.',
    }),
    secondary: t.field({
      type: HeroSecondaryInput,
      description: 'The second part. Null: the texts of the service.',
    }),
  }),
  resolve: async ({ entries, secondary }, { viewer }) => {
    await setHero(requirePermission(viewer, 'Admin:Curation'), { entries: entries ?? undefined, secondary });
    return { count: entries?.length ?? 0 };
  },
  payloadFields: (t) => ({ count: t.exposeInt('count', { description: 'Number of entries that were sent.' }) }),
});

/** What was just stored is there unless another curator has deleted it since. */
function missing(): never {
  throw new NotFoundError();
}

const ENTRY_ID = 'Global id of the entry.';
const START = 'The first colour of the background, such as #20123a.';
const END = 'The last colour of the background.';

mutation('createHeroEntry', {
  description: 'Adds an entry to what the home pages of front ends begin with. Requires Admin:Curation.',
  input: 'An add-on, or one elsewhere, of which there are at most 50.',
  inputFields: (t) => ({
    addon: t.field({ type: AddonRefInput, description: 'The add-on; instead of external.' }),
    external: t.field({ type: ExternalAddonInput, description: 'An add-on elsewhere; instead of addon.' }),
    gradientStart: t.string({ required: true, description: START }),
    gradientEnd: t.string({ required: true, description: END }),
    featuredImage: t.string({ description: 'http(s) address of a picture.' }),
    description: t.field({ type: [TranslationInput], description: 'Plain text about it.' }),
  }),
  resolve: async (entry, { viewer }) => ({
    id: await addHeroEntry(requirePermission(viewer, 'Admin:Curation'), entry),
  }),
  payloadFields: (t) => ({
    entry: t.field({
      type: HeroEntry,
      description: 'The new entry.',
      resolve: async ({ id }) => (await findHeroEntry(id)) ?? missing(),
    }),
  }),
});

const ExpectedHeroEntryInput = builder.inputType('ExpectedHeroEntryInput', {
  description: 'An entry of home pages as it was read. Absent fields are not compared; an empty text is none.',
  fields: (t) => ({
    gradientStart: t.string({ description: START }),
    gradientEnd: t.string({ description: END }),
    featuredImage: t.string({ description: 'Address of the picture.' }),
    homepage: t.string({ description: 'Page of the add-on elsewhere.' }),
    name: t.string({ description: 'Name of the add-on elsewhere.' }),
    guid: t.string({ description: 'Guid of the add-on elsewhere.' }),
    type: t.field({ type: AddonTypeEnum, description: 'Type of the add-on elsewhere.' }),
  }),
});

mutation('updateHeroEntry', {
  description: 'Changes an entry of what the home pages of front ends begin with. Requires Admin:Curation.',
  input: 'Changes to an entry. Absent fields and languages stay unchanged.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: ENTRY_ID }),
    external: t.field({ type: ExternalAddonInput, description: 'All values of the add-on elsewhere.' }),
    gradientStart: t.string({ description: START }),
    gradientEnd: t.string({ description: END }),
    featuredImage: t.string({ description: 'http(s) address of a picture; null removes it.' }),
    description: t.field({ type: [TranslationInput], description: 'Plain text about it.' }),
    expected: t.field({
      type: ExpectedHeroEntryInput,
      description: 'Values as they were read. INVALID_INPUT if they were changed since then.',
    }),
  }),
  resolve: async ({ id: globalId, ...change }, { viewer }) => {
    const curator = requirePermission(viewer, 'Admin:Curation');
    const id = idOf('HeroEntry', globalId);
    await changeHeroEntry(curator, id, change);
    return { id };
  },
  payloadFields: (t) => ({
    entry: t.field({
      type: HeroEntry,
      description: 'The entry after the change.',
      resolve: async ({ id }) => (await findHeroEntry(id)) ?? missing(),
    }),
  }),
});

mutation('deleteHeroEntry', {
  description: 'Deletes an entry of home pages. Does nothing if there is none. Requires Admin:Curation.',
  input: 'The entry to delete.',
  inputFields: (t) => ({ id: t.id({ required: true, description: ENTRY_ID }) }),
  resolve: async ({ id }, { viewer }) => {
    await removeHeroEntry(requirePermission(viewer, 'Admin:Curation'), idOf('HeroEntry', id));
    return { id };
  },
  payloadFields: (t) => ({ id: t.exposeID('id', { description: ENTRY_ID }) }),
});

const HeroLinkChangeInput = builder.inputType('HeroLinkChangeInput', {
  description: 'Changes to a link. Absent fields and languages stay unchanged.',
  fields: (t) => ({
    url: t.string({ description: 'An http(s) address; an empty text removes the link.' }),
    expectedUrl: t.string({
      description: 'The address as it was read; an empty text for no link. INVALID_INPUT if it was changed since then.',
    }),
    text: t.field({ type: [TranslationInput], description: 'The text.' }),
  }),
});

const HeroModuleChangeInput = builder.inputType('HeroModuleChangeInput', {
  description: 'Changes to one of three parts. Absent fields and languages stay unchanged.',
  fields: (t) => ({
    icon: t.string({ description: 'http(s) address of its picture.' }),
    expectedIcon: t.string({
      description: 'The address as it was read. INVALID_INPUT if it was changed since then.',
    }),
    description: t.field({ type: [TranslationInput], description: 'The text.' }),
    cta: t.field({ type: HeroLinkChangeInput, description: 'The link.' }),
  }),
});

mutation('updateHeroSecondary', {
  description:
    'Changes the second part of home pages, which starts with the texts of the service. Requires Admin:Curation.',
  input: 'Changes to the second part of home pages. Absent fields and languages stay unchanged.',
  inputFields: (t) => ({
    headline: t.field({ type: [TranslationInput], description: 'The headline.' }),
    description: t.field({ type: [TranslationInput], description: 'The text.' }),
    cta: t.field({ type: HeroLinkChangeInput, description: 'The link.' }),
    modules: t.field({ type: [HeroModuleChangeInput], description: 'Changes to each of the three parts.' }),
  }),
  resolve: async (change, { viewer }) => {
    await changeHeroSecondary(requirePermission(viewer, 'Admin:Curation'), change);
    return {};
  },
  payloadFields: (t) => ({
    secondary: t.field({
      type: HeroSecondaryType,
      description: 'The second part after the change.',
      resolve: shownSecondary,
    }),
  }),
});
