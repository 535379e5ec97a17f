import { builder } from '../../graphql/builder.ts';
import { globalId } from '../../graphql/global-id.ts';
import { Addon } from '../addons/addon.ts';
import { AddonTypeEnum, ApplicationEnum } from '../addons/enums.ts';
import { Version } from '../versions/version.ts';
import { type LanguageToolRow, listLanguageTools } from './list-language-tools.ts';

const LanguageTool = builder.objectRef<LanguageToolRow>('LanguageTool').implement({
  description: 'A public language pack or dictionary.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the add-on with compatibleVersion in client caches. `node` does not look it up.',
      resolve: ({ addon, compatibleVersion }) =>
        globalId('LanguageTool', addon.id, ...(compatibleVersion === null ? [] : [compatibleVersion.id])),
    }),
    compatibleVersion: t.field({
      type: Version,
      nullable: true,
      description: 'The newest version of a language pack for the requested appVersion; null without appVersion.',
      resolve: ({ compatibleVersion }) => compatibleVersion,
    }),
    addon: t.field({ type: Addon, description: 'The add-on.', resolve: ({ addon }) => addon }),
  }),
});

builder.queryField('languageTools', (t) =>
  t.field({
    type: [LanguageTool],
    description: 'All public language packs and dictionaries for an application, by database id.',
    args: {
      app: t.arg({ type: ApplicationEnum, required: true, description: 'The application that they work in.' }),
      appVersion: t.arg.string({
        description: 'Version of the application, such as 60.0; needs type. Language packs must work with it.',
      }),
      type: t.arg({ type: AddonTypeEnum, description: 'Only LANGUAGE or only DICTIONARY.' }),
      authorNames: t.arg.stringList({
        description: 'Usernames of listed authors; one must match. At most 500.',
      }),
    },
    extensions: { items: 300 },
    resolve: (_root, filter) => listLanguageTools(filter),
  }),
);
