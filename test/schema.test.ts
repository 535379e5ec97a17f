import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type DocumentNode,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNullableType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
  validate,
  visit,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { printSorted, SCHEMA_FILE } from '../src/execution/print-schema.ts';

const OPERATIONS = join(import.meta.dirname, '../schema/operations');
const printed = readFileSync(SCHEMA_FILE, 'utf8');
const schema = buildSchema(printed);

const fieldsOf = (type: string) => Object.keys((schema.getType(type) as GraphQLObjectType).getFields()).sort();
const objectTypes = Object.values(schema.getTypeMap()).filter(isObjectType);

/** Mutations whose only input is the request itself. */
const WITHOUT_INPUT = ['acceptDeveloperAgreement', 'endOtherSessions', 'linkIdentity', 'signOut'];

describe('schema/schema.graphql', () => {
  let current: string;
  beforeAll(async () => {
    current = printSorted((await import('../src/execution/schema.ts')).publicSchema);
  });

  it('is current (npm run generate:schema)', () => {
    expect(printed).toBe(current);
  });

  it('has the names that front ends use', () => {
    expect(fieldsOf('Mutation')).toEqual(
      expect.arrayContaining([
        'approveVersion',
        'createApiKey',
        'deleteAddon',
        'disableAccount',
        'rejectVersion',
        'revokeApiKey',
        'setAddonDisabled',
        'submitAddon',
        'submitVersion',
        'updateAddon',
      ]),
    );
    expect(fieldsOf('Query')).toEqual(
      expect.arrayContaining(['addon', 'categories', 'licenses', 'node', 'signatureLog', 'upload', 'viewer']),
    );
    expect(fieldsOf('Subscription')).toEqual(['uploadChanged']);
    expect(fieldsOf('Localized')).toEqual(['all', 'locale', 'value']);
    expect(fieldsOf('SubmitVersionInput')).toEqual(expect.arrayContaining(['channel', 'file', 'guid', 'version']));
    expect(['VersionConnection', 'SignatureLogConnection'].map((name) => schema.getType(name)?.name)).toEqual([
      'VersionConnection',
      'SignatureLogConnection',
    ]);
  });

  it.each(Object.values(schema.getMutationType()?.getFields() ?? {}))('gives $name one input and a union', (field) => {
    const pascal = field.name.charAt(0).toUpperCase() + field.name.slice(1);
    expect(field.args.map(({ name }) => name)).toEqual(WITHOUT_INPUT.includes(field.name) ? [] : ['input']);
    const result = getNullableType(field.type);
    const members = isUnionType(result) ? result.getTypes() : [];
    const [payload, ...others] = members.filter(({ name }) => name.endsWith('Payload'));
    expect(payload?.name).toMatch(/Payload$/);
    expect(others).toEqual([]);
    const failures = members.filter((member) => member !== payload);
    expect(failures.map((member) => member.getInterfaces().map(({ name }) => name))).toEqual(
      failures.map(() => ['UserError']),
    );
    expect(String(result)).toMatch(new RegExp(`^${pascal}Result$`));
  });

  // Texts have a digest of their own, a custom or built-in licence is guarded as the licence, named categories as categories.
  it.each([
    ['Addon', ['builtinLicense', 'customLicense', 'id', 'isDisabled', 'expected', 'namedCategories']],
    ['Version', ['builtinLicense', 'customLicense', 'id', 'expected', 'source']],
    ['Persona', ['id', 'picture', 'removeFooter', 'expected']],
  ])('guards each value of Update%sInput against concurrent edits, except some', (type, unguarded) => {
    const inputs = (name: string) =>
      Object.values((schema.getType(name) as GraphQLInputObjectType).getFields())
        .filter((field) => String(field.type) !== '[TranslationInput!]')
        .map(({ name: field }) => field);
    const values = inputs(`Expected${type}Input`);
    expect([...values, ...unguarded].sort()).toEqual(inputs(`Update${type}Input`).sort());
  });

  it('has node ids that contain the ids of REST', () => {
    const nodes = objectTypes.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
    const without = nodes.filter((type) => !('databaseId' in type.getFields()));
    // REST identifies uploads by pk, and replacements and compat overrides by guid; it has neither comments on lines nor the signature log.
    const others = ['CompatOverride', 'LineComment', 'Replacement', 'SignatureLogEntry', 'Upload'];
    expect(without.map(({ name }) => name).sort()).toEqual(others);
  });
});

describe('schema/operations', () => {
  const files = readdirSync(OPERATIONS, { encoding: 'utf8', recursive: true }).filter((name) =>
    name.endsWith('.graphql'),
  );
  const documents = files.map((name) => parse(readFileSync(join(OPERATIONS, name), 'utf8')));
  const definitions = documents.flatMap((document) => document.definitions);
  const whole: DocumentNode = { kind: Kind.DOCUMENT, definitions };

  it('match the full schema', async () => {
    const { fullSchema } = await import('../src/execution/schema.ts');
    expect(validate(fullSchema, whole).map(({ message }) => message)).toEqual([]);
  });

  it('are named', () => {
    const anonymous: unknown[] = [];
    visit(whole, { OperationDefinition: (operation) => void (operation.name ?? anonymous.push(operation)) });
    expect(anonymous).toEqual([]);
  });
});
