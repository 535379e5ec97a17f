import { decodeHTML } from 'entities';

/** The plain text of HTML: tags become spaces, entities their characters. */
export function plainText(html: string): string {
  // A tag ends at the next `<` at the latest, which keeps unclosed tags linear.
  return decodeHTML(html.replace(/<[^<>]*>/g, ' '));
}
