/* Arabic and Hebrew write the article, and Arabic short words before it, as a part of the next word. */

/** Arabic: the article alone and merged with "for", before at least two letters; after "and", "with" and "like", before three. */
const ARABIC = /^(?:(?:\u0627\u0644|\u0644\u0644)(?=.{2})|[\u0648\u0628\u0643]\u0627\u0644(?=.{3}))/u;
/** Hebrew: before at least three letters. */
const HEBREW = /^\u05d4(?=\p{Script=Hebrew}{3})/u;

/** A folded word without its article; null without an article. */
export function withoutArticle(folded: string): string | null {
  const rest = folded.replace(ARABIC, '').replace(HEBREW, '');
  return rest === folded ? null : rest;
}
