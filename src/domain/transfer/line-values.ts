/*
 * Zod schemas of the values of lines. Their output is the stored form. Problems are messages in the parameters of custom issues;
 * `problemOf` in `stage-line.ts` has those of zod's own issues.
 */
import { z } from 'zod';
import { MAX_INT4 } from '../../infra/int4.ts';
import { encodeApplicationVersion } from '../../package/application-version.ts';
import { canonicalLocale } from '../../texts/locales.ts';
import { type Message, message } from '../../texts/messages.ts';
import { cleanHtml } from '../addons/clean-html.ts';
import { MAX_TEXT_LENGTH, type TextsByLocale } from '../addons/localized-text.ts';
import { storedColor } from '../addons/theme-color.ts';

/** Reads a text: its stored form, or what is wrong with the value. */
type ReadText = (value: unknown) => string | Message;

type Payload = Pick<z.core.ParsePayload<unknown>, 'value' | 'issues'>;

/** Adds a problem, by default of the whole value. */
export function refuseValue({ value, issues }: Payload, problem: Message, path: PropertyKey[] = []): void {
  issues.push({ code: 'custom', params: { ...problem }, path, input: value, continue: false });
}

const textBy = (read: ReadText) =>
  z.custom<string>().check((payload) => {
    const stored = read(payload.value);
    if (typeof stored === 'string') payload.value = stored;
    else refuseValue(payload, stored);
  });

/** PostgreSQL texts hold neither NUL nor lone surrogates. */
function storable(value: string): string | Message {
  if (value.includes('\0')) return message('line.nul');
  return value.isWellFormed() ? value : message('line.half_character');
}

const readText =
  (max: number): ReadText =>
  (value) => {
    if (typeof value !== 'string') return message('line.expected_text');
    return value.length > max ? message('line.text_too_long', { max }) : storable(value);
  };

/** Text of at most the given number of characters, possibly empty. */
export const boundedText = (max = MAX_TEXT_LENGTH) => textBy(readText(max));

/** Text that passes a test. */
export const textLike = (isAllowed: (value: string) => boolean, problem: Message, max = 255) =>
  textBy((value) => (typeof value === 'string' && value.length <= max && isAllowed(value) ? storable(value) : problem));

/** Text that is stored in another form; `convert` returns null for an invalid one. */
const converted = (convert: (value: string) => string | null, problem: Message) =>
  textBy((value) => (typeof value === 'string' ? convert(value) : null) ?? problem);

/** A translated field: an object keyed by language, or null. Null texts are dropped. */
const translatedBy = (read: ReadText) =>
  z.custom<TextsByLocale>().check((payload) => {
    const value: unknown = payload.value ?? {};
    if (typeof value !== 'object' || Array.isArray(value)) return refuseValue(payload, message('line.expected_texts'));
    const kept: Record<string, string> = {};
    for (const [code, given] of Object.entries(value as object)) {
      const locale = canonicalLocale(code);
      if (locale === null) return refuseValue(payload, message('line.expected_language'), [code]);
      if (Object.hasOwn(kept, locale)) return refuseValue(payload, message('line.language_twice'), [code]);
      const stored = given === null ? '' : read(given);
      if (typeof stored !== 'string') return refuseValue(payload, stored, [code]);
      const trimmed = stored.trim();
      if (trimmed) kept[locale] = trimmed;
    }
    payload.value = kept;
  });

/** A translated field of plain text. */
export const translatedText = translatedBy(readText(MAX_TEXT_LENGTH));

// In code points; the API limits cleaned texts to the same length.
const isTooLong = (value: string): boolean =>
  value.length > MAX_TEXT_LENGTH && (value.length > 2 * MAX_TEXT_LENGTH || [...value].length > MAX_TEXT_LENGTH);

/** A translated field of HTML, sanitised like every stored text. The limit applies to the sanitised text too, so that an export can be imported. */
export const translatedHtml = translatedBy((value) => {
  const read = readText(2 * MAX_TEXT_LENGTH)(value);
  const tooLong = message('line.text_too_long', { max: MAX_TEXT_LENGTH });
  if (typeof value === 'string' && isTooLong(value)) return tooLong;
  if (typeof read !== 'string') return read;
  const cleaned = cleanHtml(read);
  return isTooLong(cleaned) ? tooLong : cleaned;
});

export const localeValue = converted(canonicalLocale, message('line.expected_language'));

/** Whether a text can identify an add-on. Old ids have forms that packages may no longer use. */
export const isAddonId = (value: string): boolean =>
  value.length <= 255 && /^\S(?:.*\S)?$/.test(value) && !value.includes('\0') && value.isWellFormed();

