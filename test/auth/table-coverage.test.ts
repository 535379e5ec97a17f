/* Every route, field and mutation is in a table of object states, or named with the reason why not. */
import { expect, it } from 'vitest';
import { coveredBy, namesOf, UNCOVERED } from '../support/authorization/coverage.ts';

const { publicSchema } = await import('../../src/graphql/schema.ts');
const { routes } = await import('../../src/rest/routes/index.ts');

const names = namesOf(publicSchema, routes);
const covered = coveredBy();
const explained = Object.values(UNCOVERED).flat();

it('leaves nothing out', () => {
  expect(names.filter((name) => !covered.has(name) && !explained.includes(name))).toEqual([]);
});

it('explains only what exists and is in no table', () => {
  expect(explained.filter((name) => !names.includes(name) || covered.has(name))).toEqual([]);
});

it('has no table of what does not exist', () => {
  // Fields without a restriction of their own are in tables, too: as what the rights of an object hide.
  const known = [...covered.keys()].filter((name) => !/^[A-Z]\w+\./.test(name));
  expect(known.filter((name) => !names.includes(name))).toEqual([]);
});
