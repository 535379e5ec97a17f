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
import { SCHEMA_FILE } from '../src/graphql/print-schema.ts';

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
  it('has a description on every type, field, argument, input field and enum value', () => {
    const types = Object.values(buildSchema(readFileSync(SCHEMA_FILE, 'utf8')).getTypeMap());
    const own = types.filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type));
    const missing = own.flatMap(elementsOf).filter(({ description }) => !description?.trim());
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});
