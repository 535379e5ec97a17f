/* The parts of an OpenAPI 3.1 document that the reference shows. */

/** A JSON schema. */
export interface OpenApiSchema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  items?: OpenApiSchema;
  properties?: Readonly<Record<string, OpenApiSchema>>;
  required?: readonly string[];
  additionalProperties?: OpenApiSchema | boolean;
  anyOf?: readonly OpenApiSchema[];
  oneOf?: readonly OpenApiSchema[];
  allOf?: readonly OpenApiSchema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export interface OpenApiParameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: OpenApiSchema;
}

type Content = Readonly<Record<string, { schema?: OpenApiSchema; example?: unknown }>>;

export interface DocumentedOperation {
  summary?: string;
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly OpenApiParameter[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { description: string; content?: Content }>>;
}

export interface ApiDocument {
  info: { description?: string };
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  components?: { schemas?: Readonly<Record<string, OpenApiSchema>> };
}

/** One method of one path. */
export interface OpenApiEndpoint {
  method: string;
  path: string;
  operation: DocumentedOperation;
  /** Of its heading. */
  id: string;
}

/** The endpoints of a document by the area that their paths start with, in the order of the route table. */
export function endpointsByArea({ paths }: ApiDocument): Map<string, OpenApiEndpoint[]> {
  const areas = new Map<string, OpenApiEndpoint[]>();
  for (const [path, operations] of Object.entries(paths)) {
    const area = path.split('/')[3] ?? '';
    for (const [method, operation] of Object.entries(operations)) {
      const id = `${method}${path
        .replace(/^\/api\/v\d/, '')
        .replace(/[^a-z0-9]+/gi, '-')
        .replace(/-$/, '')}`;
      areas.set(area, [...(areas.get(area) ?? []), { method: method.toUpperCase(), path, operation, id }]);
    }
  }
  return areas;
}
