import { wrapLink } from '../../auth/outgoing-links.ts';

/** What the text of a field is: without links, HTML with links in it, or one link. */
export type TextFormat = 'plain' | 'html' | 'link';

// Skips whole attributes before `href`, because the value of a title may look like one.
const ATTRIBUTE = String.raw`\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))?`;
const HREF = new RegExp(String.raw`(<a(?:${ATTRIBUTE})*?\s+href\s*=\s*)(?:"([^"]*)"|'([^']*)')`, 'gi');

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'", '#x27': "'" };
const readEntities = (text: string) =>
  text.replace(/&(amp|quot|lt|gt|#39|#x27);/g, (_all, name) => ENTITIES[name] ?? '');
const writeEntities = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

/** Wraps the links to other sites in HTML (contract, Add-on detail). Mail addresses stay. */
export function wrapHtml(html: string): string {
  if (!html.includes('<')) return html;
  return html.replace(HREF, (_all, start: string, quoted?: string, single?: string) => {
    const target = readEntities(quoted ?? single ?? '');
    return `${start}"${writeEntities(/^mailto:/i.test(target) ? target : wrapLink(target))}"`;
  });
}

const WRAPPERS = { plain: (text: string) => text, html: wrapHtml, link: wrapLink };

/** Wraps the links to other sites in a text of any format. */
export function wrapText(text: string, format: TextFormat): string {
  return WRAPPERS[format](text);
}
