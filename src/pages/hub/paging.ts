import { label, type Param, rawText } from '../../http/params.ts';

/** Number of items of a page, as the operations have it. */
export const PAGE_SIZE = 25;

/** The number of a page; 1 for anything else. */
export const pageNumber: Param<number> = {
  ...label('Page number from 1.'),
  read: rawText.transform((text) => (text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1)),
};
