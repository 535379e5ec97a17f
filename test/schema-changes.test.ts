import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, findBreakingChanges } from 'graphql';
import { describe, expect, it } from 'vitest';
import { SCHEMA_FILE } from '../src/execution/print-schema.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The unreleased part of the changelog. */
const unreleased = (changelog: string) =>
  changelog.split(/^## /m).find((part) => part.startsWith('[Unreleased]')) ?? '';

/** Breaking and dangerous changes whose name the changelog does not contain. */
function unannounced(before: string, after: string, changelog: string): string[] {
  const announced = unreleased(changelog).replace(/\s+/g, ' ');
  const changes = findBreakingChanges(buildSchema(before), buildSchema(after));
  return changes.map(({ description }) => description).filter((description) => !announced.includes(description));
}

describe('the GraphQL schema', () => {
  it('has no breaking change since the last release that CHANGELOG.md does not name', () => {
    const schema = readFileSync(SCHEMA_FILE, 'utf8');
    // Written by each release, so absent before the first one.
    const baseline = existsSync(join(root, 'schema/baseline.graphql')) ? read('schema/baseline.graphql') : schema;
    expect(unannounced(baseline, schema, read('CHANGELOG.md'))).toEqual([]);
  });

  it('fails with a breaking change until the changelog names it', () => {
    const [before, after] = ['type Query { a: Int b: Int! }', 'type Query { b: Int }'];
    const changes = ['Query.a was removed.', 'Query.b changed type from Int! to Int.'];
    expect(unannounced(before, after, '## [Unreleased]\n\n## [1.0.0]\n\nQuery.a was removed.')).toEqual(changes);
    expect(unannounced(before, after, `## [Unreleased]\n\n- ${changes.join('\n- ')}\n`)).toEqual([]);
  });
});
