import { z } from 'zod';
import { versionFields } from '../../domain/versions/fields.ts';
import { uploadId } from '../../graphql/references.ts';
import { message } from '../../texts/messages.ts';
import { APPLICATION_NAMES, applicationName, applicationOf } from './names.ts';
import {
  alphabetical,
  declaredKeys,
  type ReadRequest,
  type RequestKey,
  type RequestKeys,
  readRequest,
  SentFile,
  textChanges,
} from './read-request.ts';

const INVALID = message('compatibility.invalid_range');

const documentedRange = z.strictObject({ min: z.string().optional(), max: z.string().optional() });

/** An end is the one of the manifest or a default when it is absent. Other keys are ignored. */
const end = z.string().nullable().default(null);
const range = z.object({ min: end, max: end });

const names = z
  .array(z.string())
  .pipe(z.array(applicationName))
  .transform((list) => list.map((name) => ({ app: applicationOf(name), min: null, max: null })));

const ranges = z
  .record(applicationName, range)
  .transform((byName) => Object.entries(byName).map(([name, ends]) => ({ app: applicationOf(name), ...ends })));

const compatibility: RequestKey = {
  field: 'compatibility',
  schema: z
    .union([z.array(z.enum(APPLICATION_NAMES)), z.partialRecord(z.enum(APPLICATION_NAMES), documentedRange)])
    .meta({
      description: 'Applications, or their oldest and newest versions. What is missing comes from the manifest.',
    }),
  schemaFor: (value) => (Array.isArray(value) ? names : ranges),
  refusal: INVALID,
};

/** Absent texts and null are empty; the operation refuses a licence without a text. */
const licenseTexts = z.preprocess((value) => value ?? {}, textChanges);
const license = z.object({ name: licenseTexts, text: licenseTexts });

const customLicense: RequestKey = {
  field: 'customLicense',
  schema: z
    .strictObject({ name: z.record(z.string(), z.string()).optional(), text: z.record(z.string(), z.string()) })
    .meta({ description: 'A licence whose text the developers write, instead of license.' }),
  schemaFor: () => license,
};

/** An empty text is no file: clients send it in the place of an absent one. */
const sentFile = z.union([z.null(), z.instanceof(SentFile), z.literal('').transform(() => undefined)]);

/** The keys of a Version request that change and creation share. */
const VERSION_REQUEST = alphabetical({
  ...declaredKeys(versionFields),
  compatibility,
  custom_license: customLicense,
  license: {
    field: 'builtinLicense',
    schema: z.string().meta({ description: 'A built-in licence by its slug, in any case.' }),
    aliases: ['license'],
  },
  source: {
    field: 'source',
    schema: z.null().meta({ description: 'Null removes the source code. A file is sent as multipart/form-data.' }),
    schemaFor: () => sentFile,
    refusal: message('field.not_file'),
  },
});

/** Reads a Version request with these keys, of which only one of the two licences may be there. */
export function readVersionRequest(declared: RequestKeys, values: Readonly<Record<string, unknown>>): ReadRequest {
  if (values.license === undefined || values.custom_license === undefined) return readRequest(declared, values);
  const { license: _license, custom_license: _custom, ...others } = values;
  const { input, faults } = readRequest(declared, others);
  return { input, faults: { ...faults, builtinLicense: [message('license.two_keys')] } };
}

/** `is_disabled` belongs to changes only. */
export const VERSION_CHANGES: RequestKeys = {
  ...VERSION_REQUEST,
  is_disabled: {
    field: 'isDisabled',
    schema: z.boolean().meta({ description: 'Whether its developers disable it.' }),
  },
};

/** The global id of the upload with a uuid, in which hyphens may be missing. */
export const uploadOfUuid = (uuid: string): string => uploadId(uuid.replaceAll('-', '').toLowerCase());

const uploadUuid = z.string().min(1).transform(uploadOfUuid);

/** `upload` belongs to creation only. */
export const VERSION_CREATION: RequestKeys = {
  ...VERSION_REQUEST,
  upload: {
    field: 'upload',
    schema: z.string().meta({ description: 'The uuid of a valid upload of this account.' }),
    schemaFor: () => uploadUuid,
    refusal: message('upload.not_uuid'),
  },
};
