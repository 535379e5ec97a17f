/*
 * The world of the demo as a catalogue file: add-ons of every type in six languages, their makers, and what curators made of
 * them. The same day gives the same world. Its guids end in `world.example`.
 */
import type { AddonType } from '../../domain/search/index/codes.ts';
import { COLOURS, SCENES, SUBJECTS, TOOLS, TOPICS } from '../phrases/phrase-book.ts';
import { type AddonLine, addonLine, type WorldAddon } from './addon-line.ts';
import { chooseBooks } from './books.ts';
import type { CatalogueLine } from './catalogue-line.ts';
import { curationLines } from './curation.ts';
import { accountLine, type Maker, makers } from './makers.ts';
import { type AddonPlan, dictionaryPlan, enginePlan, extensionPlan, languagePackPlan, themePlan } from './plan.ts';
import { type Random, randomFor } from './random.ts';
import { referenceLines } from './reference-lines.ts';
import { dailyStatistics } from './statistics-lines.ts';
import { TONGUES } from './tongues.ts';
import { unusualAddons } from './unusual.ts';

const MAKERS = 60;
/** As in every catalogue: far more people use extensions than anything else. */
const MOST_USERS: Readonly<Record<AddonType, number>> = {
  extension: 2_400_000,
  persona: 600_000,
  statictheme: 300_000,
  dictionary: 200_000,
  language: 150_000,
  search: 60_000,
  theme: 20_000,
};

/** The add-ons of the world: those that the public catalogue shows, of every type, then those in other states. */
export function worldAddons(until: Date): { shown: WorldAddon[]; unusual: WorldAddon[] } {
  const known = makers(MAKERS);
  const shown = plans().map((plan, index) => ({ plan, line: ordinaryLine(plan, index, known, until) }));
  return { shown, unusual: unusualAddons(known, until) };
}

/** The lines of the world with these add-ons, in the order of an export. Nothing in it is younger than `until`. */
export function worldLines(
  until: Date,
  { shown, unusual }: { shown: readonly AddonLine[]; unusual: readonly AddonLine[] },
): CatalogueLine[] {
  const counted = dailyStatistics(shown, until);
  return [
    ...referenceLines(),
    ...makers(MAKERS).map((maker) => accountLine(maker, until)),
    ...counted.addons,
    ...unusual,
    ...curationLines(counted.addons),
    ...counted.lines,
  ];
}

function plans(): AddonPlan[] {
  // Every subject meets eight of the ten tools, each time others.
  const extensions = SUBJECTS.flatMap((subject, row) =>
    TOOLS.filter((_, column) => (row + column) % 5 !== 0).map((tool) => extensionPlan(subject, tool)),
  );
  const tongues = Object.keys(TONGUES);
  return [
    ...extensions,
    ...themes('persona', 60, 0),
    ...themes('statictheme', 30, 1),
    ...themes('theme', 14, 2).map((plan) => ({ ...plan, slug: `complete-${plan.slug}` })),
    ...TOPICS.map(enginePlan),
    ...tongues.filter((tongue) => tongue !== 'en-US').map(languagePackPlan),
    ...tongues.slice(0, 24).map((tongue) => dictionaryPlan(tongue, false)),
    ...['de', 'pt-BR', 'fr'].map((tongue) => dictionaryPlan(tongue, true)),
  ];
}

/** Scenes and colours in turn; themes of another kind start elsewhere, so that names meet rarely. */
function themes(type: 'persona' | 'statictheme' | 'theme', count: number, kind: number): AddonPlan[] {
  return Array.from({ length: count }, (_, index) => {
    const at = kind * 36 + index;
    const scene = SCENES[at % SCENES.length];
    const colour = COLOURS[(at + Math.floor(at / SCENES.length)) % COLOURS.length];
    if (scene === undefined || colour === undefined) throw new Error('there are no scenes or no colours');
    const plan = themePlan(type, scene, colour, at % 2 === 0);
    return type === 'persona' ? plan : { ...plan, slug: `${plan.slug}-${type === 'theme' ? 'classic' : 'theme'}` };
  });
}

function ordinaryLine(plan: AddonPlan, index: number, known: readonly Maker[], until: Date): AddonLine {
  const random = randomFor('world', plan.type, plan.slug);
  return addonLine({
    plan,
    guid: guidOf(plan, random),
    slug: plan.slug,
    books: chooseBooks(random),
    random,
    until,
    authors: random.some(known, random.chance(0.2) ? 2 : 1).map(({ username }) => username),
    // A few have most of the users. The step through the ranks visits each of them once.
    users: Math.floor(MOST_USERS[plan.type] / (1 + ((index * 97) % 401)) ** 1.3),
    versionCount: random.between(plan.type === 'language' ? 3 : 2, 5),
    isLegacy: plan.type === 'theme' || (plan.type === 'extension' && random.chance(0.08)),
  });
}

/** Packages name their add-ons by an address or by a UUID; both look random to people. */
function guidOf({ type, slug, targetLocale }: AddonPlan, random: Random): string {
  if (type === 'language') return `langpack-${targetLocale}@world.example`;
  const [a, b, c, d, e] = [8, 4, 4, 4, 12].map((length) => random.hex(length));
  if (type === 'extension' && random.chance(0.15)) return `{${a}-${b}-${c}-${d}-${e}}`;
  return `${slug}@world.example`;
}
