import { wrapLink } from '../auth/outgoing-links.ts';
import { wrapHtml } from '../domain/addons/wrap-links.ts';
import type { View } from './view.ts';

type Text = string | Record<string, string> | null;

function mapText(text: Text, change: (text: string) => string): Text {
  if (text === null) return null;
  if (typeof text === 'string') return change(text);
  const changed: Record<string, string> = {};
  for (const locale in text) changed[locale] = change(text[locale] ?? '');
  return changed;
}

/** Wraps a link to another site if the request has `wrap_outgoing_links` (contract, Add-on detail). */
export function linkFor<Value extends Text>(text: Value, view: View): Value {
  return (view.wrapsLinks ? mapText(text, wrapLink) : text) as Value;
}

/** An address on another site, as written and wrapped (submission API); null without one. */
export function outgoingAddress(text: Text): { url: Text; outgoing: Text } | null {
  return text === null ? null : { url: text, outgoing: mapText(text, wrapLink) };
}

/** Wraps the links to other sites in HTML, whatever the request (contract, Add-on detail: wrap_outgoing_links). */
export function wrapLinksInHtml(text: Text): Text {
  return mapText(text, wrapHtml);
}
