import { z } from 'zod';
import { HttpRefusal } from '../http/http-refusal.ts';
import { lastValue, type Params, sentText } from '../http/params.ts';
import { message } from '../texts/messages.ts';
import { printable } from '../texts/printable.ts';

/** The requested page of a list; `page` counts from 1. */
export interface RequestedPage {
  page: number;
  pageSize: number;
}

const DEFAULT_PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 50;

/** How `page_size` is clamped, for the OpenAPI documents. */
export const PAGE_SIZE_RULE =
  `Default: ${DEFAULT_PAGE_SIZE}. Maximum: ${MAX_PAGE_SIZE}; larger values count as ${MAX_PAGE_SIZE}, ` +
  'other invalid values as the default.';

/** The page of a request that names none. */
export const FIRST_PAGE: RequestedPage = { page: 1, pageSize: DEFAULT_PAGE_SIZE };

/** The parameters that `requestedPage` reads, for the OpenAPI documents. */
export const PAGE_PARAMS: Params = {
  page: { schema: z.int().min(1), description: 'Page, counted from 1. Default: 1.', read: sentText },
  page_size: {
    schema: z.int(),
    description: `Items per page. ${PAGE_SIZE_RULE}`,
    read: sentText,
  },
};

/** Schema of the pagination envelope around items of one kind. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    next: z.url().nullable(),
    previous: z.url().nullable(),
    page_size: z.int().min(1),
    page_count: z.int().min(1),
    count: z.int().min(0),
    results: z.array(item),
  });

/**
 * Reads `page` and `page_size` (contract, Limits). Clamps the size, and refuses an invalid page number.
 * @throws {HttpRefusal} 404 for a page that is not a number from 1.
 */
export function requestedPage(query: URLSearchParams): RequestedPage {
  const page = lastValue(query, 'page') ?? '1';
  if (!/^\d{1,9}$/.test(page) || Number(page) < 1)
    throw new HttpRefusal(404, message('page.not_number', { value: printable(page) }));
  const size = lastValue(query, 'page_size') ?? '';
  const pageSize = /^\d+$/.test(size) && Number(size) >= 1 ? Math.min(Number(size), MAX_PAGE_SIZE) : DEFAULT_PAGE_SIZE;
  return { page: Number(page), pageSize };
}

/**
 * Returns the envelope of one page (contract, Paginated list envelope). `address` is the absolute URL of this page. The URLs of other
 * pages keep its parameters; that of the first page has no `page`. `reachable` is the number of results that pages contain, where these are not all.
 * @throws {HttpRefusal} 404 for a page past the end.
 */
export function pageEnvelope<Item>(
  address: URL | string,
  request: RequestedPage,
  { count, results, reachable = count }: { count: number; results: Item[]; reachable?: number },
) {
  const pages = pagesOf(reachable, request);
  if (request.page > pages) throw new HttpRefusal(404, message('page.past_end', { page: request.page, last: pages }));
  return {
    next: request.page < pages ? pageAddress(address, request.page + 1) : null,
    previous: request.page > 1 ? pageAddress(address, request.page - 1) : null,
    page_size: request.pageSize,
    page_count: pages,
    count,
    results,
  };
}

/** Number of pages; an empty list has one. */
const pagesOf = (count: number, { pageSize }: RequestedPage): number => Math.max(1, Math.ceil(count / pageSize));

function pageAddress(address: URL | string, page: number): string {
  const url = new URL(address);
  if (page === 1) url.searchParams.delete('page');
  else url.searchParams.set('page', String(page));
  return url.href;
}
