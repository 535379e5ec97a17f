import { z } from 'zod';
import type { OwnUploadFieldsFragment } from '../../generated/operations/graphql.ts';
import { apiAddress } from '../view.ts';
import { shape } from './shape.ts';
import { isProcessed, isValid } from './signing.ts';

/** An Upload (submission API v5), keys in the documented order. */
export const uploadShape = shape<OwnUploadFieldsFragment>(
  {
    uuid: [z.string().regex(/^[0-9a-f]{32}$/), ({ pk }) => pk],
    channel: [z.enum(['listed', 'unlisted']), ({ channel }) => channel.toLowerCase()],
    processed: [z.boolean(), ({ stage }) => isProcessed(stage)],
    submitted: [z.boolean(), ({ isSubmitted }) => isSubmitted],
    url: [z.url(), ({ pk }, view) => apiAddress(view, ['addons', 'upload', pk])],
    valid: [z.boolean(), ({ stage }) => isValid(stage)],
    validation: [z.record(z.string(), z.unknown()).nullable(), ({ validation }) => validation?.json ?? null],
    version: [z.string(), ({ version }) => version],
  },
  'Upload',
);
