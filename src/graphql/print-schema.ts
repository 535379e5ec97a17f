import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';

/** Where the printed schema is kept. */
export const SCHEMA_FILE = join(import.meta.dirname, '../../schema/schema.graphql');

/** The schema in the schema language, sorted, so that its changes can be read in a diff. */
export function printSorted(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

if (import.meta.main) {
  const { schema } = await import('./schema.ts');
  await writeFile(SCHEMA_FILE, printSorted(schema));
}
