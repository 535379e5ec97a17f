import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';

const ROOT = join(import.meta.dirname, '../..');

/** The printed public schema, which is committed. */
export const SCHEMA_FILE = join(ROOT, 'schema/schema.graphql');

/** The printed full schema, which REST's operations are generated from. Git ignores it. */
const FULL_SCHEMA_FILE = join(ROOT, 'src/generated/schema.graphql');

/** The schema in the schema language, sorted, so that its changes can be read in a diff. */
export function printSorted(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** `node src/execution/print-schema.ts` prints the public schema, with `--full` the full one. */
if (import.meta.main) {
  const { fullSchema, publicSchema } = await import('./schema.ts');
  const [file, schema] = process.argv.includes('--full') ? [FULL_SCHEMA_FILE, fullSchema] : [SCHEMA_FILE, publicSchema];
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, printSorted(schema));
}
