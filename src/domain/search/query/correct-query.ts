import { pickLocale, type TextsByLocale } from '../../addons/localized-text.ts';
import { compatibilityForm, rawText } from '../analysis/fold.ts';
import { stemsOf } from '../analysis/forms.ts';
import { type Tag, tagsOf } from '../analysis/languages.ts';
import { analyseName, lexeme, MAX_QUERY_WORDS, nameLexemes } from '../analysis/lexemes.ts';
import { type Analysis, analyse, LETTER_RUN } from '../analysis/words.ts';
import { editsBetween, isNearly } from './partial-match.ts';
import type { LooseQuery } from './query-plan.ts';
import { MAX_QUERY_LENGTH } from './search-request.ts';

/** The name of an add-on in all of its languages. */
interface Named {
  name: TextsByLocale;
  defaultLocale: string;
}

/** A name under one tag, and its lexemes. */
interface TaggedName {
  text: string;
  analysis: Analysis;
  lexemes: ReadonlySet<string>;
}

function namesUnder(tag: Tag, { name, defaultLocale }: Named): TaggedName[] {
  const fallback = pickLocale({ texts: name, defaultLocale }, null);
  return Object.entries(name)
    .filter(([locale]) => tagsOf(locale, locale === fallback).includes(tag))
    .map(([, text]) => {
      const analysis = analyseName(text);
      return { text, analysis, lexemes: nameLexemes(analysis, tag) };
    });
}

/** The terms of a kind in names, in the order of the names. */
function termsOf(kind: 'q' | 't', tag: Tag, names: readonly TaggedName[]): string[] {
  const start = lexeme(kind, tag, '');
  return names.flatMap(({ lexemes }) =>
    [...lexemes].filter((each) => each.startsWith(start)).map((each) => each.slice(start.length)),
  );
}

/**
 * The query as its author would have typed it to find an add-on: the name of the add-on if the whole query is within the edit distance of
 * it, else the query with each content word replaced by the word of the name that is nearest. Null if a word is not near any, or if
 * nothing changes. `readings` are those of the query's plan.
 */
export function correctQuery(query: string, readings: readonly LooseQuery[], addon: Named): string | null {
  const tagged = readings.map((reading) => ({ reading, names: namesUnder(reading.tag, addon) }));
  const whole = tagged.flatMap(({ reading: { tag, squash }, names }) =>
    names.filter((name) => termsOf('q', tag, [name]).some((term) => isNearly(squash, term))),
  );
  const corrected = [
    ...whole.map(({ text }) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()),
    ...tagged.flatMap(({ reading, names }) => correctWords(query, reading, names) ?? []),
  ];
  const isOther = (text: string) => rawText(text) !== rawText(query) && Array.from(text).length <= MAX_QUERY_LENGTH;
  return corrected.find(isOther) ?? null;
}

/** The query with its content words replaced; null if one of them is not near any word of the names. */
function correctWords(query: string, { tag, words }: LooseQuery, names: readonly TaggedName[]): string | null {
  const terms = termsOf('t', tag, names);
  const corrections = new Map(words.map((word) => [word, nearestTerm(word, terms)]));
  if ([...corrections.values()].includes(null)) return null;
  const spelled = spelledWords(tag, names);
  return compatibilityForm(query).replace(LETTER_RUN, (run) => {
    const [word, other] = analyse(run, MAX_QUERY_WORDS).words;
    if (word === undefined || other !== undefined) return run;
    const correction = corrections.get(word.orig) ?? word.orig;
    return correction === word.orig ? run : (spelled.get(correction) ?? correction);
  });
}

/** The first of the terms with the fewest edits; null if `word` cannot be a misspelling of any. */
function nearestTerm(word: string, terms: readonly string[]): string | null {
  const near = terms.flatMap((term) => {
    const edits = editsBetween(word, term);
    return edits === null ? [] : [{ term, edits }];
  });
  return near.toSorted((one, other) => one.edits - other.edits)[0]?.term ?? null;
}

/** How names spell their terms, in lower case: a word for itself and, unless that is a word too, for its stems. */
function spelledWords(tag: Tag, names: readonly TaggedName[]): ReadonlyMap<string, string> {
  const forms = names.flatMap(({ analysis }) => analysis.words.flatMap((word) => [word, ...word.parts]));
  return new Map([
    ...forms.flatMap((form) => stemsOf(form, tag).map((stem): [string, string] => [stem, form.written])),
    ...forms.map((form): [string, string] => [form.orig, form.written]),
  ]);
}
