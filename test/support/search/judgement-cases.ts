/* Expected results of searches in the small catalogue, the same on every engine. */
import type { SearchValues } from '../../../src/domain/search/query/search-request.ts';

/** Conditions on the ids of a result. */
export interface Expectation {
  /** The whole result, in order. */
  whole?: readonly number[];
  first?: number;
  /** Each of these precedes the next. */
  order?: readonly number[];
  contains?: readonly number[];
  absent?: readonly number[];
}

export interface JudgementCase {
  values: SearchValues;
  expect: Expectation;
  /** Matches by the tolerance for typing errors only. */
  loose?: true;
}

const q = (query: string, expect: Expectation, values: SearchValues = {}): JudgementCase => ({
  values: { q: query, ...values },
  expect,
});
const loose = (query: string, expect: Expectation): JudgementCase => ({ values: { q: query }, expect, loose: true });
const only = (...whole: number[]): Expectation => ({ whole });
const desktop = { app: 'desktop_browser' };

export const JUDGEMENT_CASES: readonly JudgementCase[] = [
  q('OpenDyslexia', { first: 31, order: [31, 32] }),
  q('opendyslexia', { first: 31, order: [31, 32] }),
  q('merge windows', only(25, 26)),
  q('merge all windows', only(26)),
  q('down them everything', { first: 24 }),
  q('downthemeverything!', only(24)),
  q('tabbyllama', only(4)),
  loose('tabbbyllama', { first: 4 }),
  loose('tabbillama', { first: 4 }),
  loose('menu wizzard', only(18)),
  loose('menu wizadr', only(18)),
  q('fireb', { first: 14, contains: [15, 16], absent: [17] }),
  q('fire', { first: 14, order: [17, 16] }),
  q('fire', { order: [15, 16] }),
  q('privacy', { order: [9, 11, 10, 12, 13], contains: [37] }),
  q('tabs manager', { first: 54, contains: [55] }),
  q('the tab manager', { first: 54, contains: [55] }),
  q('sqlite', only(41)),
  q('itch', only(43)),
  q('crashbot', only()),
  q('wallet', only()),
  q('ballet', only(56)),
  q('download', { first: 23, contains: [22, 21] }),
  q('unique orchard', only(33), { lang: 'en-GB' }),
  q('unique orchard', only(), { lang: 'de' }),
  q('jardin unique', only(33), { lang: 'de' }),
  q('muller ubersetzer', only(34)),
  q('辞書', only(35)),
  q('ad stopper', only(45, 44)),
  q('cleaner tool', only(52), { ...desktop, platform: 'windows' }),
  q('cleaner tool', only(51, 52), { authors: { ids: [22] } }),
  q('cleaner tool', only(51, 52), { authors: { names: ['Bob'] } }),
  q('timer', only(50, 49), { ...desktop, appVersion: '57.0' }),
  q('timer', only(48, 49), { ...desktop, appVersion: '56.0' }),
  { values: { tags: 'privacy,blocker' }, expect: only(9) },
  { values: { tags: 'Privacy', sort: 'users' }, expect: only(9, 10) },
  q('styles', { contains: [20, 14] }, { lang: 'en-US' }),
  q('context menu', { contains: [5, 6], absent: [19] }, { excludeAddons: { ids: [19] } }),
  q('privacy pass ke', only(10)),
  q('garden tab', only(1)),
  q('1 click', only(28, 27)),
  q('tab', { first: 1, order: [1, 55, 2, 3, 4] }, { types: 'extension' }),
  q('beta tool', { absent: [46, 47] }),
  q('1–Click: Video   Grab!', { first: 28 }),
  q('FIREBEETLE', { first: 14, contains: [15, 16] }),
  q('one tab', { first: 3 }),
  q('web socket', { first: 30 }),
  q('&+,', only()),
  q('the', { contains: [24, 2] }),
];
