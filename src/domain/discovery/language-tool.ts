import { builder } from '../../graphql/builder.ts';
import { Localized } from '../../graphql/localized.ts';
import { Addon } from '../addons/addon.ts';
import { addonPage } from '../addons/addresses.ts';
import { AddonTypeEnum, ApplicationEnum } from '../addons/enums.ts';
import { Version } from '../versions/version.ts';
import { type LanguageToolRow, listLanguageTools } from './list-language-tools.ts';

const LanguageTool = builder.objectRef<LanguageToolRow>('LanguageTool').implement({
  description: 'A language pack or dictionary.',
  fields: (t) => ({
    databaseId: t.int({ description: 'The id that REST uses.', resolve: ({ addon }) => addon.id }),
    currentCompatibleVersion: t.field({
      type: Version,
      nullable: true,
      description:
        'Of a language pack: the newest version for the application version that was asked for. Null when none was.',
      resolve: ({ compatibleVersion }) => compatibleVersion,
    }),
    defaultLocale: t.string({ resolve: ({ addon }) => addon.defaultLocale }),
    name: t.field({
      type: Localized,
      nullable: true,
      resolve: ({ addon: { name, defaultLocale } }) => (name === null ? null : { texts: name, defaultLocale }),
    }),
    guid: t.string({ resolve: ({ addon }) => addon.guid }),
    localeDisambiguation: t.string({
      nullable: true,
      description: 'Tells dictionaries of one locale apart.',
      resolve: ({ addon }) => addon.localeDisambiguation,
    }),
    slug: t.string({ nullable: true, resolve: ({ addon }) => addon.slug }),
    targetLocale: t.string({
      nullable: true,
      description: 'The locale it is for.',
      resolve: ({ addon }) => addon.targetLocale,
    }),
    type: t.field({ type: AddonTypeEnum, resolve: ({ addon }) => addon.type }),
    url: t.string({ description: 'Its page.', resolve: ({ addon }) => addonPage(addon) }),
    addon: t.field({ type: Addon, resolve: ({ addon }) => addon }),
  }),
});

builder.queryField('languageTools', (t) =>
  t.field({
    type: [LanguageTool],
    description: 'All public language packs and dictionaries for an application. A type is needed with appversion.',
    args: {
      app: t.arg({ type: ApplicationEnum, required: true }),
      appversion: t.arg.string(),
      type: t.arg({ type: AddonTypeEnum }),
      author: t.arg.stringList({ description: 'Usernames of listed authors; any may match.' }),
    },
    resolve: (_root, filter) => listLanguageTools(filter),
  }),
);
