/* Deterministic catalogue lines for any number of add-ons, for benchmarks and kills of an import. */

const WORDS = (
  'tab note reading time blue hour quick search page colour dark light window mark word list video sound mail calendar ' +
  'password privacy block script style image photo map weather news feed translate language spell check download manager ' +
  'session history cookie proxy network developer tool test color picker screenshot capture print export import sync cloud'
).split(' ');
const TYPES = ['extension', 'extension', 'extension', 'statictheme', 'dictionary', 'persona'] as const;
const AUTHORS = 500;
/** Above the ids of a database in use. */
const FIRST = 1_000_000;

const pick = (seed: number): string => WORDS[Math.abs((seed * 2_654_435_761) % 4_294_967_291) % WORDS.length] ?? 'word';
const sentence = (seed: number, words: number): string =>
  Array.from({ length: words }, (_, index) => pick(seed * 31 + index * index + index)).join(' ');
const moment = (day: number): string =>
  new Date(Date.UTC(2015, 0, 1 + (day % 1_200))).toISOString().replace('.000', '');

function version(id: number, number: number, notes: string) {
  const file = {
    id,
    created: moment(id),
    hash: `sha256:${id.toString(16).padStart(64, '0')}`,
    is_webextension: true,
    platform: 'all',
    size: 1_000 + id,
    status: 4,
    permissions: ['storage', 'tabs'],
  };
  return {
    id,
    channel: 'listed',
    version: `${number}.0`,
    compatibility: { desktop_browser: { min: '57.0', max: '*' } },
    files: [file],
    license: { builtin: 'MPL-2.0' },
    release_notes: { 'en-US': notes },
    reviewed: moment(id + 1),
    created: moment(id),
  };
}

function addon(id: number) {
  const type = TYPES[id % TYPES.length] ?? 'extension';
  const name = sentence(id, 3);
  return {
    kind: 'addon',
    id,
    guid: `many-${id}@catalogue.example`,
    slug: `many-${id}`,
    type,
    status: 'public',
    name: { 'en-US': `${name} ${id}`, de: `${sentence(id + 7, 2)} ${id}` },
    summary: { 'en-US': sentence(id + 1, 20), de: sentence(id + 2, 20) },
    description: { 'en-US': sentence(id + 3, 120) },
    default_locale: 'en-US',
    created: moment(id),
    last_updated: moment(id + 30),
    tags: [...new Set([pick(id), pick(id + 11)])],
    categories: { desktop_browser: ['other'] },
    average_daily_users: Math.floor(2_000_000 / (id - FIRST)),
    weekly_downloads: Math.floor(300_000 / (id - FIRST)),
    ratings: { count: id % 90, text_count: id % 40, average: (id % 50) / 10, bayesian_average: (id % 45) / 10 },
    authors: [{ username: `many-author-${id % AUTHORS}`, role: 'owner' }],
    versions: type === 'persona' ? [] : [1, 2, 3].map((each) => version(id * 3 + each, each, sentence(id + each, 25))),
    ...(type === 'persona' ? { theme_data: { accentcolor: '#0c0c0d', textcolor: '#ffffff' } } : {}),
  };
}

/** The lines of a catalogue with `size` add-ons of 500 authors. */
export function* manyAddons(size: number): Generator<string> {
  for (let index = 0; index < AUTHORS; index += 1) {
    yield JSON.stringify({ kind: 'account', username: `many-author-${index}`, created: '2015-01-01T00:00:00Z' });
  }
  for (let id = FIRST + 1; id <= FIRST + size; id += 1) yield JSON.stringify(addon(id));
}
