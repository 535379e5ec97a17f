import type { Application } from '../../src/package/enums.ts';
import { type CatalogueLine, daysBefore, moment } from './catalogue-line.ts';
import { fill, inEach } from './phrase-books.ts';
import type { Listing, PhraseBook } from './phrases/phrase-book.ts';
import type { AddonPlan } from './plan.ts';
import type { Random } from './random.ts';
import { type VersionLine, versionLines } from './versions.ts';

/** The line of an add-on. Further keys are allowed. */
export interface AddonLine extends CatalogueLine {
  kind: 'addon';
  guid: string;
  slug: string | null;
  type: AddonPlan['type'];
  status: string;
  default_locale: string;
  name: Record<string, string>;
  average_daily_users: number;
  categories: Partial<Record<Application, string[]>>;
  previews: object[];
  theme_data?: object;
  versions: VersionLine[];
}

/** An add-on of the demo catalogue and its plan. */
export interface WorldAddon {
  plan: AddonPlan;
  line: AddonLine;
}

/** Distinguishes the second dictionary of a language. This text is not translated. */
const OTHER_SPELLING = 'traditional spelling';

/** Facts of an add-on in addition to its plan. */
export interface AddonFacts {
  plan: AddonPlan;
  guid: string;
  slug: string;
  /** Languages of its texts, the default first. */
  books: readonly PhraseBook[];
  random: Random;
  /** The latest date in the line. */
  until: Date;
  /** Usernames; the first is the owner. */
  authors: readonly string[];
  users: number;
  versionCount: number;
  isLegacy?: boolean;
  /** Appended to the description in the default language. */
  words?: string;
}

/** The line of a public add-on with a history of updates. */
export function addonLine(facts: AddonFacts): AddonLine {
  const { plan, guid, slug, books, random, until, users, isLegacy = false } = facts;
  const [home] = books;
  if (home === undefined) throw new Error(`${guid} has no language`);
  const created = daysBefore(until, random.between(90, 900) + random.share());
  const lastUpdated = daysBefore(until, random.between(5, 80) + random.share());
  const applications = applicationsOf(plan, random);
  const count = plan.type === 'persona' ? 0 : facts.versionCount;
  return {
    kind: 'addon',
    guid,
    slug,
    type: plan.type,
    status: 'public',
    default_locale: home.locale,
    ...texts(facts, home),
    created: moment(created),
    last_updated: moment(lastUpdated),
    tags: plan.tags,
    categories: Object.fromEntries(applications.map((app) => [app, categoriesIn(plan, app)])),
    ...success(users, random),
    ...flags(plan, random, slug),
    previews: previews(facts),
    ...themeData(plan),
    ...(plan.targetLocale === undefined ? {} : { target_locale: plan.targetLocale }),
    ...(plan.isOtherSpelling ? { locale_disambiguation: OTHER_SPELLING } : {}),
    authors: facts.authors.map((username, position) => ({
      username,
      role: position === 0 ? 'owner' : 'developer',
      listed: true,
      position,
    })),
    e10s: isLegacy ? random.pick(['unknown', 'compatible', 'incompatible']) : 'compatible-webextension',
    versions: versionLines({ plan, books, random, applications, isLegacy, created, lastUpdated, count }),
  };
}

function applicationsOf({ type }: AddonPlan, random: Random): Application[] {
  if (type === 'dictionary') return ['desktop_browser', 'mail_client', 'suite_app'];
  if (type === 'theme') return random.chance(0.5) ? ['desktop_browser', 'suite_app'] : ['desktop_browser'];
  if (type === 'extension' && random.chance(0.35)) return ['desktop_browser', 'mobile_browser'];
  if (type === 'extension' && random.chance(0.1)) return ['desktop_browser', 'mail_client'];
  return ['desktop_browser'];
}

/** Only the desktop browser has specific categories; the other applications use `other`. */
const categoriesIn = ({ category }: AddonPlan, app: Application): string[] => [
  app === 'desktop_browser' ? category : 'other',
];

function texts({ plan, books, random, slug, words }: AddonFacts, home: PhraseBook) {
  const listings = new Map<PhraseBook, Listing>(books.map((book) => [book, plan.listing(book)]));
  const of = (book: PhraseBook): Listing => listings.get(book) ?? plan.listing(book);
  const promise = random.between(0, home.promises.length - 1);
  const url = `https://${slug}.example.org/`;
  const describe = (book: PhraseBook): string =>
    [
      ...of(book).description,
      plan.type === 'extension' ? book.promises[promise] : undefined,
      book === home ? words : undefined,
      plan.type === 'extension' ? fill(book.more, { url: `${url}${book.locale}/` }) : undefined,
    ]
      .filter((paragraph) => paragraph !== undefined)
      .join('\n\n');
  const isExtension = plan.type === 'extension';
  return {
    name: inEach(books, (book) => of(book).name),
    summary: inEach(books, (book) => of(book).summary),
    description: inEach(books, describe),
    developer_comments: isExtension && random.chance(0.3) ? inEach(books, (book) => book.developerComments) : null,
    homepage: isExtension ? { [home.locale]: url } : null,
    support_email: random.chance(0.5) ? { [home.locale]: `help@${slug}.example.org` } : null,
    support_url: isExtension ? inEach(books.slice(0, 2), (book) => `${url}${book.locale}/help`) : null,
    eula: isExtension && random.chance(0.08) ? inEach(books, (book) => book.eula) : null,
    privacy_policy: isExtension && random.chance(0.25) ? inEach(books, (book) => book.privacyPolicy) : null,
  };
}

/** Prior of the Bayesian average: mean and weight. */
const PRIOR = { mean: 3.5, count: 12 };

function success(users: number, random: Random) {
  const count = Math.floor(users * (0.001 + random.share() * 0.02));
  const average = count === 0 ? 0 : round(3 + 1.9 * Math.sqrt(random.share()), 2);
  return {
    average_daily_users: users,
    weekly_downloads: Math.floor(users * (0.02 + random.share() * 0.1)),
    hotness: round(random.share() ** 3 - 0.1, 4),
    ratings: {
      count,
      text_count: Math.floor(count * 0.4),
      average,
      bayesian_average: round((count * average + PRIOR.count * PRIOR.mean) / (count + PRIOR.count), 4),
    },
  };
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

function flags({ type, permissions }: AddonPlan, random: Random, slug: string) {
  const isExtension = type === 'extension';
  return {
    contributions_url: random.chance(0.1) ? `https://give.example.org/${slug}` : null,
    is_experimental: isExtension && random.chance(0.04),
    is_source_public: random.chance(0.5),
    public_stats: random.chance(0.3),
    requires_payment: isExtension && random.chance(0.03),
    requires_sensitive_data_access: permissions.includes('<all_urls>'),
  };
}

function previews({ plan, books }: AddonFacts) {
  if (plan.type !== 'extension' && plan.type !== 'statictheme') return [];
  const captions = plan.type === 'extension' ? [0, 1] : [];
  const sizes = { image_size: [800, 600], thumbnail_size: [640, 480] };
  if (captions.length === 0) return [sizes];
  return captions.map((index) => ({ caption: inEach(books, (book) => book.captions[index] ?? ''), ...sizes }));
}

function themeData({ type, colours }: AddonPlan) {
  return type === 'persona' && colours !== undefined ? { theme_data: colours } : {};
}
