/* Pictures of what the demo makes itself: of the add-ons in src/demo/catalogue.ts and of the accounts in src/demo/accounts.ts. */
import type { DemoUsername } from '../../src/demo/accounts.ts';
import type { AddonType } from '../../src/package/enums.ts';
import { drawIcon } from './drawings.ts';
import type { Tool } from './phrases/phrase-book.ts';
import { colourOf, gradient } from './picture.ts';
import { drawExtension, drawPortrait } from './screens.ts';

/** Icons by slug: a sign, by default that of the type, on a ground of this colour. */
const ICONS: Readonly<Record<string, { type: AddonType; sign?: Tool; ground: string }>> = {
  'tab-notes': { type: 'extension', sign: 'diary', ground: '2a6f97' },
  'evening-sky': { type: 'statictheme', ground: '1b2a49' },
  'reading-time': { type: 'extension', sign: 'counter', ground: 'd35400' },
  'margin-notes': { type: 'extension', sign: 'printer', ground: '5a3d2b' },
  'small-english-dictionary': { type: 'dictionary', ground: '1f4d3a' },
  'sprachpaket-deutsch': { type: 'language', ground: '3d2a5c' },
  'example-words': { type: 'search', ground: '6b4e12' },
};
const WITH_PREVIEW = ['tab-notes', 'reading-time'];
const PORTRAITS: Readonly<Record<DemoUsername, string>> = {
  'demo-admin': '1d3557',
  'demo-reviewer': '1f4d3a',
  'demo-developer': '6d1f2f',
  'demo-developer-2': '3d2a5c',
  'demo-moderator': '6b4e12',
  'demo-user': '2f343b',
};

/** The pictures by name, as PNG. */
export function demoPictures(): Map<string, Buffer> {
  const icons = Object.entries(ICONS).map(([slug, { type, sign, ground }]): [string, Buffer] => [
    `${slug}-icon`,
    drawIcon(type, sign ?? null, colourOf(ground)),
  ]);
  const previews = WITH_PREVIEW.map((slug): [string, Buffer] => [
    `${slug}-preview`,
    drawExtension(colourOf(ICONS[slug]?.ground ?? ''), 'panel'),
  ]);
  const portraits = Object.entries(PORTRAITS).map(([username, colour], index): [string, Buffer] => [
    username,
    drawPortrait(colourOf(colour), index),
  ]);
  return new Map([
    ...icons,
    ...previews,
    ...portraits,
    ['evening-sky-header', gradient(320, 100, [27, 42, 73], [240, 140, 90])],
  ]);
}
