/* Numbers, dates, lists and plural forms of languages. */
import { directionOf } from './languages.ts';

/** Numbers, dates and lists as people of a language write them. */
export interface Format {
  number(value: number, options?: Intl.NumberFormatOptions): string;
  /** `value` is a fraction: 0.25 is 25 %. */
  percent(value: number): string;
  /** An average rating with one decimal: `4.0`. */
  score(value: number): string;
  /** A size in bytes with its unit: `1.2 MB`. */
  bytes(value: number): string;
  /** A limit in bytes, as messages state it: 1 MB is 1,048,576 bytes. */
  limit(value: number): string;
  /** A date of an ISO 8601 text, in UTC. */
  date(iso: string): string;
  /** Date and time of an ISO 8601 text, in UTC. */
  dateTime(iso: string): string;
  /** The same with seconds. */
  exactTime(iso: string): string;
  /** A date within a sentence, in UTC: `November 26, 2026`. */
  longDate(value: Date): string;
  /** A time this many years from now: `in 10 years`. */
  inYears(count: number): string;
  list(items: readonly string[]): string;
  /** The name of a language in the language of the interface; of an unknown code, the code. */
  languageName(locale: string): string;
  /** The plural form for a number: `one`, `two`, `other` … */
  pluralForm(value: number): Intl.LDMLPluralRule;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

const formats = new Map<string, Format>();

/** The formats of a language. */
export function formatOf(language: string): Format {
  const known = formats.get(language) ?? createFormat(language);
  formats.set(language, known);
  return known;
}

function createFormat(language: string): Format {
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const score = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const longDate = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const exactTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
  const relative = new Intl.RelativeTimeFormat(language);
  const list = new Intl.ListFormat(language);
  const plurals = new Intl.PluralRules(language);
  const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'code' });
  // The short form of "byte" has no plural in English.
  const units = UNITS.map((unit) => {
    const unitDisplay = unit === 'byte' ? 'long' : 'short';
    return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
  });
  // The units are Latin letters, which a right-to-left text would put before the number.
  const isolated = (text: string) => (directionOf(language) === 'rtl' ? `\u2066${text}\u2069` : text);
  const size = (value: number, base: number): string => {
    const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, value)) / Math.log(base) + 1e-9));
    return isolated(units[power]?.format(value / base ** power) ?? String(value));
  };
  return {
    number: (value, options) => (options ? new Intl.NumberFormat(language, options) : number).format(value),
    percent: (value) => percent.format(value),
    score: (value) => score.format(value),
    bytes: (value) => size(value, 1000),
    limit: (value) => size(value, 1024),
    date: (iso) => date.format(new Date(iso)),
    dateTime: (iso) => `${dateTime.format(new Date(iso))} UTC`,
    exactTime: (iso) => `${exactTime.format(new Date(iso))} UTC`,
    longDate: (value) => longDate.format(value),
    inYears: (count) => relative.format(count, 'year'),
    list: (items) => list.format(items),
    languageName: (locale) => {
      try {
        return names.of(locale) ?? locale;
      } catch {
        return locale;
      }
    },
    pluralForm: (value) => plurals.select(value),
  };
}
