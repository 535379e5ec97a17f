import { type Param, word } from '../../http/params.ts';

/** The number of a page; 1 for anything else. */
export const pageNumber: Param<number> = {
  ...word('Page number from 1.', {}),
  parse: (raw) => (raw !== null && /^[1-9]\d{0,6}$/.test(raw) ? Number(raw) : 1),
};
