import { type LocalizedText, pickLocale } from '../domain/addons/localized-text.ts';
import { builder, INTERNAL } from './builder.ts';

const Translation = builder.objectRef<{ locale: string; value: string }>('Translation').implement({
  description: 'A text in one language.',
  fields: (t) => ({ locale: t.exposeString('locale'), value: t.exposeString('value') }),
});

export const Localized = builder.objectRef<LocalizedText>('Localized').implement({
  description: 'A text in the languages it was written in.',
  fields: (t) => ({
    value: t.string({
      nullable: true,
      description:
        'The text in the asked language or the nearest there is: base language, another region, the default language, any. Without lang: the language of the request.',
      args: { lang: t.arg.string() },
      resolve: (text, { lang }, { locale }) => {
        const found = pickLocale(text, lang ?? locale);
        return found === null ? null : (text.texts[found] ?? null);
      },
    }),
    locale: t.string({
      nullable: true,
      description: 'The language of the text that value gives.',
      args: { lang: t.arg.string() },
      resolve: (text, { lang }, { locale }) => pickLocale(text, lang ?? locale),
    }),
    all: t.field({
      type: [Translation],
      description: 'Every language, in alphabetical order.',
      resolve: ({ texts }) =>
        Object.keys(texts)
          .sort()
          .map((locale) => ({ locale, value: texts[locale] ?? '' })),
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
  fields: (t) => ({ locale: t.string({ required: true }), value: t.string() }),
});
