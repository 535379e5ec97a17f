import type { Random } from './random.ts';

/** The most frequent words of add-on texts, in descending order. */
const COMMON = (
  'the and your to a browser of in with for theme is on you it color tab page dark this when from by or new all can as ' +
  'add-on that are at one button window site click search bookmark open list light save version image link menu toolbar ' +
  'download video name web text time show use more only any background hide block fast simple free blue row file key ' +
  'mouse find change set keep word day night mode read reader copy move close sort press user options settings icon ' +
  'shortcut black white green red small large full screen side bar panel box message mail feed news media sound music ' +
  'player share post private password cookie history form field fill store sync backup export import folder group tree ' +
  'stack manager helper viewer editor counter timer clock calendar note task reminder weather map price shop coupon ' +
  'translate language dictionary spelling grammar font size zoom scroll drag drop hover touch gesture swipe keyboard ' +
  'developer code script style sheet inspect debug console test request header proxy network address secure certificate ' +
  'tracker advert popup banner filter rule white-list exception school student teacher book library article quote ' +
  'science nature forest ocean mountain river sky cloud rain snow winter summer autumn spring flower cat dog bird fish ' +
  'horse space star moon planet galaxy city street car train ship game score team football chess puzzle art paint draw ' +
  'pattern abstract minimal retro classic modern pastel neon gradient wood metal glass stone paper holiday birthday'
).split(' ');

const SYLLABLES = (
  'ba be bi bo bu da de di do du fa fe fi fo ga ge gi go ha he hi ho ka ke ki ko la le li lo lu ma me mi mo mu na ne ni ' +
  'no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo za zo'
).split(' ');

const VOCABULARY = 60_000;
const ENDS = ['', 'n', 'r', 's', 'l'];
/** A prime that divides no number of syllables: neighbouring words differ, and every word is unique. */
const STRIDE = 7919;

/** The word of a rank, from 0. Words beyond the frequent ones are invented. */
export function wordOf(rank: number): string {
  const common = COMMON[rank];
  if (common !== undefined) return common;
  let rest = ((rank - COMMON.length) * STRIDE) % (ENDS.length * SYLLABLES.length ** 3);
  const end = ENDS[rest % ENDS.length] ?? '';
  rest = Math.floor(rest / ENDS.length);
  const parts = [0, 1, 2].map(() => {
    const part = SYLLABLES[rest % SYLLABLES.length] ?? '';
    rest = Math.floor(rest / SYLLABLES.length);
    return part;
  });
  return parts.join('') + end;
}

/** A Zipf-distributed word: each doubling of the rank has the same probability. */
const zipf = (random: Random): string => wordOf(Math.floor(VOCABULARY ** random.share()) - 1);

/** The given number of words, in sentences of six to fourteen that start with the most frequent word. */
export function sentences(random: Random, count: number): string {
  const text: string[] = [];
  for (let left = count; left > 0; ) {
    const length = Math.min(left, random.between(6, 14));
    text.push(`The ${Array.from({ length: length - 1 }, () => zipf(random)).join(' ')}.`);
    left -= length;
  }
  return text.join(' ');
}

/** A rare word as a name. */
export function coinedName(random: Random): string {
  const word = wordOf(random.between(COMMON.length, VOCABULARY));
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** A tag; a few tags are very frequent. */
export const tagOf = (random: Random): string => wordOf(Math.floor(2_000 ** random.share()) + 3);
