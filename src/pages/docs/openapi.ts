/* The parts of an OpenAPI 3.1 document that the reference shows. */

/** A JSON schema. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

type Content = Readonly<Record<string, { schema?: Schema; example?: unknown }>>;

export interface DocumentedOperation {
  summary?: string;
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { description: string; content?: Content }>>;
}

export interface ApiDocument {
  info: { description?: string };
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  components?: { schemas?: Readonly<Record<string, Schema>> };
}

/** One method of one path. */
export interface Endpoint {
  method: string;
  path: string;
  operation: DocumentedOperation;
  /** Of its heading. */
  id: string;
}

/** The endpoints of a document by the area that their paths start with, in the order of the route table. */
export function endpointsByArea({ paths }: ApiDocument): Map<string, Endpoint[]> {
  const areas = new Map<string, Endpoint[]>();
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
