import { z } from 'zod';
import { uploadId } from '../../graphql/references.ts';
import { message } from '../../texts/messages.ts';
import { APPLICATION_NAMES, applicationOf, INVALID_APP } from './applications.ts';
import {
  fileOrNull,
  flag,
  isObject,
  type ReadRequest,
  type Refuse,
  type RequestField,
  type RequestFields,
  readRequest,
  readTexts,
  text,
  texts,
} from './request-fields.ts';

const INVALID = message('compatibility.invalid_range');

const range = z.strictObject({ min: z.string().optional(), max: z.string().optional() });

/** One application of `compatibility`. Absent ends come from the manifest or the defaults. */
function readRange(name: string, value: unknown, refuse: Refuse) {
  const app = applicationOf(name);
  if (app === undefined) return refuse(INVALID_APP);
  if (!isObject(value)) return refuse(INVALID);
  const { min = null, max = null } = value;
  const isEnd = (end: unknown): end is string | null => end === null || typeof end === 'string';
  return isEnd(min) && isEnd(max) ? { app, min, max } : refuse(INVALID);
}

const compatibility: RequestField = {
  field: 'compatibility',
  schema: z.union([z.array(z.enum(APPLICATION_NAMES)), z.partialRecord(z.enum(APPLICATION_NAMES), range)]).meta({
    description: 'Applications, or their oldest and newest versions. What is missing comes from the manifest.',
  }),
  read: (value, refuse) => {
    if (!Array.isArray(value) && !isObject(value)) return refuse(INVALID);
    if (Array.isArray(value) && !value.every((name) => typeof name === 'string')) return refuse(INVALID);
    const entries = Array.isArray(value) ? value.map((name) => [name, {}] as const) : Object.entries(value);
    const ranges = entries.map(([name, ends]) => readRange(name, ends, refuse));
    return ranges.includes(undefined) ? undefined : ranges;
  },
};

const customLicense: RequestField = {
  field: 'customLicense',
  schema: z
    .strictObject({ name: z.record(z.string(), z.string()).optional(), text: z.record(z.string(), z.string()) })
    .meta({ description: 'A licence whose text the developers write, instead of license.' }),
  read: (value, refuse) => {
    if (!isObject(value)) return refuse(INVALID);
    const [name, terms] = [readTexts(value.name ?? {}, refuse), readTexts(value.text ?? {}, refuse)];
    return name && terms && { name, text: terms };
  },
};

/** The keys of a Version request that change and creation share. */
const VERSION_REQUEST: RequestFields = {
  approval_notes: text('approvalNotes', 'Notes for reviewers, at most 3,000 characters.'),
  compatibility,
  custom_license: customLicense,
  license: {
    ...text('builtinLicense', 'A built-in licence by its slug, in any case.'),
    aliases: ['license'],
  },
  release_notes: texts('releaseNotes', 'What has changed; may contain HTML.'),
  source: fileOrNull('source', 'Null removes the source code. A file is sent as multipart/form-data.'),
};

/** Reads a Version request with these keys, of which only one of the two licences may be there. */
export function readVersionRequest(declared: RequestFields, values: Readonly<Record<string, unknown>>): ReadRequest {
  if (values.license === undefined || values.custom_license === undefined) return readRequest(declared, values);
  const { license: _license, custom_license: _custom, ...others } = values;
  const { input, faults } = readRequest(declared, others);
  return { input, faults: { ...faults, builtinLicense: [message('license.two_keys')] } };
}

/** `is_disabled` belongs to changes only. */
export const VERSION_CHANGES: RequestFields = {
  ...VERSION_REQUEST,
  is_disabled: flag('isDisabled', 'Whether its developers disable it.'),
};

/** The global id of the upload with a uuid, in which hyphens may be missing. */
export const uploadOfUuid = (uuid: string): string => uploadId(uuid.replaceAll('-', '').toLowerCase());

/** `upload` belongs to creation only. */
export const VERSION_CREATION: RequestFields = {
  ...VERSION_REQUEST,
  upload: {
    field: 'upload',
    schema: z.string().meta({ description: 'The uuid of a valid upload of this account.' }),
    read: (value, refuse) =>
      typeof value === 'string' && value !== '' ? uploadOfUuid(value) : refuse(message('upload.not_uuid')),
  },
};
