import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { accountName } from '../accounts/account-name.ts';
import type { AddonDocument, PersonaDocument } from './addon-document.ts';
import { addonIcon, addonPage, personaPicture, personaUpdate } from './addresses.ts';
import { pickLocale, type Texts } from './localized-text.ts';

/** A persona with the add-on that it is. */
export interface Theme {
  addon: AddonDocument;
  persona: PersonaDocument;
}

const color = (hex: string | null): string | null => (hex ? `#${hex.replace(/^#/, '')}` : null);

function textIn(texts: Texts | null, defaultLocale: string, lang: string): string | null {
  if (texts === null) return null;
  const locale = pickLocale({ texts, defaultLocale }, lang);
  return locale === null ? null : (texts[locale] ?? null);
}

/** What an application needs to show a lightweight theme (contract, Add-on: theme_data). A missing picture is "". */
export const ThemeData = builder.objectRef<Theme>('ThemeData').implement({
  description:
    'What an application needs to show a lightweight theme. The address of a picture that is not there is "".',
  fields: (t) => ({
    name: t.string({
      nullable: true,
      args: { lang: t.arg.string() },
      resolve: ({ addon }, { lang }, { locale }) => textIn(addon.name, addon.defaultLocale, lang ?? locale),
    }),
    description: t.string({
      nullable: true,
      args: { lang: t.arg.string() },
      resolve: ({ addon }, { lang }, { locale }) => textIn(addon.description, addon.defaultLocale, lang ?? locale),
    }),
    category: t.string({
      description: 'Name of its first category, or "".',
      args: { lang: t.arg.string() },
      resolve: ({ addon: { categories } }, { lang }, { locale }) =>
        textIn(categories[0]?.name ?? null, config.DEFAULT_LOCALE, lang ?? locale) ?? '',
    }),
    author: t.string({
      description: 'Name of its first author, or "".',
      resolve: ({ addon: { authors } }) => (authors[0] ? accountName(authors[0]) : ''),
    }),
    accentColor: t.string({ nullable: true, resolve: ({ persona }) => color(persona.accentColor) }),
    textColor: t.string({ nullable: true, resolve: ({ persona }) => color(persona.textColor) }),
    headerUrl: t.string({
      resolve: ({ addon, persona }) => personaPicture(addon.id, 'header', persona.headerSha256),
    }),
    footerUrl: t.string({
      resolve: ({ addon, persona }) => personaPicture(addon.id, 'footer', persona.footerSha256),
    }),
    previewUrl: t.string({
      resolve: ({ addon, persona }) => personaPicture(addon.id, 'preview', persona.headerSha256),
    }),
    iconUrl: t.string({
      resolve: ({ addon, persona }) => personaPicture(addon.id, 'icon', persona.headerSha256) || addonIcon(addon, 32),
    }),
    updateUrl: t.string({ resolve: ({ addon }) => personaUpdate(addon.id) }),
    detailUrl: t.string({ resolve: ({ addon }) => addonPage(addon) }),
  }),
});
