import { z } from 'zod';
import type { SiteFieldsFragment } from '../../generated/operations/graphql.ts';
import { shape } from './shape.ts';

/** The state of the service, which front ends read for each page. */
export const siteStatus = shape<SiteFieldsFragment>(
  {
    read_only: [z.boolean(), ({ isReadOnly }) => isReadOnly],
    notice: [z.string().nullable(), ({ notice }) => notice?.value ?? null],
  },
  'Site',
);
