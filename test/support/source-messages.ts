/* Collects the messages that the service composes for people, from its sources. */
import { type Literal, literalsIn } from './literals.ts';
import type { Source } from './sources.ts';

/** A call with a message of an error among its arguments. */
const REFUSAL =
  /\b(?:refusedField|pictureError|malformed|invalid|HttpRefusal|super|(?:InvalidInput|Package|NotFound|NotPermitted|NotAuthenticated|Service|VersionExists|Unavailable)Error)\(/g;

/** Declares types and fields of GraphQL, whose descriptions are sentences too. */
const DECLARATIONS = /graphql\/(?:builder|mutation)\.ts'/;

const SENTENCE = /^(?:["{]|[A-Z][a-z']+[ '"{])/;
const WORDS = /\p{L}{2,} \p{L}{2,}/u;
/** What precedes a message that is chosen or named before it becomes that of an error. */
const CHOSEN = /(?:=|=>|\breturn|\?|:|,)$/;
const NAMED = /(?:const \w+ =|\) =>)$/;
/** What precedes sentences for logs, for bugs, and in descriptions. */
const OTHER =
  /(?:(?:description|summary|reason|title):|(?:\blog\.\w+|logger\.\w+|\bnew Error|\blabel|\bsegment)\([^;]*)$/;

/** Values of expressions in messages, by their source. `A ? 'b' : 'c'` needs none. */
export type Values = Readonly<Record<string, readonly string[]>>;

/** The literals of a source that are, or may be, messages for people; `{}` in place of values. */
export function messagesIn({ text: code }: Source, values: Values): string[] {
  const literals = literalsIn(code);
  const spans = refusalsIn(code, literals);
  const declares = DECLARATIONS.test(code);
  const isMessage = ({ start, text }: Literal): boolean => {
    if (!text.includes(' ') || !SENTENCE.test(text)) return false;
    if (spans.some((span) => span.start <= start && start < span.end)) return true;
    const before = code.slice(Math.max(0, start - 120), start).trimEnd();
    return !declares && CHOSEN.test(before) && !OTHER.test(before) && (text.endsWith('.') || NAMED.test(before));
  };
  return literals.filter(isMessage).flatMap(({ text }) => shapesOf(text, values).filter((shape) => WORDS.test(shape)));
}

/** All literals of a source; `{}` in place of values. */
export const literalShapes = ({ text }: Source, values: Values): string[] =>
  literalsIn(text).flatMap((literal) => shapesOf(literal.text, values));

/** The arguments of the calls that make errors. */
function refusalsIn(code: string, literals: readonly Literal[]): { start: number; end: number }[] {
  const byStart = new Map(literals.map((literal) => [literal.start, literal]));
  return [...code.matchAll(REFUSAL)].map(({ index, 0: call }) => {
    const start = index + call.length;
    let at = start;
    for (let depth = 1; depth > 0 && at < code.length; ) {
      const literal = byStart.get(at);
      if (literal !== undefined) {
        at = literal.end;
        continue;
      }
      depth += code[at] === '(' ? 1 : code[at] === ')' ? -1 : 0;
      at++;
    }
    return { start, end: at };
  });
}

const EXPRESSION = /\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})+)\}/;
const CHOICE = /^[^?]+\? '([^']*)' : '([^']*)'$/;

/** A literal with the values of its expressions, as far as they are known; `{}` in place of others. */
function shapesOf(text: string, values: Values): string[] {
  const [whole, expression = ''] = EXPRESSION.exec(text) ?? [];
  if (whole === undefined) return [text];
  const [before = '', after = ''] = [
    text.slice(0, text.indexOf(whole)),
    text.slice(text.indexOf(whole) + whole.length),
  ];
  const choice = CHOICE.exec(expression)?.slice(1);
  const known = Object.hasOwn(values, expression) ? values[expression] : undefined;
  return shapesOf(after, values).flatMap((rest) => (choice ?? known ?? ['{}']).map((value) => before + value + rest));
}
