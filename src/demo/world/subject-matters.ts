import type { CategorySlug, Colour, Scene, Subject, Tool } from '../phrases/phrase-book.ts';

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

/** Icon colours of extensions by category. */
export const PAINT_OF: Partial<Record<CategorySlug, string>> = {
  tabs: '2a6f97',
  bookmarks: 'b5651d',
  downloads: '2d6a4f',
  privacy: '6a4c93',
  appearance: 'c2185b',
  'feeds-and-news': 'd35400',
  'photos-and-videos': '00838f',
  shopping: '7c8f1f',
  'search-tools': '455a64',
};
