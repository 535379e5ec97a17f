import { builder } from '../../graphql/builder.ts';
import { globalId } from '../../graphql/global-id.ts';
import { Localized } from '../../graphql/localized.ts';
import { Addon } from '../addons/addon.ts';
import { addonPage } from '../addons/addresses.ts';
import { AddonTypeEnum, ApplicationEnum } from '../addons/enums.ts';
import { localized } from '../addons/localized-text.ts';
import { Version } from '../versions/version.ts';
import { type LanguageToolRow, listLanguageTools } from './list-language-tools.ts';

const LanguageTool = builder.objectRef<LanguageToolRow>('LanguageTool').implement({
  description: 'A public language pack or dictionary.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the add-on with currentCompatibleVersion in client caches. `node` does not look it up.',
      resolve: ({ addon, compatibleVersion }) =>
        globalId('LanguageTool', addon.id, ...(compatibleVersion === null ? [] : [compatibleVersion.id])),
    }),
    databaseId: t.int({ description: 'The id of the add-on in REST.', resolve: ({ addon }) => addon.id }),
    currentCompatibleVersion: t.field({
      type: Version,
      nullable: true,
      description: 'The newest version of a language pack for the requested appversion; null without appversion.',
      resolve: ({ compatibleVersion }) => compatibleVersion,
    }),
    defaultLocale: t.string({
      description: 'Language code of the texts that are the fallback for missing translations.',
      resolve: ({ addon }) => addon.defaultLocale,
    }),
    name: t.field({
      type: Localized,
      nullable: true,
      description: 'The displayed name.',
      resolve: ({ addon: { name, defaultLocale } }) => localized(name, defaultLocale),
    }),
    guid: t.string({ description: 'The id in the manifest of its packages.', resolve: ({ addon }) => addon.guid }),
    localeDisambiguation: t.string({
      nullable: true,
      description: 'Distinguishes dictionaries of one language; null without a text.',
      resolve: ({ addon }) => addon.localeDisambiguation,
    }),
    slug: t.string({ nullable: true, description: 'Short name in addresses.', resolve: ({ addon }) => addon.slug }),
    targetLocale: t.string({
      nullable: true,
      description: 'Code of the language that it provides.',
      resolve: ({ addon }) => addon.targetLocale,
    }),
    type: t.field({ type: AddonTypeEnum, description: 'LANGUAGE or DICTIONARY.', resolve: ({ addon }) => addon.type }),
    url: t.string({ description: 'Address of its page.', resolve: ({ addon }) => addonPage(addon) }),
    addon: t.field({ type: Addon, description: 'The whole add-on.', resolve: ({ addon }) => addon }),
  }),
});

builder.queryField('languageTools', (t) =>
  t.field({
    type: [LanguageTool],
    description: 'All public language packs and dictionaries for an application, by database id.',
    args: {
      app: t.arg({ type: ApplicationEnum, required: true, description: 'The application that they work in.' }),
      appversion: t.arg.string({
        description: 'Version of the application, such as 60.0; needs type. Language packs must work with it.',
      }),
      type: t.arg({ type: AddonTypeEnum, description: 'Only LANGUAGE or only DICTIONARY.' }),
      author: t.arg.stringList({ description: 'Usernames of listed authors; one must match. At most 500.' }),
    },
    extensions: { items: 300 },
    resolve: (_root, filter) => listLanguageTools(filter),
  }),
);
