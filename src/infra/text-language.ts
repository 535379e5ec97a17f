import { config } from '../config.ts';
import { chooseLanguage, type Language } from '../texts/languages.ts';

/** The language of texts for a reader with this locale; for one without texts, that of `DEFAULT_LOCALE`, else English. */
export const textLanguage = (locale: string | null): Language => chooseLanguage([locale, config.DEFAULT_LOCALE]);
