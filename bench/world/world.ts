/*
 * The demo catalogue: add-ons of every type in six languages, their authors and curation. Deterministic for a day. Most guids end in
 * `world.example`.
 */
import type { AddonType } from '../../src/package/enums.ts';
import { type AddonLine, addonLine, type WorldAddon } from './addon-line.ts';
import { type Author, accountLine, authors } from './authors.ts';
import type { CatalogueLine } from './catalogue-line.ts';
import { curationLines } from './curation.ts';
import { edgeCaseAddons } from './edge-cases.ts';
import { featuredAddons, isFeaturedAddon } from './featured.ts';
import { LANGUAGES } from './languages.ts';
import { chooseBooks } from './phrase-books.ts';
import { COLOURS, SCENES, SUBJECTS, TOOLS, TOPICS } from './phrases/phrase-book.ts';
import { type AddonPlan, dictionaryPlan, enginePlan, extensionPlan, languagePackPlan, themePlan } from './plan.ts';
import { type Random, randomFor } from './random.ts';
import { referenceLines } from './reference-lines.ts';
import { dailyStatistics } from './statistics-lines.ts';

const AUTHORS = 60;
/** Maximum of users by type. */
const MAX_USERS: Readonly<Record<AddonType, number>> = {
  extension: 2_400_000,
  persona: 600_000,
  statictheme: 300_000,
  dictionary: 200_000,
  language: 150_000,
  search: 60_000,
  theme: 20_000,
};

/** The add-ons of the catalogue: public ones of every type, and those in other states. */
export function worldAddons(until: Date): { shown: WorldAddon[]; edgeCases: WorldAddon[] } {
  const known = authors(AUTHORS);
  const shown = plans().map((plan, index) => ({ plan, line: ordinaryLine(plan, index, known, until) }));
  return { shown: [...shown, ...featuredAddons(until)], edgeCases: edgeCaseAddons(until) };
}

/** The lines of the catalogue with these add-ons, in export order. `until` is the latest date. */
export function worldLines(
  until: Date,
  { shown, edgeCases }: { shown: readonly AddonLine[]; edgeCases: readonly AddonLine[] },
): CatalogueLine[] {
  const counted = dailyStatistics(shown, until, isFeaturedAddon);
  return [
    ...referenceLines(),
    ...authors(AUTHORS).map((author) => accountLine(author, until)),
    ...counted.addons,
    ...edgeCases,
    ...curationLines(counted.addons),
    ...counted.lines,
  ];
}

function plans(): AddonPlan[] {
  // Each subject has eight of the ten tools, in a different selection.
  const extensions = SUBJECTS.flatMap((subject, row) =>
    TOOLS.filter((_, column) => (row + column) % 5 !== 0).map((tool) => extensionPlan(subject, tool)),
  );
  const languages = Object.keys(LANGUAGES);
  return [
    ...extensions,
    ...themes('persona', 60, 0),
    ...themes('statictheme', 30, 1),
    ...themes('theme', 14, 2).map((plan) => ({ ...plan, slug: `complete-${plan.slug}` })),
    ...TOPICS.map(enginePlan),
    ...languages.filter((language) => language !== 'en-US').map(languagePackPlan),
    ...languages.slice(0, 24).map((language) => dictionaryPlan(language, false)),
    ...['de', 'pt-BR', 'fr'].map((language) => dictionaryPlan(language, true)),
  ];
}

/** Scenes and colours in turn; each type starts elsewhere, so that names rarely repeat. */
function themes(type: 'persona' | 'statictheme' | 'theme', count: number, kind: number): AddonPlan[] {
  return Array.from({ length: count }, (_, index) => {
    const at = kind * 36 + index;
    const scene = SCENES[at % SCENES.length];
    const colour = COLOURS[(at + Math.floor(at / SCENES.length)) % COLOURS.length];
    if (scene === undefined || colour === undefined) throw new Error('There are no scenes or no colours.');
    const plan = themePlan(type, scene, colour, at % 2 === 0);
    return type === 'persona' ? plan : { ...plan, slug: `${plan.slug}-${type === 'theme' ? 'classic' : 'theme'}` };
  });
}

function ordinaryLine(plan: AddonPlan, index: number, known: readonly Author[], until: Date): AddonLine {
  const random = randomFor('world', plan.type, plan.slug);
  return addonLine({
    plan,
    guid: guidOf(plan, random),
    slug: plan.slug,
    books: chooseBooks(random),
    random,
    until,
    authors: random.some(known, random.chance(0.2) ? 2 : 1).map(({ username }) => username),
    // A few add-ons have most of the users. The step visits each rank once.
    users: Math.floor(MAX_USERS[plan.type] / (1 + ((index * 97) % 401)) ** 1.3),
    versionCount: random.between(2, 3),
    isLegacy: plan.type === 'theme' || (plan.type === 'extension' && random.chance(0.08)),
  });
}

/** A guid: an address or a UUID. */
function guidOf({ type, slug, targetLocale }: AddonPlan, random: Random): string {
  if (type === 'language') return `langpack-${targetLocale}@world.example`;
  const [a, b, c, d, e] = [8, 4, 4, 4, 12].map((length) => random.hex(length));
  if (type === 'extension' && random.chance(0.15)) return `{${a}-${b}-${c}-${d}-${e}}`;
  return `${slug}@world.example`;
}
