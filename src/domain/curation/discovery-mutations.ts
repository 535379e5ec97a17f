import { requirePermission } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { mutation } from '../../graphql/mutation.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { AddonTypeEnum } from '../addons/enums.ts';
import { setBrowserMappings, setDiscovery, setHero } from './curate-discovery.ts';

const DiscoveryEntryInput = builder.inputType('DiscoveryEntryInput', {
  description: 'An add-on that browsers recommend.',
  fields: (t) => ({
    addon: t.field({ type: AddonRefInput, required: true, description: 'The add-on.' }),
    heading: t.field({ type: [TranslationInput], description: 'Words before its name, at most 1,000 characters.' }),
    description: t.field({ type: [TranslationInput], description: 'Plain text about it. Default: its summary.' }),
  }),
});

mutation('setDiscovery', {
  description: 'Replaces what the add-ons manager of browsers recommends. Requires Admin:Curation.',
  input: 'The recommendations for an edition and a language.',
  inputFields: (t) => ({
    edition: t.string({ description: 'Edition of the browser; all when absent.' }),
    locale: t.string({ description: 'Language code such as en-US; all languages when absent.' }),
    entries: t.field({
      type: [DiscoveryEntryInput],
      required: true,
      description: 'The add-ons in their order, at most 50. None: featured ones are recommended.',
    }),
  }),
  resolve: async ({ edition, locale, entries }, { viewer }) => {
    const curator = requirePermission(viewer, 'Admin:Curation');
    await setDiscovery(curator, { edition: edition ?? null, locale: locale ?? null, entries });
    return { count: entries.length };
  },
  payloadFields: (t) => ({ count: t.exposeInt('count', { description: 'Number of entries of the list.' }) }),
});

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

const BrowserMappingInput = builder.inputType('BrowserMappingInput', {
  description: 'An add-on here that does what an extension of another browser does.',
  fields: (t) => ({
    extensionId: t.string({ required: true, description: 'The id of the extension there.' }),
    addonGuid: t.string({ required: true, description: 'The guid of the add-on, which need not exist here.' }),
  }),
});

mutation('setBrowserMappings', {
  description: 'Replaces the add-ons for extensions of another browser. Requires Admin:Curation.',
  input: 'The add-ons for extensions of one browser.',
  inputFields: (t) => ({
    browser: t.string({ required: true, description: 'The other browser in lower case, such as chrome.' }),
    mappings: t.field({ type: [BrowserMappingInput], required: true, description: 'The pairs, at most 5,000.' }),
  }),
  resolve: async ({ browser, mappings }, { viewer }) => {
    await setBrowserMappings(requirePermission(viewer, 'Admin:Curation'), { browser, mappings });
    return { count: mappings.length };
  },
  payloadFields: (t) => ({ count: t.exposeInt('count', { description: 'Number of pairs that were sent.' }) }),
});
