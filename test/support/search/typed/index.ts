/*
 * A second judgement set: what people type, in many languages, in one catalogue. The expectations follow from the rules of relevance and
 * from what a person who searches expects, never from a result of the code. Extend the table of a language, or add a file and its line
 * here.
 */
import type { CatalogueAddon } from '../catalogue.ts';
import { ARABIC } from './ar.ts';
import { GERMAN } from './de.ts';
import { ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { FINNISH } from './fi.ts';
import { FRENCH } from './fr.ts';
import { HEBREW } from './he.ts';
import { ITALIAN } from './it.ts';
import { JAPANESE } from './ja.ts';
import { KOREAN } from './ko.ts';
import { DUTCH } from './nl.ts';
import { CZECH, GREEK, HINDI, PERSIAN, UKRAINIAN } from './other.ts';
import { POLISH } from './pl.ts';
import { PORTUGUESE } from './pt.ts';
import { RUSSIAN } from './ru.ts';
import { SWEDISH } from './sv.ts';
import type { TypedCase, TypedLanguage } from './tables.ts';
import { TURKISH } from './tr.ts';
import { CHINESE } from './zh.ts';

export const TYPED_LANGUAGES: readonly TypedLanguage[] = [
  ...[ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH, POLISH, RUSSIAN, TURKISH, JAPANESE, CHINESE],
  ...[KOREAN, ARABIC, HEBREW, SWEDISH, FINNISH, PERSIAN, HINDI, GREEK, UKRAINIAN, CZECH],
];

/** The add-ons of all languages. */
export const TYPED_CATALOGUE: readonly CatalogueAddon[] = TYPED_LANGUAGES.flatMap(({ addons }) => addons);

/** The queries of all languages. */
export const TYPED_CASES: readonly TypedCase[] = TYPED_LANGUAGES.flatMap(({ cases }) => cases);
