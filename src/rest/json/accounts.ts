import { z } from 'zod';
import type { AccountSummaryFieldsFragment } from '../../generated/operations/graphql.ts';
import { shape } from './shape.ts';

/** The `user` of a review note or of an abuse report (contract, Review note and Abuse report). */
export const person = shape<AccountSummaryFieldsFragment>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    name: [z.string(), ({ name }) => name],
    url: [z.url().nullable(), ({ url }) => url],
    username: [z.string(), ({ username }) => username],
  },
  'Person',
);
