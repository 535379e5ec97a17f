/* Bodies of the writes of the submission API: JSON, or a form with the few keys that clients send as one. */
import { z } from 'zod';
import { refusedField } from '../../errors.ts';
import { bodySize } from '../../http/drain.ts';
import { isMultipart, type MultipartForm, readForm, requireAcceptableLength } from '../../http/multipart.ts';
import { UPLOAD_LIMIT_BYTES } from '../../infra/staging/staging.ts';
import { message } from '../../texts/messages.ts';
import { type BodyDeclaration, readJsonObject, requireType } from '../body.ts';
import { SentFile } from './read-request.ts';

/** The part with source code. An empty text in its place means that there is none. */
const SOURCE = 'source';
const FORM_TEXTS = ['upload', 'license', 'approval_notes', SOURCE] as const;

/** The values of a request as the client sent them, unchecked. A file is a `SentFile` there, and as `source`. */
interface SubmissionBody {
  values: Readonly<Record<string, unknown>>;
  source: MultipartForm['file'];
}

const sourceTooLarge = (limit: number) =>
  refusedField(SOURCE, message('source.over_limit', { max: limit / 1024 / 1024 }));

const FORM = z.object({
  upload: z.string().optional(),
  license: z.string().optional(),
  approval_notes: z.string().optional(),
  source: z.string().meta({ description: 'An archive with the source code.', format: 'binary' }).optional(),
});

/**
 * A JSON object that `schema` describes, or `multipart/form-data` with `upload`, `license`, `approval_notes` and `source`.
 * Undeclared keys are ignored later. `read` throws InvalidInputError for a body that is malformed or too large, and
 * HttpRefusal 415 for another media type.
 */
export function submissionBody(schema: z.ZodType): BodyDeclaration<SubmissionBody> {
  return {
    content: { 'application/json': { schema }, 'multipart/form-data': { schema: FORM } },
    async read(request, start) {
      if (!isMultipart(request)) {
        requireType(request, /^application\/json\s*(;|$)/i);
        await start();
        return { values: Object.fromEntries(await readJsonObject(request)), source: null };
      }
      const limits = { limitBytes: UPLOAD_LIMIT_BYTES, tooLarge: sourceTooLarge };
      requireAcceptableLength(request, limits);
      await start({ bytes: bodySize(request, UPLOAD_LIMIT_BYTES), isCounted: false });
      const form = await readForm(request, { file: SOURCE, fields: FORM_TEXTS, ...limits });
      const values = Object.fromEntries<unknown>(form.fields);
      if (form.file !== null) values[SOURCE] = new SentFile(form.file);
      return { values, source: form.file };
    },
    discard: async ({ source }) => source?.staged.discard(),
  };
}
