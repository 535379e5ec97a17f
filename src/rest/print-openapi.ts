/* Writes the OpenAPI documents to docs/openapi: `node src/rest/print-openapi.ts`. A test fails when they are out of date. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENTED_VERSIONS, openApiDocument } from './openapi.ts';

for (const version of DOCUMENTED_VERSIONS) {
  const path = join(import.meta.dirname, '../../docs/openapi', `openapi-${version}.json`);
  await writeFile(path, `${JSON.stringify(openApiDocument(version), null, 2)}\n`);
}
