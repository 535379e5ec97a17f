/* The public schema: its names (docs/graphql.md, Names), its descriptions, and what it leaves out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { SCHEMA_FILE } from '../src/execution/print-schema.ts';
import { ROOT, readSources } from './support/sources.ts';

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
  const elements = types.filter((type) => !isSpecifiedScalarType(type)).flatMap(elementsOf);

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

/** Fields, arguments and input fields that only REST and pages have. Fewer are better. */
const INTERNAL_FIELDS = 19;

/** A parameter in an OpenAPI document. */
const PARAMETER = /"name": "(\w+)",\s*"in": "query"/g;

const program = readSources('src');

it(`at most ${INTERNAL_FIELDS} fields and arguments are internal`, () => {
  const marks = program.flatMap(({ text }) => text.match(/\bsubGraphs: INTERNAL\b(?!`)/g) ?? []);
  expect(marks.length).toBeLessThanOrEqual(INTERNAL_FIELDS);
});

it('the domain has the names of the schema where REST parameters have another spelling', () => {
  const spelling = (name: string) => name.replaceAll('_', '').toLowerCase();
  const names = new Set(readFileSync(SCHEMA_FILE, 'utf8').match(/\b[a-z]\w*(?=[:(])/g));
  const spellings = new Set([...names].map(spelling));
  const documents = ['v3', 'v4', 'v5'].map((version) =>
    readFileSync(join(ROOT, `docs/openapi/openapi-${version}.json`), 'utf8'),
  );
  const parameters = new Set(documents.flatMap((text) => [...text.matchAll(PARAMETER)].map(([, name = '']) => name)));
  const others = [...parameters].filter((name) => !names.has(name) && spellings.has(spelling(name)));
  expect(others).toEqual(expect.arrayContaining(['appversion', 'exclude_addons']));
  const uses = new RegExp(`\\b(?:${others.join('|')})\\b`);
  const domain = program.filter(({ path }) => path.startsWith('src/domain/'));
  // Reports store what browsers send under the names that they send.
  expect(domain.filter(({ text }) => uses.test(text)).map(({ path }) => path)).toEqual([
    'src/domain/abuse/submit-report.ts',
  ]);
});
