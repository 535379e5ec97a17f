/* Arabic writes the article, and short words before it, as a part of the next word. */

/** The article alone, after "and", "with", "like", and merged with "for". At least three letters follow. */
const ARTICLE = /^(?:\u0627\u0644|\u0648\u0627\u0644|\u0628\u0627\u0644|\u0643\u0627\u0644|\u0644\u0644)(?=.{3})/u;

/** A folded word without its article; null without an article. */
export function withoutArticle(folded: string): string | null {
  const rest = folded.replace(ARTICLE, '');
  return rest === folded ? null : rest;
}
