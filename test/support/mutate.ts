import type { Client } from './client.ts';
import { withGlobalIds } from './global-ids.ts';

/** What a mutation answered, as far as every mutation answers it. */
export interface MutationResult {
  __typename: string;
  code?: string;
  message?: string;
  path?: string[] | null;
}

/** Runs a mutation with its one input, in which numbers are database ids. Its name with a capital letter starts the names of its types. */
export async function mutate(who: Client, name: string, input: Record<string, unknown>): Promise<MutationResult> {
  const data = await who.graphql<Record<string, MutationResult>>(textOf(name), { input: withGlobalIds(name, input) });
  return data[name] as MutationResult;
}

/** The code of the top-level error with which a mutation ended. */
export async function mutationError(who: Client, name: string, input: Record<string, unknown>): Promise<unknown> {
  const { errors } = await who.graphqlResult(textOf(name), { input: withGlobalIds(name, input) });
  return errors?.[0]?.extensions?.code;
}

function textOf(name: string): string {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
  return `mutation($input: ${type}) { ${name}(input: $input) { __typename ... on UserError { code message path } } }`;
}

/** A text in English, as mutations take it. */
export const inEnglish = (value: string | null) => [{ locale: 'en-US', value }];
