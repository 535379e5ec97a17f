/** Types of text that are highlighted; all but `xml` are formatted, too. */
type FileType = 'javascript' | 'css' | 'json' | 'xml';

const TYPES: Readonly<Record<string, FileType>> = {
  ...{ js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsm: 'javascript', jsx: 'javascript' },
  ...{ css: 'css', json: 'json', map: 'json', webmanifest: 'json' },
  ...{ xml: 'xml', html: 'xml', htm: 'xml', xhtml: 'xml', xul: 'xml', svg: 'xml', rdf: 'xml' },
};

/** The type that the name of a file declares; null for other files. */
export const fileType = (path: string): FileType | null => {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, extension) ? (TYPES[extension] ?? null) : null;
};
