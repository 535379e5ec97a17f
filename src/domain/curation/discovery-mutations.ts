import { requirePermission } from '../../auth/permissions.ts';
import { NotFoundError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { mutation } from '../../graphql/mutation.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { TranslationInput } from '../addons/localized.ts';
import { BrowserMapping, findBrowserMapping } from '../discovery/browser-mapping.ts';
import {
  putDiscoveryEntry,
  removeBrowserMapping,
  removeDiscoveryEntry,
  setBrowserMapping,
} from './change-discovery.ts';
import { setBrowserMappings, setDiscovery } from './curate-discovery.ts';
import { DiscoveryEntry, findDiscoveryEntry } from './discovery-entry.ts';

/** What was just stored is there unless another curator has deleted it since. */
function missing(): never {
  throw new NotFoundError();
}

const EDITION = 'Edition of the browser; all when absent.';
const LIST_LOCALE = 'Language code such as en-US; all languages when absent.';

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
    edition: t.string({ description: EDITION }),
    locale: t.string({ description: LIST_LOCALE }),
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

mutation('upsertDiscoveryEntry', {
  description:
    'Adds an add-on to what the add-ons manager of browsers recommends, or changes its texts and its position. Requires Admin:Curation.',
  input: 'An add-on of the recommendations for an edition and a language.',
  inputFields: (t) => ({
    edition: t.string({ description: EDITION }),
    locale: t.string({ description: LIST_LOCALE }),
    addon: t.field({ type: AddonRefInput, required: true, description: 'The add-on, which the curator need not see.' }),
    heading: t.field({
      type: [TranslationInput],
      description: 'Words before its name, at most 1,000 characters. Absent languages stay unchanged.',
    }),
    description: t.field({
      type: [TranslationInput],
      description: 'Plain text about it; without one, its summary. Absent languages stay unchanged.',
    }),
    position: t.int({ description: 'Its position in the list, from 1. Default: the present one, or the last.' }),
    expectedPosition: t.int({
      description: 'The position as it was read. INVALID_INPUT if it was changed since then.',
    }),
    isNew: t.boolean({ description: 'Whether the list must not have it yet. Default: false.' }),
  }),
  resolve: async ({ edition, locale, isNew, ...change }, { viewer }) => {
    const curator = requirePermission(viewer, 'Admin:Curation');
    const place = { edition: edition ?? null, locale: locale ?? null };
    return { id: await putDiscoveryEntry(curator, { ...change, ...place, isNew: isNew === true }) };
  },
  payloadFields: (t) => ({
    entry: t.field({
      type: DiscoveryEntry,
      description: 'The entry after the change.',
      resolve: async ({ id }) => (await findDiscoveryEntry(id)) ?? missing(),
    }),
  }),
});

mutation('deleteDiscoveryEntry', {
  description:
    'Removes an add-on from what the add-ons manager of browsers recommends. Does nothing without it. Requires Admin:Curation.',
  input: 'An add-on of the recommendations for an edition and a language.',
  inputFields: (t) => ({
    edition: t.string({ description: EDITION }),
    locale: t.string({ description: LIST_LOCALE }),
    addon: t.field({ type: AddonRefInput, required: true, description: 'The add-on.' }),
  }),
  resolve: async ({ edition, locale, addon }, { viewer }) => {
    const curator = requirePermission(viewer, 'Admin:Curation');
    await removeDiscoveryEntry(curator, { edition: edition ?? null, locale: locale ?? null, addon });
    return { isRemoved: true };
  },
  payloadFields: (t) => ({
    isRemoved: t.exposeBoolean('isRemoved', { description: 'Always true: the list does not have it now.' }),
  }),
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

const MAPPED_BROWSER = 'The other browser in lower case, such as chrome.';
const MAPPED_EXTENSION = 'The id of the extension there.';

mutation('upsertBrowserMapping', {
  description: 'Sets the add-on that does what an extension of another browser does. Requires Admin:Curation.',
  input: 'The add-on for an extension of another browser.',
  inputFields: (t) => ({
    browser: t.string({ required: true, description: MAPPED_BROWSER }),
    extensionId: t.string({ required: true, description: MAPPED_EXTENSION }),
    addonGuid: t.string({ required: true, description: 'The guid of the add-on, which need not exist here.' }),
    expectedGuid: t.string({ description: 'The guid as it was read. INVALID_INPUT if it was changed since then.' }),
    isNew: t.boolean({ description: 'Whether it must not exist yet. Default: false.' }),
  }),
  resolve: async ({ isNew, ...change }, { viewer }) => {
    const curator = requirePermission(viewer, 'Admin:Curation');
    await setBrowserMapping(curator, { ...change, isNew: isNew === true });
    return { browser: change.browser, extensionId: change.extensionId.trim() };
  },
  payloadFields: (t) => ({
    mapping: t.field({
      type: BrowserMapping,
      description: 'The add-on for the extension after the change.',
      resolve: async ({ browser, extensionId }) => (await findBrowserMapping(browser, extensionId)) ?? missing(),
    }),
  }),
});

mutation('deleteBrowserMapping', {
  description:
    'Removes the add-on for an extension of another browser. Does nothing if there is none. Requires Admin:Curation.',
  input: 'An extension of another browser.',
  inputFields: (t) => ({
    browser: t.string({ required: true, description: MAPPED_BROWSER }),
    extensionId: t.string({ required: true, description: MAPPED_EXTENSION }),
  }),
  resolve: async (extension, { viewer }) => {
    await removeBrowserMapping(requirePermission(viewer, 'Admin:Curation'), extension);
    return extension;
  },
  payloadFields: (t) => ({
    browser: t.exposeString('browser', { description: MAPPED_BROWSER }),
    extensionId: t.exposeString('extensionId', { description: MAPPED_EXTENSION }),
  }),
});
