import { z } from 'zod';
import type { UploadFieldsFragment } from '../../generated/operations/graphql.ts';
import { apiAddress, type View } from '../view.ts';

const uploadFile = z.strictObject({
  download_url: z.url(),
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  signed: z.boolean(),
});

/** The Upload status object (contract, Upload status), keys in the order of its table. */
export const uploadStatus = z
  .strictObject({
    guid: z.string(),
    active: z.boolean(),
    automated_signing: z.boolean(),
    files: z.array(uploadFile),
    passed_review: z.boolean(),
    pk: z.string().regex(/^[0-9a-f]{32}$/),
    processed: z.boolean(),
    reviewed: z.boolean(),
    url: z.url(),
    valid: z.boolean(),
    validation_results: z.record(z.string(), z.unknown()).nullable(),
    validation_url: z.url(),
    version: z.string(),
  })
  .meta({ id: 'UploadStatus' });

export type UploadStatusJson = z.infer<typeof uploadStatus>;

/** Returns the Upload status object. Its URLs name the API version of the request. */
export function uploadStatusJson(upload: UploadFieldsFragment, view: View): UploadStatusJson {
  return {
    guid: upload.guid,
    active: upload.active,
    automated_signing: upload.automatedSigning,
    files: upload.files.map((file) => ({
      download_url: `${apiAddress(view, ['file', file.databaseId, file.name], '')}?src=api`,
      hash: file.hash,
      signed: file.signed,
    })),
    passed_review: upload.passedReview,
    pk: upload.pk,
    processed: upload.processed,
    reviewed: upload.reviewed,
    url: apiAddress(view, ['addons', upload.guid, 'versions', upload.version, 'uploads', upload.pk]),
    valid: upload.valid,
    validation_results: (upload.validation?.json as Record<string, unknown> | undefined) ?? null,
    validation_url: upload.validationUrl,
    version: upload.version,
  };
}
