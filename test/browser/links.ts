import { load } from 'cheerio';

/** The addresses that a document names, and the places within it that addresses can name. */
export interface Links {
  /** Absolute URLs, with fragments. */
  urls: string[];
  ids: Set<string>;
}

/** Reads the addresses of an HTML document, except those that only forms with a body are sent to. */
export function linksOfHtml(text: string, base: string): Links {
  const $ = load(text);
  const urls = [...$('a, link, img, script, form, source, input, button, use')].flatMap(({ tagName, attribs }) =>
    addressesOf(tagName, attribs).map((address) => new URL(address, base).href),
  );
  return { urls, ids: new Set([...$('[id]')].map(({ attribs }) => attribs.id ?? '')) };
}

/** Reads the addresses of the service in a JSON or XML document. */
export function linksOfData(text: string, origin: string): Links {
  const urls = text
    .replaceAll('\\/', '/')
    .split(/["'<>\s\\]+/)
    .filter((word) => word.startsWith(`${origin}/`));
  return { urls: urls.map(unescaped), ids: new Set() };
}

function addressesOf(tag: string, attributes: Record<string, string>): string[] {
  const { href, src, action, formaction, method, srcset } = attributes;
  const isSent = tag === 'form' && method?.toLowerCase() === 'post';
  const several = srcset?.split(',').map((each) => each.trim().split(' ')[0] ?? '') ?? [];
  const single = [href, src, isSent ? undefined : action, tag === 'button' ? undefined : formaction];
  return [...single.filter((each) => each !== undefined), ...several];
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
