import type { Language } from './texts.ts';

/** Numbers, dates and lists as people of a language write them. */
export interface Format {
  number(value: number, options?: Intl.NumberFormatOptions): string;
  /** `value` is a fraction: 0.25 is 25 %. */
  percent(value: number): string;
  /** A size in bytes with its unit: `1.2 MB`. */
  bytes(value: number): string;
  /** A date of an ISO 8601 text, in UTC. */
  date(iso: string): string;
  /** Date and time of an ISO 8601 text, in UTC. */
  dateTime(iso: string): string;
  list(items: readonly string[]): string;
  /** The name of a language in the language of the interface; of an unknown code, the code. */
  languageName(locale: string): string;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

/** The formats of a language. */
export function formatOf(language: Language): Format {
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const list = new Intl.ListFormat(language);
  const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'code' });
  const units = UNITS.map(
    (unit) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }),
  );
  return {
    number: (value, options) => (options ? new Intl.NumberFormat(language, options) : number).format(value),
    percent: (value) => percent.format(value),
    bytes: (value) => {
      const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
      return units[power]?.format(value / 1000 ** power) ?? String(value);
    },
    date: (iso) => date.format(new Date(iso)),
    dateTime: (iso) => `${dateTime.format(new Date(iso))} UTC`,
    list: (items) => list.format(items),
    languageName: (locale) => {
      try {
        return names.of(locale) ?? locale;
      } catch {
        return locale;
      }
    },
  };
}
