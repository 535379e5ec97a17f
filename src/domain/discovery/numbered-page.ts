import { builder } from '../../graphql/builder.ts';
import { type NumberedList, pageCountOf } from './numbered-list.ts';

/** The fields that all numbered pages share; each type adds `results`. */
export const NumberedPage = builder.interfaceRef<NumberedList<unknown>>('NumberedPage').implement({
  description: 'One page of a list with numbered pages.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'Number of items on all pages.' }),
    page: t.exposeInt('page', { description: 'Number of this page, from 1.' }),
    pageSize: t.exposeInt('pageSize', { description: 'Maximum number of items per page.' }),
    pageCount: t.int({
      description: 'Number of pages; an empty list has one.',
      resolve: (list) => pageCountOf(list),
    }),
  }),
});
