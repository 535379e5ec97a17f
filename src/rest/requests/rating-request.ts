/* The parameters and values of requests about ratings. */
import { z } from 'zod';
import { refusedField, refusedFields } from '../../errors.ts';
import type { RatingFilter, RatingFlagReason } from '../../generated/operations/graphql.ts';
import { HttpRefusal } from '../../http/http-refusal.ts';
import { type Param, rawText, refuseParam } from '../../http/params.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { type Message, message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { ObjectBody } from '../body.ts';
import { FLAG_WORDS } from '../json/ratings.ts';

/** A comma-separated list of whole numbers from `min` to `max`; null when absent or empty. */
export const numberList = (description: string, min: number, max: number): Param<number[] | null> => ({
  schema: z.string(),
  description: `${description}, separated by commas.`,
  read: rawText.transform((text, context) => {
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
  read: rawText.transform((text, context) => {
    if (text === null || text === '') return null;
    if (/^\d+$/.test(text)) return Number(text) <= MAX_INT4 ? Number(text) : 0;
    return refuseParam(context, () => message('field.not_whole_number'));
  }),
});

/** What a list has in addition, or leaves out; unknown words have no effect. */
export const FILTERS: Param<Pick<RatingFilter, 'includeDeleted' | 'hasText' | 'includeOwn'>> = {
  schema: z.string(),
  description:
    'A comma-separated list: with_deleted (with the permission Addons:Edit), without_empty_body, with_yours (with the former, the own one, too).',
  read: rawText.transform((text) => {
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

/** Reads named values, and throws the problems of all. */
class Reader {
  readonly #problems = new Map<string, Message>();
  readonly #values: Values;

  constructor(values: Values) {
    this.#values = values;
  }

  read<Value>(name: string, isRequired: boolean, parse: (value: unknown) => Value | Message): Value | undefined {
    const value = this.#values.get(name);
    if (value === undefined) {
      if (isRequired) this.#problems.set(name, message('field.required'));
      return undefined;
    }
    const parsed = parse(value);
    if (typeof parsed !== 'object' || parsed === null || !('code' in parsed)) return parsed as Value;
    this.#problems.set(name, parsed);
    return undefined;
  }

  /** @throws {InvalidInputError} with all problems. */
  check(): void {
    if (this.#problems.size > 0) throw refusedFields(this.#problems);
  }
}

/** A whole number, which a form has as text. */
function wholeNumber(value: unknown): number | Message {
  if (value === null) return message('field.null');
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  return /^\d{1,9}$/.test(text) ? Number(text) : message('field.not_whole_number');
}

const text = (value: unknown): string | Message => {
  if (value === null) return message('field.null');
  return typeof value === 'string' ? value : message('field.not_text');
};

const textOrNull = (value: unknown): string | null | Message => (value === null ? null : text(value));

const reference = (value: unknown): string | Message => (typeof value === 'number' ? String(value) : text(value));

/** The values of a new rating. `scoreKey` is `rating` under v3. @throws {InvalidInputError}. */
export function newRating(values: Values, scoreKey: string) {
  const reader = new Reader(values);
  const addon = reader.read('addon', true, reference);
  const version = reader.read('version', true, wholeNumber);
  const score = reader.read(scoreKey, true, wholeNumber);
  const body = reader.read('body', false, textOrNull);
  reader.check();
  return { addon: addon ?? '', version: version ?? 0, score: score ?? 0, ...(body === undefined ? {} : { body }) };
}

/** The values of a change; others are ignored. @throws {InvalidInputError}. */
export function ratingChange(values: Values, scoreKey: string) {
  const reader = new Reader(values);
  const score = reader.read(scoreKey, false, wholeNumber);
  const body = reader.read('body', false, textOrNull);
  reader.check();
  return { ...(score === undefined ? {} : { score }), ...(body === undefined ? {} : { body }) };
}

/** The text of a reply. @throws {InvalidInputError}. */
export function replyBody(values: Values): string {
  const reader = new Reader(values);
  const body = reader.read('body', true, text);
  reader.check();
  return body ?? '';
}

/** The reason and note of a flag. A note needs no reason. @throws {InvalidInputError}. */
export function flagValues(values: Values): { reason: RatingFlagReason; note?: string | null } {
  const reader = new Reader(values);
  const note = reader.read('note', false, textOrNull);
  const flag = reader.read('flag', !note?.trim(), text);
  reader.check();
  const name = (flag ?? 'review_flag_reason_other').replace(/^rating_/, 'review_');
  const known = FLAG_WORDS.find((word) => word === name);
  if (known === undefined) {
    const facts = { name: 'flag', value: printable(name.slice(0, 100)), words: FLAG_WORDS.join(', ') };
    throw refusedField('flag', message('parameter.not_one_of', facts));
  }
  const reason = known.replace('review_flag_reason_', '').toUpperCase() as RatingFlagReason;
  return { reason, ...(note === undefined ? {} : { note }) };
}
