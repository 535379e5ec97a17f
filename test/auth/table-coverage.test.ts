/* Every route, query field, mutation and node is in a table of object states, or named with the reason why not. */
import { isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { coveredBy, namesOf, UNCOVERED } from '../support/authorization/coverage.ts';

const { publicSchema } = await import('../../src/execution/schema.ts');
const { routes } = await import('../../src/rest/routes/index.ts');

const names = namesOf(publicSchema, routes);
const covered = coveredBy();
const explained = Object.values(UNCOVERED).flat();

/** Whether the schema has a field of a type, given as `Type.field`. */
function isField(name: string): boolean {
  const [typeName = '', field = ''] = name.split('.');
  const type = publicSchema.getType(typeName);
  return isObjectType(type) && type.getFields()[field] !== undefined;
}

describe('the tables of object states', () => {
  it('have every route, query field, mutation and node that UNCOVERED does not explain', () => {
    expect(names.filter((name) => !covered.has(name) && !explained.includes(name))).toEqual([]);
  });

  it('have nothing that UNCOVERED explains', () => {
    expect(explained.filter((name) => covered.has(name))).toEqual([]);
  });

  it('and UNCOVERED have nothing that does not exist', () => {
    const known = [...covered.keys(), ...explained];
    expect(known.filter((name) => !names.includes(name) && !isField(name))).toEqual([]);
  });
});
