/*
 * Invalid values for every parameter of every documented read of the catalogue. The parameters come from the OpenAPI document,
 * so new ones are covered without a change here.
 */
import { readDocuments } from './openapi-documents.ts';

/** A documented read: its path below the API version, and the names of its path and query parameters. */
export interface CatalogueRead {
  template: string;
  pathNames: string[];
  queryNames: string[];
}

/** A request with one invalid value. */
export interface GarbageRequest {
  parameter: string;
  what: string;
  path: string;
}

/** The invalid values, percent-encoded. */
export const GARBAGE: readonly (readonly [what: string, value: string])[] = [
  ['nothing', ''],
  ['4 kB', 'x'.repeat(4096)],
  ['4 kB of commas', ','.repeat(4096)],
  [
    '4 kB of different words',
    Array.from({ length: 1_000 }, (_, index) => `a${index}`)
      .join(',')
      .slice(0, 4096),
  ],
  ['NUL', 'a%00b'],
  ['a lone surrogate', '%ED%A0%80'],
  ['broken UTF-8', '%C3%28'],
  ['a broken escape', '%E0%A4%A'],
  ['a huge number', '9'.repeat(400)],
  ['a number beyond 64 bits', '99999999999999999999'],
  ['a number beyond 32 bits', '2147483648'],
  ['a negative number', '-1'],
  ['a very negative number', '-99999999999999999999'],
  ['a fraction', '1.5'],
  ['an exponent', '1e9'],
  ['infinity', 'Infinity'],
  ['a boolean', 'true'],
  ['null', 'null'],
  ['a list', '%5B1%2C2%5D'],
  ['an object', '%7B%22a%22%3A1%7D'],
  ['a name of JavaScript', '__proto__'],
  ['another name of JavaScript', 'constructor'],
  ['SQL', "'%20OR%201=1;--"],
  ['a pattern', '%25_%5C%2A%3A%2A'],
  ['line ends', '%0D%0Aa:%20b'],
  ['emoji', '%F0%9F%94%A5'],
];

/** Values that are also sent as one of two values of a parameter, and as an item of a list. */
const REPEATED: ReadonlySet<string> = new Set(['nothing', '4 kB', 'NUL', 'a negative number', 'a name of JavaScript']);

/** Valid queries, in which the other parameters have an effect. */
const GOOD_QUERIES: Readonly<Record<string, string>> = {
  '/addons/featured/': 'app=desktop_browser&type=extension',
  '/addons/search/': 'app=desktop_browser&appversion=60.0&type=extension&q=made',
  '/addons/autocomplete/': 'app=desktop_browser&appversion=60.0&type=extension&q=made',
  '/addons/language-tools/': 'app=desktop_browser&appversion=60.0&type=language',
  '/addons/recommendations/': 'guid=made@example&recommended=true',
  '/addons/addon/{addon}/': 'app=desktop_browser&appversion=60.0',
  '/ratings/rating/': 'addon=pack',
  '/addons/browser-mappings/': 'browser=chrome',
};

interface DocumentedParameter {
  name: string;
  in: 'path' | 'query';
}

/** Every read of the catalogue that an API version documents. */
export const catalogueReads = (version: 'v3' | 'v4' | 'v5'): CatalogueRead[] =>
  readsOf(version, (path, isForAll) => isForAll && /\/(addons|accounts\/account|ratings|site)\//.test(path));

/** Every documented read that needs credentials. */
export const privateReads = (version: 'v3' | 'v4' | 'v5'): CatalogueRead[] =>
  readsOf(version, (_path, isForAll) => !isForAll);

function readsOf(
  version: 'v3' | 'v4' | 'v5',
  isIncluded: (path: string, isForAll: boolean) => boolean,
): CatalogueRead[] {
  return Object.entries(readDocuments()[version].paths).flatMap(([path, { get }]) => {
    const { security = [], parameters = [] } = (get ?? {}) as {
      security?: object[];
      parameters?: DocumentedParameter[];
    };
    const isForAll = security.every((way) => Object.keys(way).length > 0) ? security.length === 0 : true;
    if (get === undefined || !isIncluded(path, isForAll)) return [];
    const names = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
    return [{ template: path.replace(/^\/api\/v\d/, ''), pathNames: names('path'), queryNames: names('query') }];
  });
}

/** A valid request. `names` has the values of the path parameters. */
export function goodRequest(read: CatalogueRead, version: string, names: Readonly<Record<string, string>>): string {
  return `${pathOf(read, version, names)}?${GOOD_QUERIES[read.template] ?? ''}`;
}

/**
 * Every invalid value in every parameter of a read, one in each otherwise valid request. Query parameters are sent once, twice
 * with another value before or after, and as a list.
 */
export function garbageRequests(
  read: CatalogueRead,
  version: string,
  names: Readonly<Record<string, string>>,
): GarbageRequest[] {
  const good = GOOD_QUERIES[read.template] ?? '';
  const address = pathOf(read, version, names);
  return GARBAGE.flatMap(([what, value]) => [
    ...read.pathNames.map((parameter) => ({
      parameter,
      what,
      path: `${pathOf(read, version, { ...names, [parameter]: value })}?${good}`,
    })),
    ...read.queryNames.flatMap((parameter) => {
      const others = good.split('&').filter((pair) => !pair.startsWith(`${parameter}=`));
      const forms = [
        [`${parameter}=${value}`],
        ...(REPEATED.has(what)
          ? [
              [`${parameter}=1`, `${parameter}=${value}`],
              [`${parameter}=${value}`, `${parameter}=1`],
              [`${parameter}[]=${value}`],
            ]
          : []),
      ];
      return forms.map((form) => ({ parameter, what, path: `${address}?${[...others, ...form].join('&')}` }));
    }),
  ]);
}

function pathOf({ template }: CatalogueRead, version: string, names: Readonly<Record<string, string>>): string {
  return `/api/${version}${template.replace(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? '')}`;
}
