/* Suggestions for a text that names no add-on: staff often type the name that they see. */
import { config } from '../../config.ts';
import { refusedField, SimilarValuesError, UnavailableError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { loadPublicDocuments } from '../addons/load-documents.ts';
import { localized, textIn } from '../addons/localized-text.ts';
import { readSearchRequest } from './query/search-request.ts';
import { searchEngine } from './search-engine.ts';

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

/** Names are compared without case, as the search does. */
const comparableName = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

const hasName = ({ name }: AddonDocument, text: string): boolean =>
  Object.values(name ?? {}).some((each) => comparableName(String(each)) === comparableName(text));

/**
 * The only public add-on with a name, for a text that is neither slug, GUID nor id of an add-on.
 * @throws {SimilarValuesError} on `field`, with those that the text may mean, and {InvalidInputError} without one.
 */
export async function addonOfName(field: string, text: string): Promise<number> {
  const shown = text.slice(0, SHOWN_TEXT);
  const name = printable(shown);
  const addons = await similarAddons(shown);
  const [named, ...others] = addons.filter((addon) => hasName(addon, text));
  if (named !== undefined && others.length === 0) return named.id;
  if (addons.length === 0) throw refusedField(field, message('addon.unknown_reference', { name }));
  const offers = addons.map((addon) => ({ value: String(addon.slug ?? addon.id), name: nameOf(addon) }));
  const matches = offers.map((offer) => printable(`${offer.value} (${offer.name})`)).join(', ');
  throw new SimilarValuesError(field, message('addon.unknown_similar', { name, matches }), offers);
}
