/* Bodies of the changes to collections. Translated fields are objects by language, or under v3 and v4 one text (contract, Translated fields). */
import { z } from 'zod';
import { addonReference } from '../../graphql/references.ts';
import { message } from '../../texts/messages.ts';
import type { View } from '../view.ts';
import { type ReadRequest, type RequestKey, type RequestKeys, readRequest, textChanges } from './read-request.ts';

const texts = z.union([z.record(z.string(), z.string().nullable()), z.string()]);

/** A translated field: an object, one text, and null where there may be no text. */
const translated = (field: string, description: string, isNullable: boolean): RequestKey => ({
  field,
  schema: (isNullable ? texts.nullable() : texts).meta({ description }),
  schemaFor: (value) => {
    if (value === null) return isNullable ? z.null() : z.string();
    return typeof value === 'string' ? z.string() : textChanges;
  },
});

/** The same where one text is refused (v4dev). */
const byLanguage = (key: RequestKey): RequestKey => ({
  ...key,
  schemaFor: (value) => (value === null ? (key.schemaFor?.(value) ?? key.schema) : textChanges),
});

const truth = z.enum(['true', 'false', 'True', 'False', '1', '0']).transform((word) => /^(?:true|1)$/i.test(word));

const text = (field: string, description: string): RequestKey => ({ field, schema: z.string().meta({ description }) });

export const COLLECTION_REQUEST = {
  default_locale: text('defaultLocale', 'Language of the fallback texts. Default: en-US.'),
  description: translated('description', 'Plain text, at most 10,000 characters.', true),
  name: translated('name', 'The name, at most 255 characters.', false),
  public: {
    field: 'isPublic',
    schema: z.boolean().meta({ description: 'Whether all clients see it. Default: true.' }),
    schemaFor: (value) => (typeof value === 'string' ? truth : z.boolean()),
    refusal: message('field.not_boolean'),
  },
  slug: text('slug', 'Letters, digits, - and _; unique for the account.'),
} satisfies RequestKeys;

const NOTES = { notes: translated('notes', 'Plain text, at most 280 characters.', true) };

const name = z
  .string()
  .trim()
  .refine((text) => text !== '', { params: { ...message('field.blank') } });

export const ITEM_REQUEST = {
  addon: {
    field: 'addon',
    schema: z.union([z.string(), z.int()]).meta({ description: 'Id, slug or guid of a public add-on.' }),
    schemaFor: (value) => (typeof value === 'number' ? z.int().transform(String) : name).transform(addonReference),
  },
  ...NOTES,
} satisfies RequestKeys;

export const NOTES_REQUEST: RequestKeys = NOTES;

/** The schemas of the keys, for `objectBody`. */
export const propertiesOf = (declared: RequestKeys): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(declared).map(([key, { schema }]) => [key, schema]));

const TRANSLATED = ['description', 'name', 'notes'];

/** The request as the input of a mutation, which also refuses what is wrong in the request itself. */
export function readCollectionRequest<Input>(
  declared: RequestKeys,
  values: ReadonlyMap<string, unknown>,
  { gates, locale }: View,
): Input {
  const keys = Object.fromEntries(
    Object.entries(declared).map(([keyName, key]) => [
      keyName,
      TRANSLATED.includes(keyName) && !gates.flatTranslations ? byLanguage(key) : key,
    ]),
  );
  const { input, faults }: ReadRequest = readRequest(keys, Object.fromEntries(values));
  for (const field of TRANSLATED) {
    if (typeof input[field] === 'string') input[field] = [{ locale: locale, value: input[field] }];
  }
  return (faults === null ? input : { ...input, inputFaults: faults }) as Input;
}
