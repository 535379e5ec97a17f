/*
 * Catalogues of any size for benchmarks, one line at a time, with the shape of a large catalogue: three versions per add-on, a
 * quarter as many accounts, Pareto-distributed users and Zipf-distributed words. Deterministic for a size and seed.
 */

import { type AddonLine, addonLine } from './addon-line.ts';
import { type Author, accountLine } from './authors.ts';
import type { CatalogueLine } from './catalogue-line.ts';
import { LANGUAGES } from './languages.ts';
import { BOOKS } from './phrase-books.ts';
import { COLOURS, SCENES, SUBJECTS, TOOLS, TOPICS } from './phrases/phrase-book.ts';
import { type AddonPlan, dictionaryPlan, enginePlan, extensionPlan, languagePackPlan, themePlan } from './plan.ts';
import { type Random, randomFor } from './random.ts';
import { referenceLines } from './reference-lines.ts';
import { coinedName, sentences, tagOf } from './words.ts';

export interface BenchmarkSize {
  /** Add-ons of all types. */
  addons: number;
  /** Additional personas. */
  personas: number;
  seed: number;
}

const ADDONS_PER_ACCOUNT = 4;
const VERSIONS = 3;
/** Language packs and dictionaries are among the first add-ons only, so that a large catalogue has no more of them. */
const WITH_PACKS = 20_000;
/** Fixed, so that lines are deterministic. */
const UNTIL = new Date('2018-11-01T00:00:00Z');

/** The lines of a catalogue of this size, accounts first. Memory use does not depend on the size. */
export function* benchmarkLines({ addons, personas, seed }: BenchmarkSize): Generator<CatalogueLine> {
  yield* referenceLines();
  const accounts = Math.max(1, Math.ceil(addons / ADDONS_PER_ACCOUNT));
  for (let index = 0; index < accounts; index += 1) yield accountLine(authorOf(index, seed), UNTIL);
  for (let index = 0; index < addons + personas; index += 1) yield lineOf(index, { addons, personas, seed }, accounts);
}

function authorOf(index: number, seed: number): Author {
  const name = coinedName(randomFor(seed, 'maker', index));
  return { username: `${name.toLowerCase()}-${seed}-${index}`, displayName: `${name} Works` };
}

function lineOf(index: number, { addons, seed }: BenchmarkSize, accounts: number): AddonLine {
  const random = randomFor(seed, 'addon', index);
  const plan = index < addons ? planOf(index, random) : personaPlan(random);
  const brand = coinedName(random);
  const authors = [random.between(0, accounts - 1), ...(random.chance(0.15) ? [random.between(0, accounts - 1)] : [])];
  const books = random.chance(0.1) ? random.some(BOOKS, 2) : BOOKS.slice(0, 1);
  return addonLine({
    plan: {
      ...plan,
      tags: [...new Set([...plan.tags, tagOf(random), tagOf(random)])],
      listing: (book) => {
        const listing = plan.listing(book);
        return { ...listing, name: `${brand} ${listing.name}` };
      },
    },
    guid: `${plan.slug}-${seed}-${index}@demo.example`,
    slug: `${brand.toLowerCase()}-${plan.slug}-${seed}-${index}`,
    books,
    random,
    until: UNTIL,
    authors: [...new Set(authors)].map((author) => authorOf(author, seed).username),
    users: usersOf(random),
    versionCount: VERSIONS,
    isLegacy: plan.type === 'theme',
    words: sentences(random, plan.type === 'persona' ? random.between(6, 25) : random.between(30, 130)),
  });
}

/** Pareto distribution: half of the add-ons have at most four users; one in n has 2n. */
const usersOf = (random: Random): number => Math.min(5_000_000, Math.floor(2 / (1 - random.share())));

function planOf(index: number, random: Random): AddonPlan {
  const languages = Object.keys(LANGUAGES);
  if (index < WITH_PACKS && index % 100 === 7) return languagePackPlan(random.pick(languages));
  if (index < WITH_PACKS && index % 200 === 9) return dictionaryPlan(random.pick(languages), random.chance(0.1));
  const share = random.share();
  if (share < 0.03) return enginePlan(random.pick(TOPICS));
  if (share < 0.06) return themePlan('theme', random.pick(SCENES), random.pick(COLOURS), random.chance(0.5));
  if (share < 0.14) return themePlan('statictheme', random.pick(SCENES), random.pick(COLOURS), random.chance(0.5));
  if (share < 0.2) return personaPlan(random);
  return extensionPlan(random.pick(SUBJECTS), random.pick(TOOLS));
}

const personaPlan = (random: Random): AddonPlan =>
  themePlan('persona', random.pick(SCENES), random.pick(COLOURS), random.chance(0.5));
