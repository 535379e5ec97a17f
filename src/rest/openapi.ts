import { OpenAPIRegistry, OpenApiGeneratorV31, type ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { Params } from '../http/params.ts';
import examples from './examples.json' with { type: 'json' };
import { PAGE_PARAMS } from './pagination.ts';
import { responsesOf } from './responses.ts';
import type { ResponseDoc, Route, SignIn } from './route.ts';
import { routes } from './routes/index.ts';
import type { ApiVersion } from './view.ts';
import { documentText, wordsKey } from './words.ts';

/** An OpenAPI 3.1 document, as JSON. */
type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;

/** The API versions with a document; that of v4 also covers v4dev. */
export const DOCUMENTED_VERSIONS = ['v3', 'v4', 'v5'] as const;
type DocumentedVersion = (typeof DOCUMENTED_VERSIONS)[number];

const DESCRIPTIONS: Readonly<Record<DocumentedVersion, string>> = {
  v3: 'The frozen version of the API.',
  v4: 'The version of the API in development.',
  v5: 'The API for submissions: what the tools of developers use.',
};

/** The path of a route in OpenAPI form: `/api/v4/addons/{guid}/versions/{version}/`. */
function documentedPath(route: Pick<Route, 'path'>, version: ApiVersion): string {
  return `/api/${version}${route.path.replace(/:(\w+)/g, '{$1}')}`;
}

/** Builds the OpenAPI document of an API version from the route table. */
export function openApiDocument(version: DocumentedVersion): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'jwt', {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`JWT <token>`: a one-time JSON Web Token (HS256), made by the client with its API secret.',
  });
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  const documented = routes.filter(({ outsideApi, apiVersions }) => !outsideApi && apiVersions.includes(version));
  for (const route of documented) register(registry, route, version);
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Add-on distribution service',
      version,
      description: DESCRIPTIONS[version],
    },
    servers: [{ url: '/' }],
  });
}

const texts = new Map<DocumentedVersion, { words: string; text: string }>();

/** The OpenAPI document of an API version as JSON, with the words of this installation. */
export function openApiText(version: DocumentedVersion): string {
  const words = wordsKey();
  let made = texts.get(version);
  if (made?.words !== words) {
    made = { words, text: documentText(JSON.stringify(openApiDocument(version))) };
    texts.set(version, made);
  }
  return made.text;
}

/** Security requirements by sign-in mode. */
const SECURITY: Readonly<Record<SignIn, { jwt?: []; bearer?: [] }[]>> = {
  required: [{ jwt: [] }, { bearer: [] }],
  optional: [{ jwt: [] }, { bearer: [] }, {}],
  ignored: [],
};

function register(registry: OpenAPIRegistry, route: Route, version: DocumentedVersion): void {
  const known = Object.entries(route.query).filter(
    ([, { unknownIn, undocumented }]) => !undocumented && !unknownIn?.includes(version),
  );
  const query = { ...Object.fromEntries(known), ...(route.paginated ? PAGE_PARAMS : {}) };
  registry.registerPath({
    method: route.method.toLowerCase() as 'get',
    path: documentedPath(route, version),
    summary: route.summary,
    security: SECURITY[route.signIn],
    request: {
      ...(Object.keys(route.params).length > 0 ? { params: shape(route.params, true) } : {}),
      ...(Object.keys(query).length > 0 ? { query: shape(query) } : {}),
      ...(Object.keys(route.body.content).length > 0 ? { body: { required: true, content: route.body.content } } : {}),
    },
    responses: Object.fromEntries(
      Object.entries(responsesOf(route, version)).map(([status, doc]) => [
        status,
        response(schemaIn(doc, version), exampleOf(route, version, status)),
      ]),
    ),
  });
}

function shape(params: Params, areRequired = false) {
  const described = Object.entries(params).map(([name, { schema, description, required = areRequired }]) => {
    const documented = schema.meta({ description });
    return [name, required ? documented : documented.optional()];
  });
  return z.object(Object.fromEntries(described) as Record<string, z.ZodType>);
}

/** The example of a 200 response: a response of the service, which a test records. */
function exampleOf({ method, path }: Route, version: DocumentedVersion, status: string): unknown {
  if (method !== 'GET' || status !== '200') return undefined;
  return (examples[version] as Record<string, unknown>)[path.replace(/:(\w+)/g, '{$1}')];
}

/** A response with its schema in an API version. */
const schemaIn = (doc: ResponseDoc, version: ApiVersion): ResponseDoc =>
  doc.v5 !== undefined && version === 'v5' ? { ...doc, schema: doc.v5 } : doc;

function response(doc: ResponseDoc, example: unknown): ResponseConfig {
  const headers = {
    'X-SVC-Read-Only': { required: true, schema: { type: 'string' as const, enum: ['true', 'false'] } },
  };
  if (doc.schema) {
    return {
      description: doc.description,
      headers,
      content: {
        'application/json': { schema: doc.schema, ...(example === undefined ? {} : { example }) },
        ...(doc.page ? { 'text/html': {} } : {}),
      },
    };
  }
  if (!doc.file) return { description: doc.description, headers };
  return { description: doc.description, headers, content: Object.fromEntries(doc.file.map((type) => [type, {}])) };
}
