import { z } from 'zod';
import { type InvalidInputError, refusedField } from '../../errors.ts';
import {
  type AddonType,
  type Application,
  CategoriesDocument,
  CompatOverridesDocument,
  FeaturedAddonsDocument,
  LanguageToolsDocument,
  RecommendationsDocument,
  ReplacementsDocument,
} from '../../generated/operations/graphql.ts';
import {
  applicationParam,
  labelParam,
  langParam,
  namesParam,
  orNull,
  type Param,
  refuseParam,
  sentText,
  sinceV4,
  type UnknownEntry,
  wordList,
} from '../../http/params.ts';
import { ADDON_TYPES, APPLICATIONS } from '../../package/enums.ts';
import { type Message, message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { typeOf, unknownTypes } from '../addon-types.ts';
import {
  categoryShape,
  compatOverride,
  languageTool,
  recommendationsShape,
  replacementShape,
} from '../json/addon-lists.ts';
import { addonShape } from '../json/addons.ts';
import { PAGE_SIZE_RULE, pageEnvelope, pageOf, requestedPage } from '../pagination.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { textVariables } from '../translations.ts';
import { API_VERSIONS } from '../view.ts';

type NoAppCode = 'featured.no_app' | 'language_tools.no_app';
type UnknownAppCode = 'featured.unknown_app' | 'language_tools.unknown_app';

/** A required application. The codes are those of an absent and of an unknown one. */
const neededApplication = (missing: NoAppCode, unknown: UnknownAppCode): Param<Application> => ({
  ...applicationParam,
  required: true,
  read: sentText.transform((text, context) => {
    const words = APPLICATIONS.join(', ');
    if (text === null) return refuseParam(context, () => message(missing, { words }));
    const value = orNull(applicationParam).read.parse(text);
    return value ?? refuseParam(context, () => message(unknown, { value: printable(text), words }));
  }),
});

const unknownFeaturedType = ({ value, words }: UnknownEntry): Message =>
  message('featured.unknown_type', { value, words });

const TOOL_TYPES = ['language', 'dictionary'];

/** A type. `unknown` is an invalid value; its error depends on other parameters. */
const toolType: Param<AddonType | { unknown: string } | null> = {
  schema: z.enum(TOOL_TYPES),
  description: 'Only language packs or only dictionaries; needed with appversion.',
  read: sentText.transform((text) => (text === null ? null : (typeOf(text.trim()) ?? { unknown: printable(text) }))),
};

/** The refusal of an unknown type of a language tool. */
function unknownToolType(value: string, hasVersion: boolean): InvalidInputError {
  const facts = { value, words: TOOL_TYPES.join(', ') };
  const problem = hasVersion
    ? message('language_tools.unknown_type', facts)
    : message('parameter.not_one_of', { ...facts, name: 'type' });
  return refusedField('type', problem);
}

const pageSize: Param<number> = {
  schema: z.int(),
  description: `Maximum number of results. ${PAGE_SIZE_RULE}`,
  read: sentText.transform((text) => requestedPage(new URLSearchParams({ page_size: text ?? '' })).pageSize),
};

const recommended: Param<boolean> = {
  schema: z.boolean(),
  description: 'true: recommended add-ons; anything else: the curated list.',
  read: sentText.transform((text) => text?.toLowerCase() === 'true'),
};

const featured = route({
  method: 'GET',
  path: '/addons/featured/',
  summary: 'Featured add-ons, in random order',
  signIn: 'ignored',
  query: {
    app: neededApplication('featured.no_app', 'featured.unknown_app'),
    category: labelParam('Slug or number of a category; ignored unless type is given.'),
    lang: langParam,
    type: wordList('Types of add-ons', ADDON_TYPES, typeOf, unknownFeaturedType),
    page_size: pageSize,
  },
  document: FeaturedAddonsDocument,
  variables: ({ query, view }) => {
    const except = unknownTypes(view);
    const excluded = query.type?.find((type) => except.includes(type));
    if (excluded !== undefined) {
      const words = ADDON_TYPES.filter((type) => typeOf(type) !== excluded).join(', ');
      throw refusedField('type', unknownFeaturedType({ name: 'type', value: excluded.toLowerCase(), words }));
    }
    const { app, category, type: types, page_size: first } = query;
    // A category without types is ignored (contract, featured).
    const categorySlug = types?.length ? category : null;
    return { ...textVariables(view), app, categorySlug, types, first };
  },
  reply: ({ featuredAddons }, { view }) =>
    jsonReply({ results: featuredAddons.map((shown) => addonShape.write(shown, view)) }),
  responses: { 200: { description: 'The add-ons.', schema: z.strictObject({ results: z.array(addonShape.schema) }) } },
  refusals: [400],
});

/** Clients may keep the list for a day (contract, Limits). */
const LANGUAGE_TOOLS_MAX_AGE = 86_400;

const languageTools = route({
  method: 'GET',
  path: '/addons/language-tools/',
  apiVersions: API_VERSIONS,
  summary: 'All public language packs and dictionaries',
  parameterNames: { appVersion: 'appversion', authorNames: 'author' },
  signIn: 'ignored',
  query: {
    app: neededApplication('language_tools.no_app', 'language_tools.unknown_app'),
    appversion: labelParam(
      'Version of the application, with a type: language packs that work with it, and their version.',
    ),
    author: sinceV4(namesParam('Usernames of listed authors')),
    lang: langParam,
    type: toolType,
  },
  document: LanguageToolsDocument,
  variables: ({ query: { app, appversion, author, type }, view }) => {
    const hasVersion = appversion !== null;
    if (type !== null && typeof type === 'object') throw unknownToolType(type.unknown, hasVersion);
    if (type !== null && unknownTypes(view).includes(type)) throw unknownToolType(type.toLowerCase(), hasVersion);
    return { ...textVariables(view), app, appVersion: appversion, authorNames: author, type };
  },
  reply: ({ languageTools: shown }, { view }) => ({
    ...jsonReply({ results: shown.map((tool) => languageTool.write(tool, view)) }),
    maxAge: LANGUAGE_TOOLS_MAX_AGE,
  }),
  responses: {
    200: {
      description: 'All of them.',
      schema: z.strictObject({ results: z.array(languageTool.schema) }),
      v5: z.strictObject({ results: z.array(languageTool.v5) }),
    },
  },
  refusals: [400],
});

const replacements = route({
  method: 'GET',
  path: '/addons/replacement-addon/',
  summary: 'Suggested replacements for legacy add-ons',
  signIn: 'ignored',
  paginated: true,
  document: ReplacementsDocument,
  variables: ({ page }) => page,
  reply: ({ replacements: { totalCount: count, nodes } }, { address, page, view }) =>
    jsonReply(
      pageEnvelope(address, page, { count, results: nodes.map((shown) => replacementShape.write(shown, view)) }),
    ),
  responses: { 200: { description: 'A page of replacements.', schema: pageOf(replacementShape.schema) } },
  refusals: [404],
});

const compatOverrides = route({
  method: 'GET',
  path: '/addons/compat-override/',
  summary: 'Changed compatibility of add-ons',
  parameterNames: { guids: 'guid' },
  signIn: 'optional',
  query: { guid: namesParam('Guids of add-ons') },
  paginated: true,
  document: CompatOverridesDocument,
  variables: ({ query, page }) => ({ ...page, guids: query.guid }),
  reply: ({ compatOverrides: { totalCount: count, nodes } }, { address, page, view }) =>
    jsonReply(pageEnvelope(address, page, { count, results: nodes.map((shown) => compatOverride.write(shown, view)) })),
  responses: { 200: { description: 'A page of compat overrides.', schema: pageOf(compatOverride.schema) } },
  refusals: [400, 404],
});

const recommendedAddons = route({
  method: 'GET',
  path: '/addons/recommendations/',
  summary: 'Recommended add-ons for users of another add-on',
  signIn: 'ignored',
  query: { guid: labelParam('Guid of the add-on.'), lang: langParam, recommended },
  document: RecommendationsDocument,
  variables: ({ query: { guid, recommended }, view }) => ({
    ...textVariables(view),
    // Without a guid, there is nothing to recommend.
    guid: recommended ? (guid ?? '') : null,
  }),
  reply: ({ recommendations: shown }, { view }) => jsonReply(recommendationsShape.write(shown, view)),
  responses: { 200: { description: 'At most four add-ons.', schema: recommendationsShape.schema } },
});

const categories = route({
  method: 'GET',
  path: '/addons/categories/',
  summary: 'All categories, with plain texts and without pages',
  signIn: 'ignored',
  query: { lang: labelParam('Language of the texts. Default: that of Accept-Language.') },
  document: CategoriesDocument,
  variables: ({ view }) => ({ lang: view.lang }),
  reply: ({ categories: all }, { view }) => {
    const hidden = unknownTypes(view);
    return jsonReply(all.filter(({ type }) => !hidden.includes(type)).map((each) => categoryShape.write(each, view)));
  },
  responses: { 200: { description: 'The categories.', schema: z.array(categoryShape.schema) } },
});

export const addonListRoutes: readonly Route[] = [
  featured,
  languageTools,
  replacements,
  compatOverrides,
  recommendedAddons,
  categories,
];
