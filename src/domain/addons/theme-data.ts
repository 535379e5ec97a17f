import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { Localized } from '../../graphql/localized.ts';
import { accountName } from '../accounts/account-names.ts';
import type { AddonDocument, PersonaDocument } from './addon-document.ts';
import { addonIcon, addonPage, personaPicture, personaUpdate } from './addresses.ts';
import { localized } from './localized-text.ts';

/** A persona and its add-on. */
interface Theme {
  addon: AddonDocument;
  persona: PersonaDocument;
}

const color = (hex: string | null): string | null => (hex ? `#${hex.replace(/^#/, '')}` : null);

/** Data that an application needs to show a lightweight theme (contract, Add-on: theme_data). */
export const ThemeData = builder.objectRef<Theme>('ThemeData').implement({
  description: 'What an application needs to show a lightweight theme.',
  fields: (t) => {
    const picture = (which: 'header' | 'footer' | 'preview', description: string) =>
      t.string({
        nullable: true,
        description: `${description}; null without one.`,
        resolve: ({ addon, persona }) =>
          personaPicture(addon.id, which, which === 'footer' ? persona.footerSha256 : persona.headerSha256) || null,
      });
    const hexColor = (name: 'accentColor' | 'textColor', description: string) =>
      t.string({
        nullable: true,
        description: `${description}, #rrggbb; null when the theme sets none.`,
        resolve: ({ persona }) => color(persona[name]),
      });
    return {
      name: t.field({
        type: Localized,
        nullable: true,
        description: 'The name of the add-on.',
        resolve: ({ addon }) => localized(addon.name, addon.defaultLocale),
      }),
      description: t.field({
        type: Localized,
        nullable: true,
        description: 'The description of the add-on, with HTML.',
        resolve: ({ addon }) => localized(addon.description, addon.defaultLocale, 'html'),
      }),
      category: t.field({
        type: Localized,
        nullable: true,
        description: 'The name of its first category; null without one.',
        resolve: ({ addon: { categories } }) => localized(categories[0]?.name, config.DEFAULT_LOCALE),
      }),
      author: t.string({
        description: 'The name of its first author, or "".',
        resolve: ({ addon: { authors } }) => (authors[0] ? accountName(authors[0]) : ''),
      }),
      accentColor: hexColor('accentColor', 'Background colour'),
      textColor: hexColor('textColor', 'Text colour'),
      headerUrl: picture('header', 'Address of the header picture'),
      footerUrl: picture('footer', 'Address of the footer picture'),
      previewUrl: picture('preview', 'Address of a reduced header picture'),
      iconUrl: t.string({
        description: 'Address of an icon of 32 pixels.',
        resolve: ({ addon, persona }) => personaPicture(addon.id, 'icon', persona.headerSha256) || addonIcon(addon, 32),
      }),
      updateUrl: t.string({
        description: 'Address at which applications check whether the theme has changed.',
        resolve: ({ addon }) => personaUpdate(addon.id),
      }),
      detailUrl: t.string({ description: 'Address of the add-on page.', resolve: ({ addon }) => addonPage(addon) }),
    };
  },
});
