import { type AddonType, type Application, type Channel, FILE_STATUS, THEME_TYPES } from '../../src/package/enums.ts';
import { daysBefore, moment } from './catalogue-line.ts';
import { inEach } from './phrase-books.ts';
import type { PhraseBook } from './phrases/phrase-book.ts';
import type { AddonPlan } from './plan.ts';
import type { Random } from './random.ts';

const LICENSES = ['MPL-2.0', 'MPL-2.0', 'MIT', 'Apache-2.0', 'GPL-3.0-or-later', 'BSD-2-Clause', 'all-rights-reserved'];
const FREE_PICTURES = ['CC-BY-4.0', 'CC-BY-SA-4.0', 'CC0-1.0', 'all-rights-reserved'];

/** From this major version on the browser accepts WebExtensions only. */
const FIRST_QUANTUM = 57;
const NEWEST_MAJOR = 64;

export interface VersionLine {
  version: string;
  channel: Channel;
  created: string;
  files: FileLine[];
  [key: string]: unknown;
}

/** A file of a version. Further keys are allowed. */
export interface FileLine {
  is_webextension: boolean;
  [key: string]: unknown;
}

/** Facts shared by the versions of an add-on. */
export interface VersionFacts {
  plan: AddonPlan;
  books: readonly PhraseBook[];
  random: Random;
  applications: readonly Application[];
  /** True for add-ons that run in old browsers only. */
  isLegacy: boolean;
  created: Date;
  lastUpdated: Date;
  count: number;
}

/** The versions of an add-on, oldest first. */
export function versionLines(facts: VersionFacts): VersionLine[] {
  const { random, count, created, lastUpdated } = facts;
  const license = random.pick(isTheme(facts.plan.type) ? FREE_PICTURES : LICENSES);
  const step = (lastUpdated.getTime() - created.getTime()) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, index) => {
    const day = count === 1 ? lastUpdated : new Date(created.getTime() + index * step);
    return versionLine(facts, index, day, license);
  });
}

const isTheme = (type: AddonType): boolean => (THEME_TYPES as readonly AddonType[]).includes(type);

function versionLine(facts: VersionFacts, index: number, day: Date, license: string): VersionLine {
  const { plan, books, random, count } = facts;
  const major = facts.isLegacy ? 45 + index : NEWEST_MAJOR - count + 1 + index;
  const isPack = plan.type === 'language';
  return {
    version: isPack ? `${major}.0` : `${1 + Math.floor(index / 3)}.${index % 3}`,
    channel: 'listed',
    created: moment(day),
    reviewed: moment(daysBefore(day, -random.between(1, 40) / 10)),
    compatibility: plan.type === 'search' ? {} : compatibility(facts, major),
    is_strict_compatibility_enabled: isPack,
    license: { builtin: license },
    release_notes: inEach(books.slice(0, 2), (book) => book.releaseNotes[index % book.releaseNotes.length] ?? ''),
    files: [fileLine(facts, day)],
  };
}

/** Language packs match one browser version, legacy add-ons old ones, all others every version from a minimum on. */
function compatibility({ plan, applications, isLegacy }: VersionFacts, major: number) {
  const range = (app: Application): { min: string; max: string } => {
    if (plan.type === 'language') return { min: `${major}.0`, max: `${major}.*` };
    if (app === 'suite_app') return { min: '2.49', max: '2.53.*' };
    if (isLegacy) return { min: `${major - 10}.0`, max: `${FIRST_QUANTUM - 1}.*` };
    return { min: `${FIRST_QUANTUM}.0`, max: '*' };
  };
  return Object.fromEntries(applications.map((app) => [app, range(app)]));
}

function fileLine({ plan, random, isLegacy }: VersionFacts, day: Date): FileLine {
  const isWebExtension = !isLegacy && plan.type !== 'search' && plan.type !== 'persona';
  return {
    created: moment(day),
    hash: `sha256:${random.hex(64)}`,
    platform: plan.type === 'extension' && random.chance(0.06) ? random.pick(['windows', 'mac', 'linux']) : 'all',
    size: random.between(4_000, plan.type === 'extension' ? 900_000 : 400_000),
    status: FILE_STATUS.public,
    permissions: isWebExtension ? plan.permissions : [],
    is_webextension: isWebExtension,
    is_restart_required: isLegacy && plan.type !== 'dictionary',
    is_vendor_signed_extension: false,
  };
}
