import { z } from 'zod';
import type { UploadFieldsFragment, UploadStage } from '../../generated/operations/graphql.ts';
import { apiAddress } from '../view.ts';
import { shape } from './shape.ts';

const VALID: readonly UploadStage[] = ['VALID', 'AWAITING_REVIEW', 'SIGNING', 'SIGNED', 'REJECTED'];

/** Whether the validator has finished. */
export const isProcessed = (stage: UploadStage): boolean => stage !== 'RECEIVED' && stage !== 'VALIDATING';

/** Whether validation passed. */
export const isValid = (stage: UploadStage): boolean => VALID.includes(stage);

const uploadFile = shape<UploadFieldsFragment['files'][number]>({
  download_url: [
    z.url(),
    ({ databaseId, name }, view) => `${apiAddress(view, ['file', databaseId, name], '')}?src=api`,
  ],
  hash: [z.string().regex(/^sha256:[0-9a-f]{64}$/), ({ hash }) => hash],
  signed: [z.boolean(), ({ isSigned }) => isSigned],
});

/** The signing endpoints return uploads of versions only, whose add-ons have guids. */
const guidOf = ({ guid }: UploadFieldsFragment): string => guid ?? '';

/**
 * The Upload status object (contract, Upload status), keys in the documented order. Its URLs name the API version of the request.
 * Clients treat other combinations of flags as a failure: `active` and `reviewed` are false while a file is unsigned, and
 * `automated_signing` of an unlisted version is true from the first response on.
 */
export const uploadStatus = shape<UploadFieldsFragment>(
  {
    guid: [z.string(), guidOf],
    active: [z.boolean(), ({ isAvailable }) => isAvailable],
    automated_signing: [z.boolean(), ({ channel }) => channel === 'UNLISTED'],
    files: [z.array(uploadFile.schema), ({ files }, view) => files.map((each) => uploadFile.write(each, view))],
    passed_review: [z.boolean(), ({ stage }) => stage === 'SIGNED'],
    pk: [z.string().regex(/^[0-9a-f]{32}$/), ({ pk }) => pk],
    processed: [z.boolean(), ({ stage }) => isProcessed(stage)],
    reviewed: [z.boolean(), ({ stage }) => stage === 'SIGNED' || stage === 'REJECTED'],
    url: [
      z.url(),
      (upload, view) => apiAddress(view, ['addons', guidOf(upload), 'versions', upload.version, 'uploads', upload.pk]),
    ],
    valid: [z.boolean(), ({ stage }) => isValid(stage)],
    validation_results: [z.record(z.string(), z.unknown()).nullable(), ({ validation }) => validation?.json ?? null],
    validation_url: [z.url(), ({ validationUrl }) => validationUrl],
    version: [z.string(), ({ version }) => version],
  },
  'UploadStatus',
);
