/** How well an Accept header matches a media type: quality, specificity of the range, and position, all the higher the better. */
type Match = readonly [quality: number, specificity: number, position: number];

const NO_MATCH: Match = [0, 0, 0];

function matchOf(accept: string, type: string): Match {
  const ranges = ['*/*', type.replace(/\/.*/, '/*'), type];
  let best: Match | null = null;
  for (const [index, entry] of accept.toLowerCase().split(',').entries()) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const specificity = ranges.indexOf(range);
    if (specificity < 0 || (best !== null && specificity <= best[1])) continue;
    const quality = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
    best = [Number.isNaN(quality) ? 0 : quality, specificity, -index];
  }
  return best ?? NO_MATCH;
}

/**
 * Whether an Accept header prefers JSON to HTML (RFC 9110, section 12.5.1): a higher quality, else a more specific range, else an
 * earlier one. Without a preference, false.
 */
export function prefersJson(accept: string | undefined): boolean {
  const json = matchOf(accept ?? '*/*', 'application/json');
  const html = matchOf(accept ?? '*/*', 'text/html');
  const difference = json.findIndex((value, index) => value !== html[index]);
  return json[0] > 0 && difference >= 0 && (json[difference] ?? 0) > (html[difference] ?? 0);
}

/** Whether a client names HTML among what it accepts, as browsers do, and does not prefer JSON. */
export const acceptsPages = (accept: string | undefined): boolean =>
  /\btext\/html\b/i.test(accept ?? '') && !prefersJson(accept);

const MAX_LANGUAGES_LENGTH = 1_000;

/** The languages of an Accept-Language header by descending weight, without those of weight 0 (RFC 9110, section 12.5.4). */
export function acceptedLanguages(header = ''): string[] {
  return header
    .slice(0, MAX_LANGUAGES_LENGTH)
    .split(',')
    .map((range) => {
      const [code = '', ...parameters] = range.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
      return { code, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ code, weight }) => code !== '*' && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ code }) => code);
}
