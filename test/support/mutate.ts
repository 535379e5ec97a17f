import type { Client } from './client.ts';
import { withGlobalIds } from './global-ids.ts';

/** The fields that the results of all mutations share. */
export interface MutationResult {
  __typename: string;
  code?: string;
  message?: string;
  path?: string[] | null;
}

/** Runs a mutation. Numbers in ids of its input are database ids. The names of its types start with its capitalised name. */
export async function mutate(client: Client, name: string, input: Record<string, unknown>): Promise<MutationResult> {
  const data = await client.graphql<Record<string, MutationResult>>(textOf(name), {
    input: withGlobalIds(name, input),
  });
  return data[name] as MutationResult;
}

/** The code of the top-level error of a mutation. */
export async function mutationError(client: Client, name: string, input: Record<string, unknown>): Promise<unknown> {
  const { errors } = await client.graphqlResult(textOf(name), { input: withGlobalIds(name, input) });
  return errors?.[0]?.extensions?.code;
}

function textOf(name: string): string {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
  return `mutation($input: ${type}) { ${name}(input: $input) { __typename ... on UserError { code message path } } }`;
}

/** An English text in the form of mutation inputs. */
export const inEnglish = (value: string | null) => [{ locale: 'en-US', value }];
