/** A template literal that is being read. */
interface Open {
  isHtml: boolean;
  literal: string;
  /** Open braces of the expression in it; null between expressions. */
  braces: number | null;
}

/** Elements whose contents are code and proper names, the same in every language. */
const UNTRANSLATED = /<(code|pre|kbd|bdi|svg)\b.*?<\/\1>/gs;

/** The texts of all `html` templates of a source, without expressions, elements and attributes. */
export function literalsOf(source: string): string[] {
  const texts: string[] = [];
  const open: Open[] = [];
  const code = source.replace(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '');
  for (let index = 0; index < code.length; index++) {
    const current = open.at(-1);
    const isText = current !== undefined && current.braces === null;
    if (isText && code[index] === '\\') current.literal += code.slice(index, ++index + 1);
    else if (isText && code.startsWith('${', index)) {
      current.braces = 1;
      index++;
      // Keeps tags whole: an expression in an attribute is no text.
      current.literal += ' ';
    } else if (isText && code[index] === '`') {
      open.pop();
      if (current.isHtml) texts.push(current.literal);
    } else if (isText) current.literal += code[index];
    else if (code[index] === '`')
      open.push({ isHtml: code.slice(0, index).endsWith('html'), literal: '', braces: null });
    else if (current?.braces && code[index] === '{') current.braces++;
    else if (current?.braces && code[index] === '}') current.braces = current.braces === 1 ? null : current.braces - 1;
  }
  return texts.map(withoutMarkup);
}

function withoutMarkup(literal: string): string {
  if (/^(\s+[\w-]+(="[^"]*")?)+$/.test(literal)) return '';
  return (
    literal
      .replace(UNTRANSLATED, '')
      .replace(/<!?[a-z/][^<>]*>/gi, '')
      .replace(/&#?\w+;/g, '')
      // Parts of a tag around an expression that contains templates.
      .replace(/^[^<]*?>|<[^>]*$/g, '')
  );
}
