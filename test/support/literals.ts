/* Reads the string and template literals of TypeScript sources, without a parser. */

/** A literal of a source. */
export interface Literal {
  start: number;
  end: number;
  /** Its text; each expression of a template is `{expression}`. */
  text: string;
}

/** What precedes a regular expression, and never a division. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};>]|\breturn)\s*$/;

/** All literals of a source by position, those within expressions of templates included. */
export function literalsIn(code: string): Literal[] {
  const found: Literal[] = [];
  skipCode(code, 0, found);
  return found.sort((one, other) => one.start - other.start);
}

/** Reads code up to the brace that closes an expression, or to the end. Returns the position of that brace. */
function skipCode(code: string, start: number, found: Literal[]): number {
  let depth = 0;
  for (let at = start; at < code.length; ) {
    const character = code[at] ?? '';
    if (code.startsWith('//', at)) at = indexOr(code.indexOf('\n', at), code.length);
    else if (code.startsWith('/*', at)) at = code.indexOf('*/', at) + 2;
    else if (character === "'" || character === '"') at = skipString(code, at, found);
    else if (character === '`') at = skipTemplate(code, at, found);
    else if (character === '/' && BEFORE_REGEX.test(code.slice(Math.max(0, at - 60), at))) at = skipRegex(code, at);
    else if (character === '}' && depth === 0 && start > 0) return at;
    else {
      depth += character === '{' ? 1 : character === '}' ? -1 : 0;
      at++;
    }
  }
  return code.length;
}

const indexOr = (index: number, other: number): number => (index < 0 ? other : index);

function skipString(code: string, start: number, found: Literal[]): number {
  let text = '';
  let at = start + 1;
  for (; code[at] !== code[start]; at++) {
    if (code[at] === '\\') at++;
    text += code[at];
  }
  found.push({ start, end: at + 1, text });
  return at + 1;
}

function skipTemplate(code: string, start: number, found: Literal[]): number {
  let text = '';
  let at = start + 1;
  while (code[at] !== '`') {
    if (code.startsWith('${', at)) {
      const end = skipCode(code, at + 2, found);
      text += `{${code.slice(at + 2, end)}}`;
      at = end + 1;
      continue;
    }
    if (code[at] === '\\') at++;
    text += code[at++];
  }
  found.push({ start, end: at + 1, text });
  return at + 1;
}

function skipRegex(code: string, start: number): number {
  let isInClass = false;
  let at = start + 1;
  for (; code[at] !== '/' || isInClass; at++) {
    if (code[at] === '\\') at++;
    else if (code[at] === '[') isInClass = true;
    else if (code[at] === ']') isInClass = false;
  }
  return at + 1;
}
