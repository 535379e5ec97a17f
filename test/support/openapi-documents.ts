import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of an OpenAPI document that the checks read. */
export interface OpenApiOperation {
  responses: Record<string, { content?: Record<string, unknown> }>;
}
export interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>;
}
export type Documents = Record<'v3' | 'v4' | 'v5', OpenApiDocument>;

/** The documented operation of a request. */
export interface FoundOperation {
  version: string;
  template: string;
  operation: OpenApiOperation;
  /** A reference to the operation within its document, for JSON Schema. */
  pointer: string;
}

/** The file in the folder of the run that records the statuses of responses. */
export const STATUSES_FILE = 'documented-statuses';

/** The committed documents. */
export function readDocuments(): Documents {
  const read = (version: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, `../../docs/openapi/openapi-${version}.json`), 'utf8'));
  return { v3: read('v3'), v4: read('v4'), v5: read('v5') };
}

/** The operation of a method and a path, with or without a trailing slash. The document of v4 also covers v4dev. */
export function findOperation(documents: Documents, method: string, path: string): FoundOperation | null {
  const [bare = ''] = path.split('?');
  const version = /^\/api\/(v3|v4|v4dev|v5)\//.exec(bare)?.[1];
  if (version === undefined) return null;
  const documented = version === 'v3' || version === 'v5' ? version : 'v4';
  const segments = bare.replace(/^\/api\/[^/]+\/|\/$/g, '').split('/');
  for (const [template, operations] of Object.entries(documents[documented].paths)) {
    const operation = operations[method.toLowerCase()];
    const pattern = template.replace(/^\/api\/[^/]+\/|\/$/g, '').split('/');
    if (operation === undefined || !fits(pattern, segments)) continue;
    const escaped = encodeURIComponent(template.replaceAll('~', '~0').replaceAll('/', '~1'));
    return { version, template, operation, pointer: `${documented}#/paths/${escaped}/${method.toLowerCase()}` };
  }
  return null;
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((expected, index) => {
      const segment = segments[index] ?? '';
      return expected.startsWith('{') ? isReadable(segment) : expected === segment;
    })
  );
}

/** Whether a path segment is valid: not empty, correctly escaped, without NUL. */
function isReadable(segment: string): boolean {
  try {
    return segment !== '' && !decodeURIComponent(segment).includes('\0');
  } catch {
    return false;
  }
}
