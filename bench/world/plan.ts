import type { AddonType } from '../../src/package/enums.ts';
import { LANGUAGES } from './languages.ts';
import { capital, fill } from './phrase-books.ts';
import type { CategorySlug, Colour, Listing, PhraseBook, Scene, Subject, Tool, Topic } from './phrases/phrase-book.ts';
import { CATEGORY_OF, PACK_PAINTS, PAINT_OF, PERMISSIONS_OF, SCENERY_OF, SHADES, TAGS_OF } from './subject-matters.ts';

/** The kind of an add-on, without authors, versions and numbers. */
export interface AddonPlan {
  type: AddonType;
  /** From its English name; append a suffix for several add-ons of one plan. */
  slug: string;
  listing(book: PhraseBook): Listing;
  tags: readonly string[];
  category: CategorySlug;
  permissions: readonly string[];
  /** Sign of the icon; by default that of the type. */
  sign?: Tool;
  /** Colour of its pictures, six hexadecimal digits. */
  paint: string;
  /** Colours of a theme, six hexadecimal digits each. */
  colours?: { accentcolor: string; textcolor: string };
  targetLocale?: string;
  isOtherSpelling?: boolean;
}

function filled({ name, summary, description }: Listing, values: Record<string, string>): Listing {
  const each = (sentence: string): string => fill(sentence, values);
  return { name: each(name), summary: each(summary), description: description.map(each) };
}

/** An extension: a tool for a subject. */
export function extensionPlan(subject: Subject, tool: Tool): AddonPlan {
  return {
    type: 'extension',
    slug: `${subject}-${tool}`,
    listing: (book) => {
      const { title, many } = book.subjects[subject];
      return filled(book.tools[tool], { T: title, x: many });
    },
    tags: [subject, ...TAGS_OF[tool]],
    category: CATEGORY_OF[subject],
    permissions: PERMISSIONS_OF[tool],
    sign: tool,
    paint: PAINT_OF[subject],
  };
}

/** A theme of one of three types: a scene in a colour, dark or light. */
export function themePlan(
  type: 'persona' | 'statictheme' | 'theme',
  scene: Scene,
  colour: Colour,
  isDark: boolean,
): AddonPlan {
  const { dark, light } = SHADES[colour];
  return {
    type,
    slug: `${scene}-in-${colour}`,
    listing: (book) =>
      filled(isDark ? book.darkTheme : book.lightTheme, { scene: book.scenes[scene], colour: book.colours[colour] }),
    tags: ['theme', isDark ? 'dark' : 'light', colour],
    category: SCENERY_OF[scene],
    permissions: [],
    paint: isDark ? dark : light,
    colours: { accentcolor: isDark ? dark : light, textcolor: isDark ? 'f5f5f5' : '1c1c1c' },
  };
}

/** A search engine for a topic. */
export function enginePlan(topic: Topic): AddonPlan {
  return {
    type: 'search',
    slug: `look-up-${topic}`,
    listing: (book) => {
      const topics = book.topics[topic];
      return filled(book.engine, { x: topics, X: capital(topics) });
    },
    tags: ['search', topic],
    category: 'general',
    permissions: [],
    paint: SHADES.gold.dark,
  };
}

const packPaint = (language: string): string =>
  PACK_PAINTS[Object.keys(LANGUAGES).indexOf(language) % PACK_PAINTS.length] ?? SHADES.violet.dark;

/** A language pack. `language` is one of `LANGUAGES`. */
export function languagePackPlan(language: string): AddonPlan {
  return {
    type: 'language',
    slug: `language-pack-${language.toLowerCase()}`,
    listing: (book) => filled(book.languagePack, { native: LANGUAGES[language] ?? language }),
    tags: [],
    category: 'general',
    permissions: [],
    paint: packPaint(language),
    targetLocale: language,
  };
}

/** A dictionary; `isOtherSpelling` makes the second of its language. `language` is one of `LANGUAGES`. */
export function dictionaryPlan(language: string, isOtherSpelling: boolean): AddonPlan {
  return {
    type: 'dictionary',
    slug: `spelling-${language.toLowerCase()}${isOtherSpelling ? '-traditional' : ''}`,
    listing: (book) => filled(book.dictionary, { native: LANGUAGES[language] ?? language }),
    tags: ['spelling'],
    category: 'general',
    permissions: [],
    paint: packPaint(language),
    targetLocale: language,
    isOtherSpelling,
  };
}
