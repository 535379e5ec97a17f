import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the checks read of an OpenAPI document. */
export interface OpenApiOperation {
  responses: Record<string, { content?: Record<string, unknown> }>;
}
export interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>;
}
export type Documents = Record<'v3' | 'v4', OpenApiDocument>;

/** The documented operation of a request. */
export interface FoundOperation {
  version: string;
  template: string;
  operation: OpenApiOperation;
  /** A reference to the operation inside its document, for JSON Schema. */
  pointer: string;
}

/** Where the statuses that tests have seen are noted, in the folder of the run. */
export const STATUSES_FILE = 'documented-statuses';

/** The documents as printed into the repository. */
export function readDocuments(): Documents {
  const read = (version: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, `../../docs/openapi/openapi-${version}.json`), 'utf8'));
  return { v3: read('v3'), v4: read('v4') };
}

/** The operation that a method and a path, with or without the slash at its end, belong to. v4dev is described as v4. */
export function findOperation(documents: Documents, method: string, path: string): FoundOperation | null {
  const [bare = ''] = path.split('?');
  const version = /^\/api\/(v3|v4|v4dev)\//.exec(bare)?.[1];
  if (version === undefined) return null;
  const documented = version === 'v3' ? 'v3' : 'v4';
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

/** A segment that names something: not empty, a proper escape, no NUL. */
function isReadable(segment: string): boolean {
  try {
    return segment !== '' && !decodeURIComponent(segment).includes('\0');
  } catch {
    return false;
  }
}
