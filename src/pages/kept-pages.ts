/*
 * Rendered pages for anonymous visitors. A page is rendered again once its revision has changed, which the database returned for the
 * present request; rendering costs many times what reading the revision costs.
 */
import { wrapLink } from '../auth/outgoing-links.ts';
import { SecondChanceCache } from '../infra/second-chance-cache.ts';
import type { Frame } from './frame.ts';

/** In bytes. */
const MAX_BYTES = 12 * 1024 * 1024;
/** Estimated memory of an entry without its texts, in bytes. */
const ENTRY_BYTES = 300;

/** A page as it is sent. */
export interface RenderedPage {
  body: Buffer;
  etag: string;
}

interface Entry extends RenderedPage {
  revision: string;
}

const cache = new SecondChanceCache<string, Entry>(MAX_BYTES);

/** Everything but the revision that a page for anonymous visitors depends on. The link changes with the settings of wrapped links. */
const keyOf = ({ ui, context }: Frame): string =>
  JSON.stringify([ui.path, ui.language, context.locale, ui.theme, wrapLink('https://sample.invalid/')]);

/** The page that was rendered for this address, language and theme, if it has this revision. */
export function keptPage(frame: Frame, revision: string): RenderedPage | null {
  const entry = cache.get(keyOf(frame));
  return entry?.revision === revision ? entry : null;
}

/** Keeps a page that was rendered from data of this revision. */
export function keepPage(frame: Frame, revision: string, page: RenderedPage): void {
  const key = keyOf(frame);
  cache.set(key, { ...page, revision }, page.body.length + key.length + revision.length + ENTRY_BYTES);
}
