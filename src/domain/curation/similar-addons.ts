/* Suggestions for a text that names no add-on: staff often type the name that they see. */
import { config } from '../../config.ts';
import { type InvalidInputError, refusedField, UnavailableError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { loadPublicDocuments } from '../addons/load-documents.ts';
import { localized, textIn } from '../addons/localized-text.ts';
import { readSearchRequest } from '../search/query/search-request.ts';
import { searchEngine } from '../search/search-engine.ts';

/** Characters of the text that are searched and repeated. */
const SHOWN_TEXT = 64;
const MAX_SIMILAR = 3;

/** Public add-ons whose names match a text, best first. None during an outage of the search. One search, and one read of documents. */
export async function similarAddons(text: string): Promise<AddonDocument[]> {
  const request = readSearchRequest({ q: text }, { locale: config.DEFAULT_LOCALE, except: [] });
  if (request.query === null) return [];
  try {
    const hits = (await searchEngine.autocomplete(request)).slice(0, MAX_SIMILAR);
    const documents = await loadPublicDocuments(hits.map(({ id }) => id));
    return hits.flatMap(({ id }) => documents.get(id) ?? []);
  } catch (error) {
    if (error instanceof UnavailableError) return [];
    throw error;
  }
}

const nameOf = ({ name, defaultLocale }: AddonDocument): string =>
  textIn(localized(name, defaultLocale), config.DEFAULT_LOCALE) ?? '';

/** The refusal of a text that is neither slug, GUID nor id of an add-on, with those that it may mean. */
export async function unknownReference(field: string, text: string): Promise<InvalidInputError> {
  const shown = text.slice(0, SHOWN_TEXT);
  const name = printable(shown);
  const addons = await similarAddons(shown);
  if (addons.length === 0) return refusedField(field, message('addon.unknown_reference', { name }));
  const matches = addons.map((addon) => printable(`${addon.slug ?? addon.id} (${nameOf(addon)})`)).join(', ');
  return refusedField(field, message('addon.unknown_similar', { name, matches }));
}
