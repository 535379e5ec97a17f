/* The parameters and values of requests about ratings. */
import { z } from 'zod';
import { refusedFields } from '../../errors.ts';
import type { RatingFilter, RatingFlagReason } from '../../generated/operations/graphql.ts';
import { HttpRefusal } from '../../http/http-refusal.ts';
import { type Param, refuseParam, sentText } from '../../http/params.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { type Message, message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { ObjectBody } from '../body.ts';
import { FLAG_WORDS } from '../json/ratings.ts';
import { type RequestKey, type RequestKeys, readRequest } from './read-request.ts';

/** A comma-separated list of whole numbers from `min` to `max`; null when absent or empty. */
export const numberList = (description: string, min: number, max: number): Param<number[] | null> => ({
  schema: z.string(),
  description: `${description}, separated by commas.`,
  read: sentText.transform((text, context) => {
    if (text === null || text.trim() === '') return null;
    const numbers = text.split(',').map((part) => (/^\s*\d{1,10}\s*$/.test(part) ? Number(part) : Number.NaN));
    if (numbers.every((number) => number >= min && number <= max)) return numbers;
    return refuseParam(context, () => message('field.not_whole_number'));
  }),
});

/** An id; null when absent or empty. Too large ones are those of no record. */
export const optionalId = (description: string): Param<number | null> => ({
  schema: z.int(),
  description,
  read: sentText.transform((text, context) => {
    if (text === null || text === '') return null;
    if (/^\d+$/.test(text)) return Number(text) <= MAX_INT4 ? Number(text) : 0;
    return refuseParam(context, () => message('field.not_whole_number'));
  }),
});

/** What a list has in addition, or leaves out; unknown words have no effect. */
export const RATING_FILTER_PARAM: Param<Pick<RatingFilter, 'includeDeleted' | 'hasText' | 'includeOwn'>> = {
  schema: z.string(),
  description:
    'A comma-separated list: with_deleted (with the permission Addons:Edit), without_empty_body, with_yours (with the former, the own one, too).',
  read: sentText.transform((text) => {
    const words = (text ?? '').split(',').map((word) => word.trim());
    return {
      includeDeleted: words.includes('with_deleted'),
      hasText: words.includes('without_empty_body'),
      includeOwn: words.includes('with_yours'),
    };
  }),
};

/** @throws {HttpRefusal} 400 unless the id in a parameter is that of the client. */
export function requireOwnId(name: string, id: number | null, viewer: { databaseId: number } | null): void {
  if (id !== null && id !== viewer?.databaseId) throw new HttpRefusal(400, message('rating.not_own_id', { name }));
}

type Values = ObjectBody['values'];

/** A whole number, which a form has as text. */
const wholeNumber = z
  .unknown()
  .transform((value) => (typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''))
  .refine((digits) => /^\d{1,9}$/.test(digits), { params: { ...message('field.not_whole_number') } })
  .transform(Number);

const number = (field: string): RequestKey => ({
  ...{ field, schema: z.int() },
  schemaFor: (value) => (value === null ? z.string() : wholeNumber),
});

const ADDON: RequestKey = {
  ...{ field: 'addon', schema: z.union([z.int(), z.string()]) },
  schemaFor: (value) => (typeof value === 'number' ? z.unknown().transform(String) : z.string()),
};
const BODY: RequestKey = { field: 'body', schema: z.string().nullable() };

/** Reads the declared keys; those of `required` must be present. @throws {InvalidInputError} with the problems of all. */
function readValues<Input>(declared: RequestKeys, values: Values, required: readonly string[] = []): Input {
  const { input, faults } = readRequest(declared, Object.fromEntries(values));
  const problems = Object.entries(declared).flatMap(([key, { field }]): [string, Message][] => {
    const [fault] = faults?.[field] ?? [];
    if (fault !== undefined) return [[field, fault]];
    return required.includes(key) && !values.has(key) ? [[field, message('field.required')]] : [];
  });
  if (problems.length > 0) throw refusedFields(new Map(problems));
  return input as Input;
}

/** The values of a new rating. `scoreKey` is `rating` under v3. @throws {InvalidInputError}. */
export function newRating(values: Values, scoreKey: string) {
  const declared = { addon: ADDON, version: number('version'), [scoreKey]: number('score'), body: BODY };
  type Input = { addon: string; version: number; score: number; body?: string | null };
  return readValues<Input>(declared, values, ['addon', 'version', scoreKey]);
}

/** The values of a change; others are ignored. @throws {InvalidInputError}. */
export function ratingChange(values: Values, scoreKey: string) {
  return readValues<{ score?: number; body?: string | null }>({ [scoreKey]: number('score'), body: BODY }, values);
}

/** The text of a reply. @throws {InvalidInputError}. */
export function replyBody(values: Values): string {
  return readValues<{ body: string }>({ body: { ...BODY, schema: z.string() } }, values, ['body']).body;
}

const REASON = z.string().transform((name, context) => {
  const known = FLAG_WORDS.find((word) => word === name.replace(/^rating_/, 'review_'));
  if (known !== undefined) return known.replace('review_flag_reason_', '').toUpperCase() as RatingFlagReason;
  const facts = { name: 'flag', value: printable(name.slice(0, 100)), words: FLAG_WORDS.join(', ') };
  context.issues.push({ code: 'custom', input: name, params: { ...message('parameter.not_one_of', facts) } });
  return z.NEVER;
});

const FLAG = {
  note: { field: 'note', schema: z.string().nullable() },
  flag: { field: 'flag', schema: REASON },
} satisfies RequestKeys;

/** The reason and note of a flag. A note needs no reason. @throws {InvalidInputError}. */
export function flagValues(values: Values): { reason: RatingFlagReason; note?: string | null } {
  const note = values.get('note');
  const hasNote = typeof note === 'string' && note.trim() !== '';
  type Input = { flag?: RatingFlagReason; note?: string | null };
  const { flag = 'OTHER', ...rest } = readValues<Input>(FLAG, values, hasNote ? [] : ['flag']);
  return { reason: flag, ...rest };
}
