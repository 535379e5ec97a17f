import type { Client } from './client.ts';
import { withGlobalIds } from './global-ids.ts';

const HEADERS = { 'X-GraphQL-Yoga-CSRF': '1', Accept: 'application/json' };

/**
 * Runs a mutation with a file and returns its only field, `result`. Numbers in the input are database ids. `field` is the path of
 * the file in the input.
 * @throws {Error} if the response has top-level errors.
 */
export async function sendFile(
  client: Client,
  query: string,
  input: object,
  bytes: Buffer,
  { field = 'file', fileName = 'picture', type = 'application/octet-stream' } = {},
): Promise<Record<string, unknown>> {
  const [name = '', inner] = field.split('.');
  const variables = {
    input: { ...withGlobalIds(query, input), [name]: inner === undefined ? null : { [inner]: null } },
  };
  const operations = JSON.stringify({ query, variables });
  const map = JSON.stringify({ file: [`variables.input.${field}`] });
  const reply = await client.post('/graphql', { operations, map, file: { bytes, fileName, type } }, HEADERS);
  const { data, errors } = reply.json as { data?: { result: Record<string, unknown> }; errors?: unknown };
  if (errors !== undefined) throw new Error(`GraphQL: ${JSON.stringify(errors)}`);
  return data?.result ?? {};
}
