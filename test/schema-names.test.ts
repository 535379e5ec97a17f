/* The names of the public schema: rules of docs/graphql.md, Names. */
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { SCHEMA_FILE } from '../src/execution/print-schema.ts';

const types = Object.values(buildSchema(readFileSync(SCHEMA_FILE, 'utf8')).getTypeMap()).filter(
  ({ name }) => !name.startsWith('__'),
);

interface Named {
  name: string;
  type: GraphQLInputType | GraphQLOutputType;
}

const outputs = types
  .filter((type) => isObjectType(type) || isInterfaceType(type))
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ owner: type.name, field })));

const fields = outputs.map(({ owner, field: { name, type } }) => ({ name: `${owner}.${name}`, type }));

/** Input fields and arguments. */
const inputs: Named[] = [
  ...types
    .filter(isInputObjectType)
    .flatMap((type) =>
      Object.values(type.getFields()).map((field) => ({ ...field, name: `${type.name}.${field.name}` })),
    ),
  ...outputs.flatMap(({ owner, field }) =>
    field.args.map((argument) => ({ ...argument, name: `${owner}.${field.name}.${argument.name}` })),
  ),
];

const lastPart = (name: string): string => name.split('.').at(-1) ?? '';
const namesOf = (all: readonly Named[], type: string): string[] =>
  all.filter((each) => getNamedType(each.type).name === type).map(({ name }) => name);

const STATE = /^(?:is|has|can|requires)[A-Z]/;

/** What an input tells the service to do, once. */
const INSTRUCTIONS = [
  'acceptDeveloperAgreement',
  'approve',
  'arrangeForVisitors',
  'includeDeleted',
  'includeFlood',
  'includeOwn',
  'release',
  'removeFooter',
  'wrapLinks',
];

describe('names of the schema', () => {
  it('say of every boolean field what is, what there is, what may be done or what is required', () => {
    expect(namesOf(fields, 'Boolean').filter((name) => !STATE.test(lastPart(name)))).toEqual([]);
  });

  it('of booleans in inputs are those of fields, or instructions that begin with a verb', () => {
    const others = namesOf(inputs, 'Boolean')
      .map(lastPart)
      .filter((name) => !STATE.test(name));
    expect([...new Set(others)].sort()).toEqual(INSTRUCTIONS);
  });

  it('of moments are participles of type DateTime, those of days have the type Date', () => {
    const moments =
      /^(?:created|updated|expires|ended|revoked|reviewed|decided|sent|reached|lastUsed|lastLogin|lastUpdated)$/;
    const wrong = fields.filter(
      ({ name, type }) => moments.test(lastPart(name)) && getNamedType(type).name !== 'DateTime',
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
    const days = [...fields, ...inputs].filter(({ name }) => lastPart(name) === 'date');
    expect(days.map(({ type }) => getNamedType(type).name)).toEqual(days.map(() => 'Date'));
  });

  it('have no field that is null although its mutation succeeded', () => {
    const payload = outputs.filter(({ owner, field }) => owner.endsWith('Payload') && !isNonNullType(field.type));
    expect(payload.map(({ owner, field }) => `${owner}.${field.name}`)).toEqual([]);
  });

  it('say of each mutation that makes and changes objects which of both it does', () => {
    const optional = types
      .filter(isInputObjectType)
      .filter(({ name }) => /^(?:Set|Create|Update|Upsert)/.test(name))
      .flatMap((type) => {
        const id = type.getFields()['id'];
        return id !== undefined && !isNonNullType(id.type) ? [type.name] : [];
      });
    expect(optional).toEqual([]);
  });
});
