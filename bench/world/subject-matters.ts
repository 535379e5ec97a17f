import type { CategorySlug, Colour, Scene, Subject, Tool } from './phrases/phrase-book.ts';

/** Category of extensions by subject. */
export const CATEGORY_OF: Readonly<Record<Subject, CategorySlug>> = {
  tabs: 'tabs',
  bookmarks: 'bookmarks',
  downloads: 'downloads',
  passwords: 'privacy',
  cookies: 'privacy',
  pictures: 'photos-and-videos',
  videos: 'photos-and-videos',
  notes: 'bookmarks',
  feeds: 'feeds-and-news',
  forms: 'privacy',
  fonts: 'appearance',
  links: 'bookmarks',
  pages: 'appearance',
  searches: 'search-tools',
  shortcuts: 'tabs',
  recipes: 'feeds-and-news',
  prices: 'shopping',
  quotations: 'feeds-and-news',
};

/** Permissions of extensions by tool. */
export const PERMISSIONS_OF: Readonly<Record<Tool, readonly string[]>> = {
  sorter: ['tabs', 'storage'],
  finder: ['tabs', 'storage', 'menus'],
  keeper: ['storage', 'alarms', 'downloads'],
  guard: ['webRequest', 'webRequestBlocking', '<all_urls>', 'storage'],
  cleaner: ['browsingData', 'storage'],
  counter: ['storage'],
  courier: ['storage', 'notifications'],
  keys: ['tabs', 'activeTab'],
  diary: ['history', 'storage'],
  printer: ['activeTab'],
};

/** Tags of extensions by tool. */
export const TAGS_OF: Readonly<Record<Tool, readonly string[]>> = {
  sorter: ['order', 'productivity'],
  finder: ['search', 'productivity'],
  keeper: ['backup', 'archive'],
  guard: ['privacy', 'security'],
  cleaner: ['privacy', 'tidy'],
  counter: ['statistics', 'toolbar'],
  courier: ['sync', 'encryption'],
  keys: ['keyboard', 'accessibility'],
  diary: ['history', 'journal'],
  printer: ['print', 'paper'],
};

/** Category of themes by scene. */
export const SCENERY_OF: Readonly<Record<Scene, CategorySlug>> = {
  harbour: 'scenery',
  forest: 'nature',
  rain: 'nature',
  desert: 'scenery',
  snow: 'nature',
  'night-train': 'scenery',
  meadow: 'nature',
  lighthouse: 'scenery',
  river: 'nature',
  mountains: 'scenery',
  clouds: 'nature',
  'city-lights': 'scenery',
  garden: 'nature',
  sea: 'scenery',
  paper: 'abstract',
  stone: 'abstract',
  stars: 'nature',
  fog: 'nature',
};

/** A dark and a light shade of each colour, six hexadecimal digits. */
export const SHADES: Readonly<Record<Colour, { dark: string; light: string }>> = {
  blue: { dark: '1d3557', light: 'a8cfe8' },
  green: { dark: '1f4d3a', light: 'b7dfc1' },
  red: { dark: '6d1f2f', light: 'f1b6b0' },
  grey: { dark: '2f343b', light: 'd5d9de' },
  gold: { dark: '6b4e12', light: 'f2d58b' },
  violet: { dark: '3d2a5c', light: 'd3c0ec' },
};

/** Colour of the pictures of extensions by subject, near to each other within a category. */
export const PAINT_OF: Readonly<Record<Subject, string>> = {
  tabs: '2a6f97',
  shortcuts: '1f5f8b',
  bookmarks: 'b5651d',
  notes: '9c5a17',
  links: 'a34a2a',
  downloads: '2d6a4f',
  passwords: '6a4c93',
  cookies: '7b3f8c',
  forms: '55479c',
  pages: 'c2185b',
  fonts: 'a3245e',
  feeds: 'd35400',
  recipes: 'b84a1c',
  quotations: 'bf6516',
  pictures: '00838f',
  videos: '0b7285',
  prices: '6c7f16',
  searches: '455a64',
};

/** Colours of the pictures of language packs and dictionaries, in turn. */
export const PACK_PAINTS: readonly string[] = [
  '3d2a5c',
  '1f4d3a',
  '6d1f2f',
  '1d3557',
  '6b4e12',
  '2f5d62',
  '5a3d2b',
  '4a3068',
];
