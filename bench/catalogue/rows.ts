/* The rows of the table, with the goals of catalogue reads. */
import type { Row } from '../report.ts';
import type { Measured, Medians } from './measurements.ts';
import { LATE_PAGE, ratingsPath, type Work } from './requests.ts';
import type { Server } from './site.ts';

const atLeast = (what: string, value: number, min: number): Row => ({ what, value, unit: 'times', goal: { min } });
const atMost = (what: string, value: number, max: number, unit = 'times'): Row => ({
  what,
  value,
  unit,
  goal: { max },
});

/** The measurements of one size. */
export function plainRows(addons: string, of: Medians): Row[] {
  const row = (what: string, work: Work, server: Server): Row[] => {
    const { perSecond, cost } = of(work, server);
    return [
      { what: `${addons}: ${what}`, value: perSecond, unit: '/s' },
      { what: `${addons}: ${what}, processor time`, value: cost, unit: 'ms' },
    ];
  };
  return [
    ...row('detail', 'detail', 'service'),
    ...row('detail, hand-written SQL', 'detail', 'reference'),
    ...row('list of 25', 'list', 'service'),
    ...row('list of 25, hand-written SQL', 'list', 'reference'),
    ...row('detail with status 304', 'unchanged', 'service'),
    ...row('detail by `/graphql`', 'graphql', 'service'),
    ...row('versions', 'versions', 'service'),
    ...row('25 versions of one add-on', 'full-versions', 'service'),
    ...row('search with a query', 'search', 'service'),
    ...row('autocomplete', 'autocomplete', 'service'),
    ...row('compat-override with 25 guids', 'overrides', 'service'),
  ];
}

/** The service compared with the other servers, and its routes with each other, at one size. */
export function comparedRows(addons: string, of: Medians): Row[] {
  const rate = (work: Work, against: Work, server: Server = 'service') =>
    of(work).perSecond / of(against, server).perSecond;
  const detail = of('detail').cost / of('detail', 'reference').cost;
  return [
    atLeast(`${addons}: detail against hand-written SQL`, rate('detail', 'detail', 'reference'), 1.8),
    atMost(`${addons}: detail against hand-written SQL, processor time`, detail, 0.4),
    atLeast(`${addons}: list of 25 against hand-written SQL`, rate('list', 'list', 'reference'), 2.5),
    atLeast(`${addons}: 304 against detail`, rate('unchanged', 'detail'), 1.2),
    atLeast(`${addons}: \`/graphql\` against detail`, rate('graphql', 'detail'), 0.3),
    atLeast(`${addons}: compat-override with 25 guids against detail`, rate('overrides', 'detail'), 0.8),
  ];
}

/** Pages of the ratings of the most rated add-on, compared with a list of as many versions. */
export function ratingRows(addons: string, of: Medians): Row[] {
  const pages = [
    { what: `${addons}: ratings of the most rated add-on, page 1`, ...of('ratings') },
    { what: `${addons}: ratings of the most rated add-on, page ${LATE_PAGE}`, ...of('late-ratings') },
  ];
  return [
    ...pages.flatMap(({ what, perSecond, cost }): Row[] => [
      { what, value: perSecond, unit: '/s' },
      { what: `${what}, processor time`, value: cost, unit: 'ms' },
    ]),
    ...pages.map(({ what, cost }) =>
      atMost(`${what}, against 25 versions, processor time`, cost / of('full-versions').cost, 1.3),
    ),
  ];
}

/** Reads under writes, compared with the reference at the same time. */
export function writeRows(addons: string, { underWrites: of, writes }: Measured): Row[] {
  const rate = (work: Work) => of(work).perSecond / of(work, 'reference').perSecond;
  return [
    { what: `${addons}: edits during the reads`, value: writes.edits, unit: '/s', goal: { min: 19 } },
    {
      what: `${addons}: counted downloads during the reads`,
      value: writes.downloads,
      unit: '/s',
      goal: { min: 190 },
    },
    { what: `${addons}: detail under writes`, value: of('detail').perSecond, unit: '/s' },
    { what: `${addons}: list of 25 under writes`, value: of('list').perSecond, unit: '/s' },
    atLeast(`${addons}: detail against hand-written SQL, under writes`, rate('detail'), 1.6),
    atLeast(`${addons}: list of 25 against hand-written SQL, under writes`, rate('list'), 2),
  ];
}

/** The growth of processor time with the number of add-ons. */
export function growthRows(what: string, small: Medians, large: Medians): Row[] {
  const growth = (work: Work) => large(work).cost / small(work).cost;
  const row = (name: string, work: Work, max: number) => atMost(`${what}: ${name}`, growth(work), max);
  return [
    row('detail', 'detail', 1.15),
    row('list of 25', 'list', 1.15),
    row('versions', 'versions', 1.15),
    row('search with a query', 'search', 2),
    row('autocomplete', 'autocomplete', 2),
  ];
}

interface CountedPath {
  what: string;
  path: string;
  max: number;
}

/** The paths whose statements are counted, with the maximum of each. */
export function countedPaths(id: number, guids: readonly string[], mostRated: number | null): CountedPath[] {
  const all = guids.map(encodeURIComponent).join(',');
  const path = (rest: string) => `/api/v4/addons/${rest}`;
  return [
    { what: 'detail', path: path(`addon/${id}/`), max: 2 },
    { what: 'list of 1', path: path('search/?page_size=1'), max: 3 },
    { what: 'list of 50', path: path('search/?page_size=50'), max: 3 },
    { what: 'search, 50 results', path: path('search/?q=tab&page_size=50'), max: 3 },
    { what: 'versions, 1', path: path(`addon/${id}/versions/?page_size=1`), max: 4 },
    { what: 'versions, 50', path: path(`addon/${id}/versions/?page_size=50`), max: 4 },
    { what: 'compat-override, 25 guids', path: path(`compat-override/?guid=${all}`), max: 2 },
    { what: 'language-tools', path: path('language-tools/?app=desktop_browser'), max: 3 },
    ...(mostRated === null
      ? []
      : [1, LATE_PAGE].map((page) => ({ what: `ratings, page ${page}`, path: ratingsPath(mostRated, page), max: 3 }))),
  ];
}
