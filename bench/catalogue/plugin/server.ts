/*
 * REST over GraphQL with the Prisma plugin: the same operations run in-process on its schema, parsed once, with prepared
 * statements, and the service's functions map the results to JSON. Settings: PORT and DATABASE_URL.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { type DocumentNode, execute, Kind, parse, separateOperations, validate } from 'graphql';
import { wrapLink } from '../../../src/auth/outgoing-links.ts';
import { config } from '../../../src/config.ts';
import { wrapHtml } from '../../../src/domain/addons/wrap-links.ts';
import { addon as addonShape } from '../../../src/rest/json/addons.ts';
import { pageEnvelope, pageRequest } from '../../../src/rest/pagination.ts';
import { viewOf } from '../../../src/rest/view.ts';
import { schema } from './schema.ts';

type Shown = Parameters<typeof addonShape.write>[0];

const OPERATIONS = join(import.meta.dirname, '..', '..', '..', 'schema', 'operations');

/** The fragments of the service's operations, without fields that are empty here and without arguments for languages. */
function fragments(): string {
  const { definitions } = parse(
    ['addons', 'versions'].map((name) => readFileSync(join(OPERATIONS, `${name}.graphql`), 'utf8')).join('\n'),
  );
  const found = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return found
    .map(({ loc }) => loc?.source.body.slice(loc.start, loc.end) ?? '')
    .join('\n')
    .replace(/themeData \{(?:[^{}]|\{[^}]*\})*\}/, '')
    .replace(/fragment TextFields on Localized \{[^}]*\}/, 'fragment TextFields on Localized { texts }');
}

function prepare(query: string): DocumentNode {
  // Without the fragments that the query does not use: this schema lacks some of their fields.
  const { '': document } = separateOperations(parse(`${query}\n${fragments()}`));
  if (document === undefined) throw new Error('The query has a name.');
  const problems = validate(schema, document);
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join(' '));
  return document;
}

const DETAIL = prepare(`query ($id: Int!) { addon(id: $id) { ...AddonListFields } }`);
const PAGE = prepare(
  `query ($limit: Int!, $offset: Int!) { count addons(limit: $limit, offset: $offset) { ...AddonHitFields } }`,
);

async function run(document: DocumentNode, variableValues: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { data, errors } = await execute({ schema, document, variableValues, contextValue: {} });
  if (errors !== undefined) throw errors[0];
  return data as Record<string, unknown>;
}

const view = viewOf('GET', 'v4', null, config.BASE_URL, { wrapsLinks: false, wrapLink, wrapHtml });
const app = express();
app.disable('x-powered-by');
app.disable('etag');

app.get('/api/v4/addons/addon/:id/', async (request, response) => {
  const { addon } = await run(DETAIL, { id: Number(request.params.id) });
  if (addon === null) response.status(404).json({ detail: 'Not found.' });
  else response.json(addonShape.write(addon as Shown, view));
});

app.get('/api/v4/addons/search/', async (request, response) => {
  const address = new URL(config.BASE_URL + request.originalUrl);
  const page = pageRequest(address.searchParams);
  const variables = { limit: page.pageSize, offset: (page.page - 1) * page.pageSize };
  const { count, addons } = (await run(PAGE, variables)) as { count: number; addons: Shown[] };
  const pages = Math.ceil(Math.min(count, 25_000) / page.pageSize);
  const results = addons.map((addon) => ({ ...addonShape.write(addon, view), _score: 1 }));
  response.json(pageEnvelope(address, page, { count, pages, results }));
});

app.listen(config.PORT, config.HOST);
