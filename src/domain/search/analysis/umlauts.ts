/* German writes ä, ö and ü as ae, oe and ue where a keyboard lacks them. */
import { fold } from './fold.ts';

const DIGRAPHS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
const UMLAUT = /[äöü]/gu;
// In "neue", "bauer" and "quelle" the letters are no umlaut.
const DIGRAPH = /(?<![aeiouyq])([aou])e/gu;
const DIGRAPH_INSIDE = /(?<![aeiouyq])([aou])e(?=.)/gu;

/** A word in lower case with its umlauts as two letters, folded; null without umlauts. */
export function withDigraphs(written: string): string | null {
  const spelled = written.replace(UMLAUT, (letter) => DIGRAPHS[letter] ?? letter);
  return spelled === written ? null : fold(spelled);
}

/** A folded word with two letters for an umlaut folded as the umlaut is: `uebersetzer` becomes `ubersetzer`. */
export function withoutDigraphs(folded: string): string {
  return folded.replace(DIGRAPH, '$1');
}

/** The same for the start of a word, where the last letters may go on differently: `mue` stays, `muell` becomes `mull`. */
export function beginningWithoutDigraphs(folded: string): string {
  return folded.replace(DIGRAPH_INSIDE, '$1');
}
