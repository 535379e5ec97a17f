/* The operations of the OpenAPI documents, for tests of what many of them share. */
import type { Client, Reply } from './client.ts';
import { readDocuments } from './openapi-documents.ts';

/** An operation of an OpenAPI document, with the statuses that it documents. */
export interface DocumentedOperation {
  name: string;
  method: string;
  template: string;
  statuses: string[];
}

/** The operations of an API version. */
export const documentedOperations = (version: 'v3' | 'v4' | 'v5'): DocumentedOperation[] =>
  Object.entries(readDocuments()[version].paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      ...{ name: `${method.toUpperCase()} ${template}`, method: method.toUpperCase(), template },
      statuses: Object.keys(responses),
    })),
  );

/** Those that document a status. */
export const having = (operations: readonly DocumentedOperation[], status: number): DocumentedOperation[] =>
  operations.filter(({ statuses }) => statuses.includes(String(status)));

/** The parameters that reads require. */
const REQUIRED = {
  '/language-tools': '?app=desktop_browser',
  '/browser-mappings': '?browser=chrome',
  '/reviews/review/?$': '?addon=order',
  '/ratings/rating/?$': '?addon=order',
};

/** Sends an operation with a JSON body, which is empty by default. `names` has the values of the path parameters. */
export function sendOperation(
  client: Client,
  { method, template }: DocumentedOperation,
  names: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
  json: object = {},
): Promise<Reply> {
  const query = Object.entries(REQUIRED).find(([pattern]) => new RegExp(pattern).test(template))?.[1] ?? '';
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? 'x');
  const body = method === 'GET' ? {} : { body: JSON.stringify(json) };
  return client.request(method, path + query, { headers: { 'Content-Type': 'application/json', ...headers }, ...body });
}

/** Status and keys of the response of each operation, by its name. */
export async function outcomesOf(
  operations: readonly DocumentedOperation[],
  send: (operation: DocumentedOperation) => Promise<Reply>,
): Promise<Record<string, [status: number, keys: string[]]>> {
  const outcomes: Record<string, [status: number, keys: string[]]> = {};
  for (const operation of operations) {
    const { status, json } = await send(operation);
    outcomes[operation.name] = [status, Object.keys((json ?? {}) as object).sort()];
  }
  return outcomes;
}
