/*
 * What the add-ons of the demo are called and how they are described, in one language. Sentences have places to be filled in:
 * `{x}` takes a noun in the plural, `{T}` a noun as it stands in a name, `{scene}`, `{colour}`, `{native}` and `{code}` what
 * they say. Nouns stand where no language of ours bends them.
 */

/** What an extension is about. */
export const SUBJECTS = [
  'tabs',
  'bookmarks',
  'downloads',
  'passwords',
  'cookies',
  'pictures',
  'videos',
  'notes',
  'feeds',
  'forms',
  'fonts',
  'links',
  'pages',
  'searches',
  'shortcuts',
  'recipes',
  'prices',
  'quotations',
] as const;
export type Subject = (typeof SUBJECTS)[number];

/** What an extension does. */
export const TOOLS = [
  'sorter',
  'finder',
  'keeper',
  'guard',
  'cleaner',
  'counter',
  'courier',
  'keys',
  'diary',
  'printer',
] as const;
export type Tool = (typeof TOOLS)[number];

/** What a theme shows. */
export const SCENES = [
  'harbour',
  'forest',
  'rain',
  'desert',
  'snow',
  'night-train',
  'meadow',
  'lighthouse',
  'river',
  'mountains',
  'clouds',
  'city-lights',
  'garden',
  'sea',
  'paper',
  'stone',
  'stars',
  'fog',
] as const;
export type Scene = (typeof SCENES)[number];

/** In what colour a theme shows it. */
export const COLOURS = ['blue', 'green', 'red', 'grey', 'gold', 'violet'] as const;
export type Colour = (typeof COLOURS)[number];

/** What a search engine looks up. */
export const TOPICS = [
  'plants',
  'birds',
  'maps',
  'poems',
  'films',
  'songs',
  'minerals',
  'chess-openings',
  'old-words',
  'stars',
  'train-times',
  'museums',
  'mushrooms',
  'proverbs',
  'knots',
  'ships',
] as const;
export type Topic = (typeof TOPICS)[number];

/** The categories of the demo, in addition to `other`, which every installation has. */
export const CATEGORIES = [
  'tabs',
  'bookmarks',
  'downloads',
  'privacy',
  'appearance',
  'feeds-and-news',
  'photos-and-videos',
  'shopping',
  'search-tools',
  'nature',
  'scenery',
  'abstract',
  'general',
] as const;
export type CategorySlug = (typeof CATEGORIES)[number];

/** Name, one line, and paragraphs of something. */
export interface Listing {
  name: string;
  summary: string;
  description: readonly string[];
}

export interface PhraseBook {
  locale: 'en-US' | 'de' | 'fr' | 'es' | 'nl' | 'ja';
  subjects: Readonly<Record<Subject, { title: string; many: string }>>;
  tools: Readonly<Record<Tool, Listing>>;
  /** What else may be said of an extension. */
  promises: readonly string[];
  /** Leads to `{url}`. */
  more: string;
  scenes: Readonly<Record<Scene, string>>;
  colours: Readonly<Record<Colour, string>>;
  darkTheme: Listing;
  lightTheme: Listing;
  topics: Readonly<Record<Topic, string>>;
  engine: Listing;
  languagePack: Listing;
  dictionary: Listing;
  releaseNotes: readonly string[];
  developerComments: string;
  captions: readonly string[];
  eula: string;
  privacyPolicy: string;
  categories: Readonly<Record<CategorySlug, string>>;
}
