import { describe, expect, it } from 'vitest';
import { pageEnvelope, requestedPage } from '../../src/rest/pagination.ts';
import { beginningWith } from '../support/expect-refusal.ts';

const request = (query: string) => requestedPage(new URLSearchParams(query));

describe('page and page_size', () => {
  it.each([
    ['', 1, 25],
    ['page=3&page_size=10', 3, 10],
    ['page_size=50', 1, 50],
    ['page_size=51', 1, 50],
    ['page_size=99999999999999999999', 1, 50],
    ['page_size=0', 1, 25],
    ['page_size=-1', 1, 25],
    ['page_size=ten', 1, 25],
    ['page_size=', 1, 25],
    ['page_size=2.5', 1, 25],
    ['page=1&page=2&page_size=7&page_size=8', 2, 8],
  ])('reads %s', (query, page, pageSize) => {
    expect(request(query)).toEqual({ page, pageSize });
  });

  it.each(['page=0', 'page=-1', 'page=last', 'page=', 'page=1.5', 'page=99999999999'])('refuses %s', (query) => {
    expect(() => request(query)).toThrow(
      expect.objectContaining({ status: 404, message: beginningWith('Invalid page. ') }),
    );
  });
});

describe('the envelope', () => {
  const address = new URL('https://addons.example/api/v4/list/?page=2&app=desktop_browser&page_size=2');

  it('keeps the other parameters in its URLs, and omits page=1', () => {
    const envelope = pageEnvelope(address, { page: 2, pageSize: 2 }, { count: 5, results: ['c', 'd'] });
    expect(envelope).toEqual({
      next: 'https://addons.example/api/v4/list/?page=3&app=desktop_browser&page_size=2',
      previous: 'https://addons.example/api/v4/list/?app=desktop_browser&page_size=2',
      page_size: 2,
      page_count: 3,
      count: 5,
      results: ['c', 'd'],
    });
    expect(Object.keys(envelope)).toEqual(['next', 'previous', 'page_size', 'page_count', 'count', 'results']);
  });

  it('has one page for an empty list', () => {
    const envelope = pageEnvelope(address, { page: 1, pageSize: 25 }, { count: 0, results: [] });
    expect(envelope).toMatchObject({ next: null, previous: null, page_count: 1, count: 0 });
  });

  it('ends with the last result that pages contain', () => {
    const pagesOf = (count: number, reachable: number, pageSize = 25) =>
      pageEnvelope(address, { page: 1, pageSize }, { count, reachable, results: [] }).page_count;
    expect([pagesOf(25, 25), pagesOf(26, 26), pagesOf(60, 50), pagesOf(100_000, 25_000, 30)]).toEqual([1, 2, 2, 834]);
  });

  it('responds with 404 past the last page', () => {
    const beyond = () => pageEnvelope(address, { page: 4, pageSize: 2 }, { count: 5, results: [] });
    expect(beyond).toThrow(expect.objectContaining({ status: 404, message: beginningWith('Invalid page. ') }));
  });
});
