/* The limits of the lists that curators write, by mutations and in catalogue files. */

/** In one list. */
export const MAX_ENTRIES = { discovery: 50, hero: 50, mappings: 5000 } as const;

/** Of the second part of home pages. */
export const MAX_HERO_MODULES = 3;

/** A colour such as #20123a. */
export const HEX_COLOR = /^#[0-9a-f]{6}$/i;

/** The name of another browser. */
export const BROWSER_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Whether a text is an http(s) address. */
export const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
