/*
 * Follows every link as one role: from the home page, the sitemap, and the addresses in responses of REST and GraphQL. No address
 * may be unknown or fail, and fragments must exist.
 */

import { type Links, linksOfData, linksOfHtml } from './links.ts';
import { eachOf } from './report.ts';

/** What a crawl needs. */
export interface CrawlOptions {
  origin: string;
  /** Sent to pages. */
  cookie: string;
  /** The Authorization header of requests to the API; null for anonymous clients. */
  authorization: string | null;
  /** Paths to start from. */
  starts: readonly string[];
  /** Texts of API responses whose addresses are starts, too. */
  responses: readonly string[];
  /** Returns the kind of page that a path opens. */
  kindOf(path: string): string;
  /** Whether pages about reviews exist for this role. */
  mayReview: boolean;
  /** Number of addresses that are opened of each kind of page and set of at most two query parameters, or number of more. */
  perKind: number;
}

/** Result of a crawl. */
export interface CrawlResult {
  opened: number;
  problems: string[];
}

const TOGETHER = 3;

/** Names of files of the add-ons in `hostile.ts`, whose packages are not stored. */
const WITHOUT_PACKAGE = /^\/downloads\/file\/.*-1\.0_very_long_number_of_a_version/;

/** The API hands out the addresses of these pages to every client. */
const OF_REVIEWERS = /^\/reviewers\/review\//;

/** A library's program, whose texts look like addresses. */
const PROGRAM = /^\/graphql\//;

/** An address still to open, and where it was found. */
interface Found {
  url: string;
  from: string;
}

/** Crawls until no new address is left. */
export async function crawl(options: CrawlOptions): Promise<CrawlResult> {
  const { origin, starts, responses, perKind } = options;
  const problems: string[] = [];
  const opened = new Map<string, Links>();
  const fragments: Found[] = [];
  const counts = new Map<string, number>();
  const known = new Set<string>();
  const add = (urls: readonly string[], from: string): Found[] =>
    urls.flatMap((each) => {
      if (!each.startsWith(`${origin}/`)) return [];
      const url = each.split('#')[0] ?? '';
      if (each.includes('#')) fragments.push({ url: each, from });
      if (known.has(url)) return [];
      known.add(url);
      const kind = kindWithQuery(url, options);
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return count > perKind ? [] : [{ url, from }];
    });
  const first = starts.map((path) => origin + path);
  const named = responses.flatMap((text) => linksOfData(text, origin).urls);
  let waiting = [...add(first, 'the start'), ...add(named, 'a response of the API')];
  while (waiting.length > 0) {
    const next: Found[] = [];
    await eachOf(waiting, TOGETHER, async ({ url, from }) => {
      const { links, problem } = await open(url, options);
      if (problem !== null) problems.push(`${problem}, found on ${from}`);
      opened.set(url, links);
      next.push(...add(links.urls, url));
    });
    waiting = next;
  }
  return { opened: opened.size, problems: [...problems, ...missingFragments(fragments, opened)] };
}

/** Links with three parameters and more add one to those of the page they are on; a search has 160 sets of its filters. */
function kindWithQuery(url: string, { kindOf }: CrawlOptions): string {
  const { pathname, searchParams } = new URL(url);
  const names = [...new Set(searchParams.keys())].sort();
  return `${kindOf(pathname)}?${names.length > 2 ? `${names.length} parameters` : names}`;
}

async function open(url: string, options: CrawlOptions): Promise<{ links: Links; problem: string | null }> {
  const { cookie, authorization } = options;
  const { pathname } = new URL(url);
  const isApi = /^\/(?:api|graphql|downloads)\//.test(pathname);
  const headers: Record<string, string> = isApi ? { accept: 'application/json' } : { accept: 'text/html,*/*', cookie };
  if (isApi && authorization !== null) headers['authorization'] = authorization;
  const response = await fetch(url, { headers, redirect: 'manual' });
  const isHidden = OF_REVIEWERS.test(pathname) && !options.mayReview;
  const isMissing = response.status === 404 && (WITHOUT_PACKAGE.test(pathname) || isHidden);
  const problem = isBroken(response.status) && !isMissing ? `${url} returned ${response.status}` : null;
  return { links: await linksOf(response, url, options), problem };
}

/** Refusals of a role are no broken links, unless the address is unknown or the request is wrong. */
const isBroken = (status: number): boolean => status >= 500 || [400, 404, 405, 406, 414].includes(status);

async function linksOf(response: Response, url: string, { origin }: CrawlOptions): Promise<Links> {
  const location = response.headers.get('location');
  const type = response.headers.get('content-type') ?? '';
  const isText = /html|json|xml/.test(type) && !/svg/.test(type) && !PROGRAM.test(new URL(url).pathname);
  if (location !== null || !isText) {
    await response.body?.cancel();
    // Where a link leads outside is decided by its author.
    const target = location === null ? [] : [new URL(location, url).href];
    return { urls: target, ids: new Set() };
  }
  const text = await response.text();
  return type.includes('html') ? linksOfHtml(text, url) : linksOfData(text, origin);
}

function missingFragments(fragments: readonly Found[], opened: ReadonlyMap<string, Links>): string[] {
  const missing = fragments.flatMap(({ url, from }) => {
    const [address = '', fragment = ''] = url.split('#');
    const links = opened.get(address);
    if (links === undefined || fragment === '' || links.ids.has(decodeURIComponent(fragment))) return [];
    return [`${url} names no place on its page, found on ${from}`];
  });
  return [...new Set(missing)];
}
