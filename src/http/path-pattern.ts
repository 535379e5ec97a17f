/* Matching of paths against the patterns of a table: `/addon/:ref/`. */

/** The segments of a pattern: literal text, or the name of a parameter. */
export type PathPattern = readonly { text: string | null; name: string }[];

/** Reads a pattern, in which parameters are segments that start with `:`. */
export function pathPattern(path: string): PathPattern {
  return path
    .replace(/^\/|\/$/g, '')
    .split('/')
    .map((segment) => {
      const name = segment.replace(/^:/, '');
      return { text: name === segment ? segment : null, name };
    });
}

/** The decoded segments of a percent-encoded path; null for an empty segment, an invalid escape or a NUL. */
export function decodeSegments(rawPath: string): string[] | null {
  const trimmed = rawPath.slice(rawPath.startsWith('/') ? 1 : 0, rawPath.endsWith('/') ? -1 : undefined);
  const segments: string[] = [];
  for (const raw of trimmed.split('/')) {
    const segment = decodeSegment(raw);
    if (segment === null || segment === '' || segment.includes('\0')) return null;
    segments.push(segment);
  }
  return segments;
}

function decodeSegment(raw: string): string | null {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
}

/** The parameters of a path; null when it does not match. Path and pattern have the same number of segments. */
export function matchPath(pattern: PathPattern, segments: readonly string[]): Record<string, string> | null {
  const parts: Record<string, string> = {};
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index] ?? '';
    const expected = pattern[index];
    if (expected === undefined) return null;
    if (expected.text === null) parts[expected.name] = segment;
    else if (expected.text !== segment) return null;
  }
  return parts;
}
