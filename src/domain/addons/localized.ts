import { builder, INTERNAL } from '../../graphql/builder.ts';
import { textDigest } from '../../texts/text-digest.ts';
import { type LocalizedText, pickLocale } from './localized-text.ts';
import { wrapText } from './wrap-links.ts';

const Translation = builder.objectRef<{ locale: string; value: string }>('Translation').implement({
  description: 'A text in one language.',
  fields: (t) => ({
    locale: t.exposeString('locale', { description: 'Language, such as `pt-BR`.' }),
    value: t.exposeString('value', { description: 'The text.' }),
    digest: t.string({
      description:
        'Identifies the text, for TranslationInput.expectedDigest: its SHA-256 in hex, with line feeds as line ends and without spaces around it.',
      resolve: ({ value }) => textDigest(value),
    }),
  }),
});

function readText({ texts, format }: LocalizedText, locale: string, wrapsLinks?: boolean | null): string {
  const text = texts[locale] ?? '';
  return wrapsLinks && format ? wrapText(text, format) : text;
}

export const Localized = builder.objectRef<LocalizedText>('Localized').implement({
  description: 'A text in one or several languages.',
  fields: (t) => ({
    value: t.string({
      nullable: true,
      description:
        'The text in the requested language, or in the first of these that exists: base language, another region, default language of the add-on, any.',
      args: { lang: t.arg.string(), wrapLinks: t.arg.boolean({ defaultValue: false }) },
      resolve: (text, { lang, wrapLinks }, { locale }) => {
        const found = pickLocale(text, lang ?? locale);
        return found === null ? null : readText(text, found, wrapLinks);
      },
    }),
    locale: t.string({
      nullable: true,
      description: 'Language of the text that `value` returns for the same argument.',
      args: { lang: t.arg.string() },
      resolve: (text, { lang }, { locale }) => pickLocale(text, lang ?? locale),
    }),
    all: t.field({
      type: [Translation],
      description: 'The text in all languages, in alphabetical order of the languages.',
      args: { wrapLinks: t.arg.boolean({ defaultValue: false }) },
      resolve: (text, { wrapLinks }) =>
        Object.keys(text.texts)
          .sort()
          .map((locale) => ({ locale, value: readText(text, locale, wrapLinks) })),
    }),
    texts: t.field({
      type: 'JSON',
      subGraphs: INTERNAL,
      description: 'The same as one object: {locale: text}.',
      resolve: ({ texts }) => texts,
    }),
  }),
});

export const TranslationInput = builder.inputType('TranslationInput', {
  description: 'A text in one language; a null value deletes it.',
  fields: (t) => ({
    locale: t.string({ required: true, description: 'Language, such as `pt-BR`.' }),
    value: t.string({ description: 'The text. Null deletes this language.' }),
    expectedDigest: t.string({
      description:
        'Translation.digest of the text that the client read, empty for none. The change is refused if the present text is another one.',
    }),
  }),
});
