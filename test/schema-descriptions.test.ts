import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { SCHEMA_FILE } from '../src/execution/print-schema.ts';

interface Described {
  name: string;
  description?: string | null | undefined;
}

/** A type and its elements, with their coordinates. */
function elementsOf(type: GraphQLNamedType): Described[] {
  const within = (parent: string, { name, description }: Described) => ({ name: `${parent}.${name}`, description });
  if (isEnumType(type)) return [type, ...type.getValues().map((value) => within(type.name, value))];
  if (isInputObjectType(type)) return [type, ...Object.values(type.getFields()).map((each) => within(type.name, each))];
  if (!isObjectType(type) && !isInterfaceType(type)) return [type];
  const fields = Object.values(type.getFields()).flatMap((field) => [
    within(type.name, field),
    ...field.args.map(({ name, description }) => ({ name: `${type.name}.${field.name}(${name}:)`, description })),
  ]);
  return [type, ...fields];
}

describe('the public schema', () => {
  const types = Object.values(buildSchema(readFileSync(SCHEMA_FILE, 'utf8')).getTypeMap());
  const elements = types
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .flatMap(elementsOf);

  it('has a description on every type, field, argument, input field and enum value', () => {
    const missing = elements.filter(({ description }) => !description?.trim());
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('states at every size of a page that other numbers are refused', () => {
    const sizes = elements.filter(({ name }) => /\((?:first|last|pageSize):\)$/.test(name));
    expect(sizes.length).toBeGreaterThan(20);
    const silent = sizes.filter(
      ({ description }) => !/from 1 to \d+; other numbers are refused with BAD_USER_INPUT\./.test(description ?? ''),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});
