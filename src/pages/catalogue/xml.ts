import type { Html } from '../html.ts';
import type { TextFile } from '../page.ts';

// Characters that XML 1.0 does not allow.
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** An XML 1.0 document with this root element, as a file. Characters that are not allowed are left out. */
export const xmlFile = async (contentType: string, root: Html): Promise<TextFile> => ({
  kind: 'file',
  contentType: `${contentType}; charset=utf-8`,
  text: `<?xml version="1.0" encoding="utf-8"?>\n${String(await root).replace(NOT_XML, '')}`,
});
