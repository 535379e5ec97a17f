import { readFile } from 'node:fs/promises';
import {
  buildSchema,
  type OperationDefinitionNode,
  parse,
  type ValueNode,
  validate,
  valueFromASTUntyped,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/demo/catalogue.ts';
import { readSamples } from '../../src/execution/graphiql-page.ts';
import { SCHEMA_FILE } from '../../src/execution/print-schema.ts';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon as addonMade } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';
import { openEventStream } from './sse-reader.ts';

const app = setUpApp();
let developer: Client;
let curator: Client;
/** Values for variables whose default is an example. */
let known: { slug: string; pk: string; addonId: string; versionId: string; publicId: string; username: string };

beforeAll(async () => {
  developer = await app.developer();
  const ref = 'sample@example';
  const upload = await xpi({ guid: ref });
  const { pk } = (await developer.put(`/api/v4/addons/${ref}/versions/1.0/`, { upload })).json as { pk: string };
  const listed = await addonMade({ authors: [developer.accountId ?? 0] });
  const { addon, offered } = await developer.graphql<{
    addon: { id: string; slug: string };
    offered: { versions: { edges: { node: { id: string } }[] } };
  }>(
    `query($ref: String!, $listed: Int!) {
      addon(by: { guid: $ref }) { id slug }
      offered: addon(by: { databaseId: $listed }) { versions(first: 1) { edges { node { id } } } } }`,
    { ref, listed: listed.id },
  );
  curator = await app.memberWith('Admin:Curation');
  const [colleague] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [
    curator.accountId,
  ]);
  known = {
    slug: addon.slug,
    pk,
    addonId: addon.id,
    versionId: offered.versions.edges[0]?.node.id ?? '',
    publicId: globalId('Addon', listed.id),
    username: colleague?.username ?? '',
  };
});

const samples = (await readSamples()).map(({ text }) => {
  const [operation] = parse(text).definitions as [OperationDefinitionNode];
  return { name: operation.name?.value ?? '', text, operation };
});
type SampleOperation = (typeof samples)[number];

const defaultOf = (value: ValueNode | undefined) => (value ? valueFromASTUntyped(value) : undefined);
const defaultsOf = ({ operation }: SampleOperation) =>
  Object.fromEntries(
    (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultOf(defaultValue),
    ]),
  ) as Record<string, unknown>;

function filledIn(sample: SampleOperation): Record<string, unknown> {
  const filled = defaultsOf(sample);
  if ('slug' in filled) filled.slug = known.slug;
  if (/Upload/.test(sample.name) && 'id' in filled) filled.id = globalId('Upload', known.pk);
  if ('input' in filled) filled.input = filledInput(sample.name, filled.input as Record<string, unknown>);
  return filled;
}

function filledInput(name: string, input: Record<string, unknown>): Record<string, unknown> {
  if (name === 'SetFeatured') return { ...input, addon: { id: known.publicId } };
  return {
    ...input,
    id: name === 'UpdateVersion' ? known.versionId : known.addonId,
    ...('account' in input ? { account: { username: known.username } } : {}),
  };
}

describe('the samples in schema/samples', () => {
  it('contain one operation each, with a unique name, that is valid in the public schema', async () => {
    const schema = buildSchema(await readFile(SCHEMA_FILE, 'utf8'));
    expect(samples.length).toBeGreaterThan(10);
    expect(new Set(samples.map(({ name }) => name)).size).toBe(samples.length);
    expect(samples.flatMap(({ text }) => validate(schema, parse(text)))).toEqual([]);
  });

  it('use add-ons of the demo', () => {
    const named = samples.flatMap((sample) => [defaultsOf(sample).slug, defaultsOf(sample).guid]).filter(Boolean);
    const present = CATALOGUE.flatMap(({ guid, listing }) => [guid, listing?.slug]);
    expect(named.length).toBeGreaterThan(0);
    expect(present).toEqual(expect.arrayContaining(named));
  });

  it.each(samples.filter(({ name }) => name !== 'WatchUpload'))('$name returns data', async (sample) => {
    const client = sample.name === 'SetFeatured' ? curator : developer;
    const data = await client.graphql(sample.text, filledIn(sample));
    expect(Object.values(data)).not.toContain(null);
    expect(JSON.stringify(data)).not.toContain('"code"');
  });

  it('WatchUpload sends the current stage first', async () => {
    const sample = samples.find(({ name }) => name === 'WatchUpload') as SampleOperation;
    const stream = await openEventStream(app.url, sample.text, filledIn(sample));
    expect(await stream.next()).toMatchObject({ data: { uploadChanged: { stage: 'RECEIVED' } } });
    stream.close();
  });
});