export const guidValue = textLike(isAddonId, message('line.expected_guid'));

/** A slug: no slash, and not a number, which would be an id. */
export const addonSlug = textLike(
  (value) => /^[^\s/?#]+$/.test(value) && !/^\d+$/.test(value),
  message('line.expected_slug'),
);

/** A word such as the slug of a category. */
export const wordText = textLike((value) => /^[^\s/]+$/.test(value), message('line.expected_word'));

/** A version number of an add-on, old forms included. */
export const versionNumber = textLike((value) => /^[^\s/]+$/.test(value), message('line.expected_version'));

/** An application version as written. */
export const applicationVersion = textLike(
  (value) => encodeApplicationVersion(value) !== null,
  message('line.expected_application_version'),
);

/** A path below the folder of the catalogue file. */
export const relativePath = textLike(
  (value) => value !== '' && !value.startsWith('/') && !value.split(/[/\\]/).includes('..'),
  message('line.expected_path'),
  1_000,
);

/** Whether a replacement can lead there: a path of this site, or a web address with a host. */
export const isDestination = (text: string): boolean => /^(?:\/(?!\/)|https?:\/\/[^\s/?#])/.test(text);

/** A colour such as `#0c0c0d`; stored without `#`. */
export const colorValue = converted(storedColor, message('line.expected_color'));

const MOMENT = /^([1-9]\d{3})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const DAY = /^([1-9]\d{3})-(\d\d)-(\d\d)$/;

const isDay = ([, year, month, day]: readonly string[]): boolean =>
  new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate() >= Number(day) && Number(month) <= 12;

/** A time such as `2018-10-25T09:30:00Z`, in seconds. */
export const timestampValue = converted((value) => {
  const parts = MOMENT.exec(value);
  const time = parts && isDay(parts) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : `${new Date(time).toISOString().slice(0, 19)}Z`;
}, message('line.expected_moment'));

/** A day such as `2018-10-25`. */
export const isoDay = converted(
  (value) => {
    const parts = DAY.exec(value);
    return parts && isDay(parts) && Number(parts[2]) >= 1 && Number(parts[3]) >= 1 ? value : null;
  },
  message('line.expected_day', { day: '2018-10-25' }),
);

/** A value that passes a test. */
export const valueLike = <T>(isAllowed: (value: unknown) => boolean, problem: Message) =>
  z.custom<T>(isAllowed, { params: { ...problem } });

/** A whole number within inclusive bounds. */
export const wholeValue = (min: number, max: number) =>
  valueLike<number>(
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    message('line.expected_whole', { min, max }),
  );

/** A number within inclusive bounds. JSON numbers beyond the range of a double are read as infinite. */
export const numberValue = (min: number, max: number) =>
  valueLike<number>(
    (value) => typeof value === 'number' && value >= min && value <= max,
    message('line.expected_number', { min, max }),
  );

/** Ends below the end of the sequences, which continue after the largest id of a file. */
export const idValue = wholeValue(1, 2_000_000_000);
export const countValue = wholeValue(0, MAX_INT4);

/** A list of limited length. Reading ends with the first invalid entry: a hostile line has millions. */
export const listValue = <Entry extends z.ZodType>(entry: Entry, max = 10_000) =>
  z
    .array(z.unknown())
    .max(max)
    .transform((given, context): z.output<Entry>[] => {
      const read: z.output<Entry>[] = [];
      for (const [index, value] of given.entries()) {
        const { data, error } = entry.safeParse(value, { reportInput: true });
        if (error) {
          for (const issue of error.issues)
            context.issues.push({ ...issue, path: [index, ...issue.path] } as z.core.$ZodRawIssue);
          return z.NEVER;
        }
        read.push(data as z.output<Entry>);
      }
      return read;
    });

/** An object with some keys of `names`, as a list of pairs. */
export const entriesValue = <Name extends string, Value extends z.ZodType>(names: readonly Name[], value: Value) =>
  z
    .strictObject(Object.fromEntries(names.map((name) => [name, value.optional()])))
    .transform((given) => Object.entries(given) as [Name, z.output<Value>][]);

/** A key that may be absent or null. */
export const nullIfAbsent = <Value extends z.ZodType>(value: Value) => value.nullable().default(null as never);
export const flagValue = z.boolean().default(false);

/** A derived key: accepted in any form and ignored. */
export const derivedValue = z.undefined().catch(undefined);

/** A username as it is in addresses. */
export const usernameValue = textLike(
  (value) => /^[^\s/?#](?:[^/?#]*[^\s/?#])?$/.test(value) && !/^\d+$/.test(value),
  message('line.expected_username'),
);
