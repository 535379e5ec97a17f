import { type Param, word } from '../../http/params.ts';

/** Number of items of a page, as the operations have it. */
export const PAGE_SIZE = 25;

/** The number of a page; 1 for anything else. */
export const pageNumber: Param<number> = {
  ...word('Page number from 1.', {}),
  parse: (raw) => (raw !== null && /^[1-9]\d{0,6}$/.test(raw) ? Number(raw) : 1),
};
