/*
 * The forms of a word: spellings that count as the same word, and their stems. Names and texts are stored with all forms, and queries
 * look up all forms, so two spellings match when they share one.
 *
 * Forms are the folded word; the word with ae, oe and ue for umlauts, and under German the word without them; Arabic and Hebrew as
 * written, with points, as versions before 3 stored them, and without the article.
 */
import { withoutArticle } from './articles.ts';
import { fold } from './fold.ts';
import { hasRespellings, respelled } from './inflections.ts';
import { DEFAULT_TAG, readsAccents, stemmerOf, type Tag } from './languages.ts';
import { beginningWithoutDigraphs, withDigraphs, withoutDigraphs } from './umlauts.ts';
import type { Form } from './words.ts';

const GERMAN = 'de';
const POINTED = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** The spellings of whole texts; each maps every word to one of its forms. */
type Spelling = (form: Form, tag: Tag) => string;

const folded: Spelling = ({ orig }) => orig;
const digraphs: Spelling = ({ orig, written }, tag) =>
  (orig !== written && (tag === DEFAULT_TAG || tag === GERMAN) && withDigraphs(written)) || orig;
const noDigraphs: Spelling = ({ orig }, tag) => (tag === GERMAN ? withoutDigraphs(orig) : orig);
const pointed: Spelling = ({ orig, written }) => (orig !== written && POINTED.test(written) ? written : orig);

/** At the start of a word the last letters may go on differently. */
const begunNoDigraphs: Spelling = ({ orig }, tag) => (tag === GERMAN ? beginningWithoutDigraphs(orig) : orig);

const SPELLINGS: readonly Spelling[] = [folded, digraphs, noDigraphs, pointed];
const BEGINNINGS: readonly Spelling[] = [folded, digraphs, begunNoDigraphs, pointed];

/** Whether a word has one form and one stem; most words do. */
const isPlain = ({ orig, written }: Form, tag: Tag) =>
  orig === written && tag !== GERMAN && !hasRespellings(tag) && !POINTED.test(orig);

/**
 * The sequence of words in each spelling, without duplicates; the folded words first. `isBegun`: the last word is the start of
 * a word.
 */
export function spellings(forms: readonly Form[], tag: Tag, isBegun = false): string[][] {
  if (forms.every((form) => isPlain(form, tag))) return [forms.map(({ orig }) => orig)];
  const last = forms.at(-1);
  const all = SPELLINGS.map((spelling, index) => {
    const lastSpelling = (isBegun && BEGINNINGS[index]) || spelling;
    return forms.map((form) => (form === last ? lastSpelling : spelling)(form, tag));
  });
  return [...new Map(all.map((words) => [words.join(' '), words])).values()];
}

/** The forms of a word under a tag; the folded word first. */
export function formsOf(form: Form, tag: Tag, isBegun = false): readonly string[] {
  if (isPlain(form, tag)) return [form.orig];
  const bare = withoutArticle(form.orig);
  const spelled = (isBegun ? BEGINNINGS : SPELLINGS).map((spelling) => spelling(form, tag));
  return [...new Set([...spelled, ...(bare === null ? [] : [bare])])];
}

/**
 * The stems of a word under a tag: those of its forms and, for languages whose stemmer distinguishes accents, of the accented word, folded
 * after.
 */
export function stemsOf(form: Form, tag: Tag): readonly string[] {
  const stem = stemmerOf(tag);
  if (isPlain(form, tag)) return [stem(form.orig)];
  const stems = formsOf(form, tag).map(stem);
  if (readsAccents(tag)) stems.push(fold(stem(form.written)));
  stems.push(...respelled(form, tag).map((word) => fold(stem(word))));
  return [...new Set(stems)];
}
